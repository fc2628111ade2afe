"""Use cases, one file per verb; the only room that carries values from one room to another."""
