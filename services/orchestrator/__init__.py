"""The orchestrator: owns the state of flows and drives each along its path."""
