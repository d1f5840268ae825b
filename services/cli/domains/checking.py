"""Whether one domain is whole: every fault a line, with file and line. A folder is checked as if it were installed."""

import ast
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from services.agents.registry import SpecError, load_specs
from services.catalog.columns import untitled
from services.catalog.loader import catalog
from services.catalog.reading import read_question
from services.catalog.spoken import utterances
from services.cli.environment import finish, settings_now
from services.cli.evaluation.asking import said_in, started
from services.cli.evaluation.rows import CLOCK
from services.cli.problems import usage
from services.planner.functions import planning_functions
from services.planner.reading import SlotReader
from services.planner.rules import checked as complete
from services.planner.rules import planning_rules
from services.plugin.agent import AgentSpec
from services.plugin.data.columns import FILE as COLUMNS_FILE
from services.plugin.declarations import Agent
from services.plugin.documents import line_of
from services.plugin.figures.declared import figures_of
from services.plugin.installed import DECLARATION, GROUP, InstalledDomain, installed_domains
from services.runtime.settings import SettingsError
from services.tool_gateway.grants import grants_of
from services.tool_gateway.registry import RegistrationError, load_registry

_METADATA: Final = "Metadata-Version: 2.1\nName: {name}-as-checked\nVersion: 0\n"


def checked(domain: str) -> list[str]:
    """Return the faults of a domain, by its folder or its name.

    Raises:
        Problem: There is no such domain.
    """
    with tempfile.TemporaryDirectory() as aside:
        name = _named_in(Path(domain), Path(aside)) if Path(domain).is_dir() else domain
        try:
            found = {one.name: one for one in installed_domains()}.get(name)
            if found is None:
                raise usage("PATH|NAME", f"{domain!r} is no folder with a domain and no installed domain")
            return list(_faults(found))
        except (SettingsError, RegistrationError, SpecError, ValueError) as fault:
            return str(fault).splitlines()


def _named_in(folder: Path, aside: Path) -> str:
    """Make the domain of a folder one of those that are installed for this process, and return its name."""
    package = _package_in(folder)
    line = re.search(r"^domain:\s*(\S+)", (package / DECLARATION).read_text("utf-8"), re.MULTILINE)
    name = line[1] if line is not None else ""
    if not name:
        raise usage("PATH|NAME", f"{package / DECLARATION}:1: domain: Field required")
    entry = aside / f"{name}_as_checked-0.dist-info"
    entry.mkdir()
    (entry / "METADATA").write_text(_METADATA.format(name=name), encoding="utf-8")
    (entry / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {package.name}\n", encoding="utf-8")
    sys.path[:0] = [str(package.parent.resolve()), str(aside)]
    return name


def _package_in(folder: Path) -> Path:
    if (folder / DECLARATION).is_file():
        return folder.resolve()
    project = folder / "pyproject.toml"
    points = tomllib.loads(project.read_text("utf-8")).get("project", {}) if project.is_file() else {}
    packages = points.get("entry-points", {}).get(GROUP, {}).values()
    places = [folder / str(one).replace(".", "/") for one in packages]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise usage("PATH|NAME", f"{folder} holds no {DECLARATION}, nor a pyproject.toml that names a domain's package")
    return found.resolve()


@dataclass(frozen=True, slots=True)
class _Checked:
    """A domain that can be read, with the file that declares it."""

    domain: InstalledDomain
    """The domain."""
    path: Traversable
    """Its domain.yaml."""
    text: str
    """What that says."""

    def at(self, *place: str | int) -> str:
        """Return file and line of a place in domain.yaml."""
        return f"{self.path}:{line_of(self.text, place)}"


def _faults(domain: InstalledDomain) -> Iterator[str]:
    # What cannot be read stops the rest: each raises with all of its own faults.
    path = domain.folder / DECLARATION
    one = _Checked(domain, path, path.read_text(encoding="utf-8"))
    figures_of(domain)
    catalog()
    utterances(catalog())
    grants_of(catalog(), load_registry())
    yield from _agents(one)
    yield from _slots(one)
    yield from _tools(one)
    yield from _figures(one)
    yield from _columns(one)
    yield from _rows(one)
    yield from finish(_examples(one))


def _slots(one: _Checked) -> Iterator[str]:
    """Yield slots whose example is no answer to their own question."""
    functions, rules = planning_functions(catalog().kinds), complete(planning_rules(), catalog())
    reader = SlotReader(catalog(), rules, functions.slots)
    for name, rule in one.domain.declaration.slots.items():
        if not reader.takes(name, read_question(rule.example, now=CLOCK)):
            yield f"{one.at('slots', name)}: slots.{name}: its example {rule.example!r} is no answer to its question"


def _agents(one: _Checked) -> Iterator[str]:
    """Yield where a definition and the catalog differ: others read in domain.yaml what an agent calls."""
    specs = {name: spec for name, spec in load_specs().items() if name.partition(".")[0] == one.domain.name}
    for place, agent in enumerate(one.domain.declaration.agents):
        spec, where = specs.pop(agent.id, None), one.at("agents", place, "id")
        if (spec is None) is agent.served:
            yield f"{where}: agent {agent.id}: " + (
                "served, but not defined" if agent.served else "defined, not served"
            )
        elif spec is not None:
            yield from (f"{where}: agent {agent.id}: {fault}" for fault in _differences(spec, agent))
    yield from (f"{one.path}: agent {name}: defined in agents/, but not declared" for name in specs)


def _differences(spec: AgentSpec, agent: Agent) -> Iterator[str]:
    bound = {binding.name for binding in agent.tools}
    if set(spec.tools) != bound:
        yield f"tools: its definition reads through {', '.join(spec.tools) or 'none'}"
    for source in spec.sources:
        tool = load_registry().get(source.tool)
        if tool is not None and (source.data_type, source.rows_schema_id) != (tool.data_type, tool.rows_schema_id):
            yield f"source {source.tool}: reads {source.data_type}, {source.rows_schema_id}; the tool returns others"


def _tools(one: _Checked) -> Iterator[str]:
    """Yield tools that nobody uses, and those that are said of otherwise than they are."""
    declared = one.domain.declaration
    used = {binding.name for agent in catalog().agents.values() for binding in agent.tools}
    acting = {action for agent in catalog().agents.values() for action in agent.actions}
    entries = {tool.name: (place, tool) for place, tool in enumerate(declared.tools)}
    for tool in (tool for tool in load_registry() if tool.domain == declared.domain):
        is_used = tool.name in used if tool.effect is None else tool.effect.action_type in acting
        if not is_used:
            yield f"{one.at('tools')}: tool {tool.name}: no agent uses it"
        if tool.effect is not None:
            continue
        place, entry = entries.pop(tool.name, (0, None))
        fields = tool.arguments.model_fields
        required = {name for name, field in fields.items() if field.is_required()}
        if entry is None:
            yield f"{one.at('tools')}: tool {tool.name}: is not listed"
        elif (set(entry.parameters), set(entry.required), entry.data_type) != (set(fields), required, tool.data_type):
            yield f"{one.at('tools', place)}: tool {tool.name}: takes {', '.join(fields)} and returns {tool.data_type}"
    yield from (f"{one.at('tools', place)}: tool {name}: is not defined" for name, (place, _) in entries.items())


def _figures(one: _Checked) -> Iterator[str]:
    """Yield metrics that are made of a kind which no figures.yaml declares."""
    for module in one.domain.modules("agents"):
        file = Path(str(module.__file__))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"figure", "word"}
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and node.args[0].value not in catalog().figures
            ):
                yield f"{file}:{node.lineno}: figure {node.args[0].value!r}: no figures.yaml declares it"


def _columns(one: _Checked) -> Iterator[str]:
    """Yield columns that a domain's columns.yaml does not name: one that has the file names all, and hides what it may.

    Without the file a reader is shown the names as they stand.
    """
    path = one.domain.folder / COLUMNS_FILE
    if not path.is_file():
        return
    names = {
        name: f"tool {tool.name}"
        for tool in load_registry()
        if tool.domain == one.domain.name
        for name in tool.row.model_fields
    }
    for data in getattr(one.domain.module("datasets"), "DATASETS", ()):
        names |= dict.fromkeys((*data.dimensions, *data.measures, *data.fields), f"data set {data.id}")
    for name in untitled(names, one.domain.name):
        yield f"{path}: {names[name]}: the column {name} has no title, nor is it hidden"


def _rows(one: _Checked) -> Iterator[str]:
    """Yield evaluation rows that cannot be scored."""
    folder = one.domain.folder / "evals"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else ():
        if not file.name.endswith(".jsonl"):
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if fault := _row_fault(line):
                yield f"{file}:{number}: {fault}"


def _row_fault(line: str) -> str:
    try:
        row = json.loads(line)
        intent = row["expect"]["intent"]
    except ValueError:
        return "is no JSON"
    except (KeyError, TypeError):
        return "has no expect.intent"
    return "" if intent in catalog().intents else f"expect.intent: no intent {intent!r}"


async def _examples(one: _Checked) -> list[str]:
    """Return the examples that are routed to another intent than their own."""
    settings, found = settings_now(), list[str]()
    async with started(settings) as services:
        for place, intent in enumerate(one.domain.declaration.intents):
            for language, texts in intent.examples.items():
                for number, text in enumerate(texts):
                    row = {"query": text, "locale": language, "context": {"user_type": "seller", "is_logged_in": True}}
                    route = await services.route(said_in(row, settings))
                    if route.intent != intent.id:
                        where = one.at("intents", place, "examples", language, number)
                        found.append(f"{where}: intent {intent.id}: {text!r} is routed to {route.intent}")
    return found
