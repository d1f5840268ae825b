"""MCP servers that the deployment mounts: which, and which of their tools, each pinned to the definition that was seen.

    domain's Tool ──► by_mcp ──► MountedServers ──► official client ──► server (a command, or streamable HTTP)

What a server says is rows, never a name, a description, an instruction or an approval: names and texts are the
domain's, and a tool that does not declare itself as reading is not called.
"""
