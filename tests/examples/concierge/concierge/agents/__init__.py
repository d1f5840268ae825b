"""The agents of the concierge."""
