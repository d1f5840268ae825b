"""Prompts of the orchestrator."""
