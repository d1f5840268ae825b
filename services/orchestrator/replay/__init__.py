"""Recordings of flows: put together from what is kept, and taken along their path again by this code."""
