"""Prompts of the domain agents."""
