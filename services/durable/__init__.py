"""What outlives a process: the flow store with its leases, turns, checkpoints, questions, memory and experiments."""
