"""General: what is answered without data."""
