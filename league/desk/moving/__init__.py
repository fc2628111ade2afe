"""A league moves whole from one site to another: out of the one, into the other, and who plays it meanwhile."""
