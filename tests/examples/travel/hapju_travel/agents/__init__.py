"""The agents of travel."""
