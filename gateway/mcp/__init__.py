"""hapju as a server of the Model Context Protocol: ask, plan and flows are its tools, flows and agents its resources.

    agent  ──►  SDK's server  ──►  tools, resources  ──►  Door  ──►  GatewayService, with the caller's own token

The same server stands at /mcp of the HTTP edge and behind `hapju mcp` on standard input and output. Nothing is decided
here: rights, limits and approvals are those of the calls that it makes.
"""
