"""The HTTP edge: the calls of GatewayService as paths and JSON, and a flow's events as server-sent events.

It is a client of the gateway that it stands beside: each request becomes one call over gRPC that bears the client's own
token, so identity, limits, errors and resume are those of the contract, and nothing is decided here.
"""
