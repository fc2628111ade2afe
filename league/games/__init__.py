"""Rules of games: one package each, none of which knows another."""
