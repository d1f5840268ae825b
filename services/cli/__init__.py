"""The command line: asks questions, runs the services in one process, shows what flows did, and measures.

The modules that declare commands import Typer alone; what talks to services is imported when a command runs, so that
help and usage errors are shown at once.
"""
