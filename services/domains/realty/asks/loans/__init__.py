"""What is asked of loans: how much, what it costs a month, what is repaid, and what home it affords."""
