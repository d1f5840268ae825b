"""Runs the command line as `python -m services.cli`."""

from services.cli.app import main

main()
