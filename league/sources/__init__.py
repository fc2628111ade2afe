"""Providers of public figures, one file each: they give readings, never a draw (DESIGN: Chance).

A source answers with a `Reading` of the day asked for, or with an `Unanswered` that says why not. It never guesses;
a day of which it says nothing is no holiday. `agreement` makes of all readings what stands. Nothing is stored here.
"""
