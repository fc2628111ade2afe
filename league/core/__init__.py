"""Values and protocols that every room shares, and nothing else."""
