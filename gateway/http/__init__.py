"""The HTTP edge: the calls of GatewayService as paths and JSON, and a flow's events as server-sent events.

Each request becomes one call of the gateway that it stands beside, through all that stands around its handlers and with
the client's own token: identity, limits, errors and resume are those of the contract, and nothing is decided here.
"""
