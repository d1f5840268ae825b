"""Traces, metrics and logs of every service, named by one registry and masked by one function."""
