"""Prompts of the policy check."""
