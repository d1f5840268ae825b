"""The tools of travel."""
