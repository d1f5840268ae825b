"""Prompts of the synthesizer."""
