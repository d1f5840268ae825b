"""The sample of travel."""
