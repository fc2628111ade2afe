"""Who plays: seats, invitations, substitutes, the pages of a player."""
