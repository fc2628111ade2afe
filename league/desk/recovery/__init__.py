"""Behind a crash of the disk: back up, restore, and what a restored site must wait for."""
