"""What tools are made of: arguments, rows, effects, and reading from databases, searches, servers and agents."""
