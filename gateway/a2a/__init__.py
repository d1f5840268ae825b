"""hapju as an agent of the A2A protocol 1.0: a task is a flow, a context a conversation, a message one's own words.

    agent  ──►  SDK's dispatcher  ──►  Handler  ──►  Door  ──►  GatewayService, with the caller's own token

Nothing is kept here: a task is read from its flow's record, so that every gateway knows it.
"""
