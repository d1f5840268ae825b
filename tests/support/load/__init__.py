"""People who ask a gateway more than it can answer, in a process of their own."""
