"""Which domains a deployment knows, and how a package that cannot be one is refused."""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from services.catalog.loader import CatalogError, catalog, checked
from services.plugin.declarations import Domain
from services.plugin.documents import DocumentError, line_of, read_model
from services.plugin.installed import DomainError, InstalledDomain, enabled, packaged_domains
from services.runtime.environment import process_environment

DECLARED = """\
domain: {name}
title: {{ko: 가, en: a}}
{more}
intents: []
agents: []
"""
NUMBERS = itertools.count()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., InstalledDomain]:
    """Makes a package with a domain.yaml and returns it as an installed domain."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def made(name: str, more: str = "", text: str | None = None) -> InstalledDomain:
        folder = tmp_path / f"made_{name}_{next(NUMBERS)}"
        folder.mkdir()
        (folder / "__init__.py").touch()
        (folder / "domain.yaml").write_text(DECLARED.format(name=name, more=more) if text is None else text)
        return InstalledDomain(name, folder.name)

    return made


def names(domains: tuple[InstalledDomain, ...]) -> list[str]:
    """Returns the domains' names."""
    return [one.name for one in domains]


def test_all_are_enabled_where_nothing_is_named(package) -> None:
    """Without a choice every packaged domain is known."""
    packaged = (package("one"), package("two"))
    assert names(enabled(packaged, ())) == ["one", "two"]


def test_what_a_domain_requires_comes_with_it(package) -> None:
    """A domain is known with its ground, the ground of that, and those that no deployment leaves out."""
    packaged = (
        *(package("one", "requires: [two]"), package("two", "requires: [three]"), package("three")),
        *(package("other"), package("ever", "always: true")),
    )
    assert names(enabled(packaged, ("one",))) == ["one", "two", "three", "ever"]


def test_an_unknown_name_is_answered_with_what_is_installed(package) -> None:
    """A misspelt name of HAPJU_DOMAINS is an error that lists the installed ones."""
    with pytest.raises(DomainError, match="HAPJU_DOMAINS: no domain is named on; installed are one"):
        enabled((package("one"),), ("on",))


def test_a_missing_ground_is_named(package) -> None:
    """A domain that requires one which is not installed is an error that names file and both."""
    with pytest.raises(DomainError, match=r"domain\.yaml: one requires ground, which is not installed"):
        enabled((package("one", "requires: [ground]"),), ())


def test_a_package_without_a_declaration_is_named(package) -> None:
    """An entry point to a package without domain.yaml, or to none at all, is an error that names both."""
    empty = package("one")
    (Path(str(empty.folder)) / "domain.yaml").unlink()
    with pytest.raises(DocumentError, match=r"domain\.yaml: made_one_\d+ is named as domain 'one'"):
        enabled((empty,), ())
    with pytest.raises(DomainError, match="domain 'two': its package no_such_package cannot be imported"):
        enabled((InstalledDomain("two", "no_such_package"),), ())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("domain: one\ntitle: [", r"domain\.yaml:2: "),
        (DECLARED.format(name="one", more="colour: red"), r"domain\.yaml:3: colour: Extra inputs"),
        (DECLARED.format(name="one", more="precedence: 0"), r"domain\.yaml:3: precedence: "),
        ("domain: one\ntitle:\n  ko: 가\nintents: []\nagents: []", r"domain\.yaml:2: title\.en: Field required"),
        (DECLARED.format(name="two", more=""), r"domain\.yaml: declares 'two', but its entry point names 'one'"),
    ],
)
def test_a_fault_is_told_with_file_and_line(package, text: str, fault: str) -> None:
    """What is no YAML or has another shape is named with its file, its line and its entry."""
    with pytest.raises((DocumentError, DomainError), match=fault):
        enabled((package("one", text=text),), ())


def test_each_fault_has_a_line_of_its_own(tmp_path: Path) -> None:
    """Several faults of one file are several lines, so that one run shows all of them."""
    (tmp_path / "domain.yaml").write_text(
        "domain: One\ntitle: {ko: 가, en: a}\nintents: []\nagents: []\nalways: perhaps\n"
    )
    with pytest.raises(DocumentError) as refused:
        read_model(tmp_path / "domain.yaml", Domain)
    assert [line.split(": ")[1] for line in str(refused.value).splitlines()] == ["domain", "always"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A file that is not there is an error that names it."""
    with pytest.raises(DocumentError, match=r"nothing\.yaml: No such file"):
        read_model(tmp_path / "nothing.yaml", Domain)


def test_lines_are_found_as_far_as_the_place_goes() -> None:
    """A place inside sequences and mappings has its line; one that is missing has that of its parent."""
    text = "a:\n  - x: 1\n  - x: 2\n    y: 3\n"
    assert [line_of(text, place) for place in ((), ("a",), ("a", 1, "y"), ("a", 1, "z"), ("a", 5))] == [1, 1, 4, 3, 1]


def test_a_contradiction_of_a_domain_is_told_with_its_line() -> None:
    """What contradicts another part of the catalog is named with the file and line of the intent or agent."""
    domains = tuple(
        one.model_copy(update={"intents": tuple(i.model_copy(update={"owners": ("x.y",)}) for i in one.intents)})
        for one in catalog().domains.values()
    )
    with pytest.raises(CatalogError) as refused:
        checked(catalog().routing, domains)
    first = next(line for line in str(refused.value).splitlines() if "UNCLEAR" in line)
    path, line, _ = first.split(":", 2)
    assert Path(path).read_text().splitlines()[int(line) - 1].strip() == "- id: UNCLEAR"


def test_what_ships_is_found() -> None:
    """The domains of this distribution are packages with a declaration of the same name."""
    found = {one.name: one.declaration.domain for one in packaged_domains()}
    assert {"commerce", "finance", "general", "realty"} <= set(found)
    assert all(name == declared for name, declared in found.items())


KNOWN = """
import json
from services.catalog.loader import catalog
from services.catalog.topology import topology
print(json.dumps([sorted(catalog().domains), sorted(topology().agents)]))
"""


def python(*arguments: str, domains: str) -> subprocess.CompletedProcess[str]:
    """Runs Python where HAPJU_DOMAINS names those domains."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=process_environment(HAPJU_DOMAINS=domains),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_deployment_of_one_domain_knows_no_other() -> None:
    """Catalog and processes are those of the named domain, of its ground and of what is everywhere."""
    known, agents = json.loads(python("-c", KNOWN, domains="finance").stdout)
    assert "finance" in known
    assert not {"realty", "commerce"} & set(known)
    assert {name.partition(".")[0] for name in agents} == {"finance", "general"}


@pytest.mark.parametrize(
    "module", [("services.router",), ("services.agents", "finance.macro"), ("services.cli", "agents")]
)
def test_an_unknown_domain_ends_each_process_with_one_line(module: tuple[str, ...]) -> None:
    """A process whose HAPJU_DOMAINS names nothing that is installed ends with 2 and one line."""
    ended = python("-m", *module, domains="fnance")
    assert ended.returncode == 2
    assert "no domain is named fnance; installed are commerce, finance, general" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
