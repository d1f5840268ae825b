"""The actions: one module a group, each with its TOOLS."""
