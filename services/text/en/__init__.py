"""What is English alone: its dates."""
