"""The planner: which agents answer a routed question, with which calls, and what has to be asked first."""
