"""Prompts of the router."""
