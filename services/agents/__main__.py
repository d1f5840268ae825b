"""Runs one agent: `python -m services.agents finance.equity`, or `equity` where one agent alone is called so."""

import sys

from services.agents.registry import SpecError, full_name
from services.agents.servicer import register
from services.catalog.answerers import ask_domains
from services.catalog.topology import topology
from services.runtime.server import serve
from services.runtime.settings import SettingsError


def main(arguments: list[str]) -> int:
    """Run the agent that the only argument names; return 2 with the known names where it names none."""
    try:
        known = tuple(topology().agents)
        if len(arguments) != 1:
            sys.stderr.write(f"usage: python -m services.agents NAME; known: {', '.join(known)}\n")
            return 2
        name = full_name(arguments[0], known)
    except (SpecError, SettingsError) as unknown:
        sys.stderr.write(f"{unknown}\n")
        return 2
    serve(name, register, topology, ask_domains)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
