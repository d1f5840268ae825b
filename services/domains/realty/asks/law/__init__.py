"""What is asked of the law of leases: situations, verdicts, deadlines and articles."""
