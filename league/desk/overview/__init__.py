"""What needs a person: status, reminders, health."""
