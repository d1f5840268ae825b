"""Schema migrations of the flow store."""
