"""A domain's package in a scratch folder, found by this environment as if it were installed."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Scratch:
    """How the scratch domain's deployment is run: it knows that domain and what is everywhere."""

    variables: dict[str, str]
    """The variables of its processes."""

    def hapju(self, *arguments: str) -> tuple[str, ...]:
        """Returns the command line of the command."""
        return (sys.executable, "-m", "services.cli", *arguments)


def installed(folder: Path, domain: str, package: str) -> Scratch:
    """Makes the package in a folder one that an entry point names."""
    entry = folder / f"hapju_{domain}-0.dist-info"
    entry.mkdir()
    (entry / "METADATA").write_text(f"Metadata-Version: 2.1\nName: hapju-{domain}\nVersion: 0\n", encoding="utf-8")
    (entry / "entry_points.txt").write_text(f"[hapju.domains]\n{domain} = {package}\n", encoding="utf-8")
    path = os.pathsep.join((str(folder), *(part for part in sys.path if part)))
    return Scratch({"PYTHONPATH": path, "HAPJU_DOMAINS": domain, "HAPJU_DATA_DIR": str(folder / "data")})
