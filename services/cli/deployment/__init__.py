"""Commands of who runs hapju: its services, databases, sample data, keys, listings and the server of MCP."""
