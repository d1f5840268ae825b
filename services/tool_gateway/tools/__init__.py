"""One module a tool, each with `TOOL = Tool(...)`; `services.tool_gateway.registry` loads them all."""
