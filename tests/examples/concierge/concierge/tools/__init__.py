"""The tools of the concierge."""
