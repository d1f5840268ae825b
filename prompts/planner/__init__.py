"""Prompts of the planner."""
