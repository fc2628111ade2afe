"""What comes in: every mail gets one verdict, and what it holds is booked."""
