"""The actions of travel."""
