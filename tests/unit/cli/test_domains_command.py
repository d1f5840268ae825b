"""`hapju domains`: every fault of a domain is a line with its file and line, and what ships has none."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from services.plugin.installed import packaged_domains
from services.runtime.environment import process_environment

DOMAIN = """\
domain: shapes
title: {ko: 도형, en: shapes}
intents:
  - id: count_sides
    description: {ko: 변의 수, en: number of sides}
    owners: [shapes.sides]
    examples: {ko: [삼각형은 변이 몇 개야], en: [how many sides has a triangle]}
agents:
  - id: shapes.sides
    answers: {ko: 변의 수, en: numbers of sides}
    declines: {ko: 넓이, en: areas}
    title: {ko: 변, en: sides}
"""


def hapju(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own, for what it finds is kept by the process."""
    command = [sys.executable, "-m", "services.cli", "domains", *arguments]
    return subprocess.run(command, env=process_environment(), capture_output=True, text=True, check=False, timeout=100)


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Path]:
    """Writes a domain's package with some files and returns its folder."""

    def write(domain: str = DOMAIN, **files: str) -> Path:
        folder = tmp_path / "some_shapes"
        for name, text in {"__init__.py": "", "domain.yaml": domain, **files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.mark.long
@pytest.mark.parametrize("name", [one.name for one in packaged_domains()])
def test_what_ships_is_whole(name: str) -> None:
    """No domain of this distribution has a fault: the check is one that they all pass."""
    ended = hapju("check", name)
    assert (ended.returncode, ended.stdout) == (0, "")


def test_the_installed_ones_are_listed() -> None:
    """The list names each domain with its package and what it requires."""
    ended = hapju("list", "--json")
    assert '"package": "services.domains.finance", "requires": "homes"' in ended.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("domain", "files", "fault"),
    [
        (DOMAIN + "colour: red\n", {}, r"domain.yaml:13: colour: Extra inputs are not permitted"),
        (DOMAIN.replace("[shapes.sides]", "[shapes.angles]"), {}, "domain.yaml:4: intent count_sides: its owner"),
        (DOMAIN + "    tools: [{name: ruler, arguments: {}}]\n", {}, "domain.yaml:9: agent shapes.sides: tool ruler"),
        (DOMAIN, {"utterances.txt": "## count_sides\nso many\n## count_angles\n"}, "utterances.txt:3: 'count_angles'"),
        (DOMAIN, {"figures.yaml": "figures:\n  - {id: Sides}\n"}, "figures.yaml:2: "),
        (DOMAIN + "    served: true\n", {}, "domain.yaml:9: agent shapes.sides: served, but not defined"),
        (DOMAIN, {"evals/routing.jsonl": '{"expect": {"intent": "count"}}\n'}, "routing.jsonl:1: expect.intent: no"),
        (
            DOMAIN.replace("how many sides has a triangle", "mean price of apartments in Gangnam-gu"),
            {},
            "domain.yaml:7: intent count_sides: 'mean price of apartments in Gangnam-gu' is routed to",
        ),
        (
            DOMAIN,
            {"agents/__init__.py": "", "agents/sides.py": "def found(about):\n    return about.figure('sides', 3)\n"},
            "sides.py:2: figure 'sides': no figures.yaml declares it",
        ),
    ],
)
def test_each_fault_has_its_file_and_line(
    made: Callable[..., Path], domain: str, files: dict[str, str], fault: str
) -> None:
    """A folder is checked as if it were installed, and what is wrong with it is told where it stands."""
    folder = made(domain, **files)
    ended = hapju("check", str(folder))
    assert ended.returncode == 1
    assert fault in ended.stdout, ended.stdout + ended.stderr
    assert ended.stdout.startswith(str(folder))


def test_a_project_is_checked_by_its_entry_point(made: Callable[..., Path], tmp_path: Path) -> None:
    """The folder of a project names the package in its pyproject.toml; one that names none is refused."""
    made(DOMAIN.replace("domain: shapes", "domain: Shapes"))
    assert hapju("check", str(tmp_path)).returncode == 2
    points = '[project.entry-points."hapju.domains"]\nshapes = "some_shapes"\n'
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\n{points}')
    assert "domain.yaml:1: domain: String should match pattern" in hapju("check", str(tmp_path)).stdout


def test_what_is_no_domain_is_refused() -> None:
    """A name that is neither a folder nor installed ends with 2 and says so."""
    ended = hapju("check", "nothing")
    assert (ended.returncode, "'nothing' is no folder" in ended.stderr) == (2, True)
