"""Whether a peer is called at all, how long a call waits for one that is away, and what becomes of a call not made."""
