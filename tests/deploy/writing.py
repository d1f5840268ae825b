"""`make agents`: writes the agents of the installed domains into the chart's values and the Compose files.

Each file holds them between two marks, and `test_parity.py` holds the files against the catalog; so who declares an
agent in a domain.yaml runs this once and edits none of them.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from services.catalog.topology import Process, topology

ROOT: Final = Path(__file__).parents[2]


def _address(agent: Process) -> str:
    return f"  {agent.address_variable}: dns:///{agent.kubernetes_name}:{agent.port}\n"


def _service(agent: Process) -> str:
    return (
        f"  {agent.kubernetes_name}:\n"
        "    <<: *process\n"
        f"    command: [{', '.join(agent.command[2:])}]\n"
        f'    environment: {{<<: *environment, PROCESS: {agent.name}, HAPJU_LISTEN: "0.0.0.0:{agent.port}"}}\n'
    )


def _value(agent: Process) -> str:
    return f"  {agent.name}: {{port: {agent.port}}}\n"


def _watched(agent: Process) -> str:
    return f"  {agent.kubernetes_name}: *watched\n"


PARTS: Final[tuple[tuple[str, str, Callable[[Process], str]], ...]] = (
    ("docker-compose.yml", "addresses of agents", _address),
    ("docker-compose.yml", "agents", _service),
    ("helm/values.yaml", "agents", _value),
    ("observability/compose.yaml", "agents", _watched),
)
"""Each part that is written: its file, what its marks call it, and how an agent stands in it."""


def written(text: str, part: str, line: Callable[[Process], str]) -> str:
    """Return a file's text with a part made anew.

    Raises:
        ValueError: The text does not hold the part's two marks once.
    """
    marks = re.compile(
        rf"(?P<begin> *# {part}, from the domains: make agents\n).*?(?P<end> *# end of {part}\n)", re.DOTALL
    )
    agents = "".join(line(agent) for agent in topology().agents.values())
    made, count = marks.subn(lambda found: f"{found['begin']}{agents}{found['end']}", text)
    if count != 1:
        raise ValueError(f"the marks of {part!r} stand {count} times")
    return made


if __name__ == "__main__":
    for name, part, line in PARTS:
        file = ROOT / name
        file.write_text(written(file.read_text(encoding="utf-8"), part, line), encoding="utf-8")
