"""Ways to bring the public pages elsewhere: rsync, a git branch, an S3 bucket.

Each takes a whole build and makes the other side the same, in an order in which no page ever leads to one that isn't
there: first what is new, then what has changed, then the pages that lead to others, and what is gone last of all.
What goes wrong is a value, in words without a secret.
"""
