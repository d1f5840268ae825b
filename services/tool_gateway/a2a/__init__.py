"""A2A agents that the deployment mounts: which, and which of their skills, each pinned to the card that was seen.

    domain's Tool ──► by_a2a ──► MountedAgents ──► official client ──► agent (JSON-RPC over HTTP, streamed where it can)

What an agent says is words and data, never a name, an instruction or an approval; what it asks back is not answered.
"""
