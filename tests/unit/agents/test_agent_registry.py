"""The definitions of agents, and that catalog, topology, tools and folders say the same."""

import subprocess
import sys

import pytest

from services.agents.registry import SpecError, full_name, load_specs, spec_of
from services.catalog.loader import catalog
from services.catalog.topology import topology
from services.tool_gateway.registry import load_registry

SPECS = load_specs()


def test_agents_are_those_of_catalog_and_topology() -> None:
    """An agent is served where it has a definition, a process and the catalog's word for it: the three must agree."""
    served = {name for name, agent in catalog().agents.items() if agent.served}
    assert set(SPECS) == served == set(topology().agents)


@pytest.mark.parametrize("name", SPECS)
def test_a_definition_says_what_the_catalog_says(name) -> None:
    """What an agent calls must stand in the catalog: the planner binds it there."""
    spec, entry = SPECS[name], catalog().agent(name)
    assert spec.tools == tuple(dict.fromkeys(binding.name for binding in entry.tools))


@pytest.mark.parametrize("name", SPECS)
def test_sources_read_what_the_tools_return(name) -> None:
    """Each source must name a real tool, its data type and schema, an argument that it has, and fields of its rows."""
    tools = load_registry()
    for source in SPECS[name].sources:
        tool = tools.get(source.tool)
        assert tool is not None
        assert (source.data_type, source.rows_schema_id) == (tool.data_type, tool.rows_schema_id)
        arguments = {*source.identifiers, *(argument for argument, _ in source.limits)}
        assert arguments <= set(tool.arguments.model_fields)
        own = set(source.row.model_json_schema(mode="validation")["properties"]) - {"document"}
        assert own <= set(tool.row.model_fields)


@pytest.mark.parametrize("name", SPECS)
def test_a_definition_is_found_by_its_name(name) -> None:
    """An agent's process finds its definition by its catalog name, and by its last part where that is unique."""
    assert spec_of(name) is SPECS[name]
    assert full_name(name.rpartition(".")[2], SPECS) == full_name(name, SPECS) == name


@pytest.mark.parametrize("name", SPECS)
def test_texts_without_rows_hold_no_number(name) -> None:
    """What an agent says where it found nothing must not hold a digit, in either language."""
    spec = SPECS[name]
    for text in (spec.covers, spec.short, spec.reading, spec.computing):
        assert [mark for mark in text.ko + text.en if mark.isdigit()] == []
        assert text.ko.strip()
        assert text.en.strip()


def test_a_digest_tells_definitions_apart() -> None:
    """Each definition has a digest of its own, 12 hexadecimal digits, the same each time."""
    digests = {spec.digest for spec in SPECS.values()}
    assert len(digests) == len(SPECS)
    assert {len(digest) for digest in digests} == {12}


@pytest.mark.parametrize("name", ["finance.nobody", "nobody", "finance", "finance.series", "finance.macro.more", ""])
def test_an_unknown_agent_is_refused_with_the_known(name) -> None:
    """A name without a definition must be an error that names those that there are."""
    with pytest.raises(SpecError, match=r"known: .*finance\.equity"):
        spec_of(name)


def test_a_short_name_of_two_agents_is_refused() -> None:
    """A short name that two agents share must be an error that names both."""
    with pytest.raises(SpecError, match=r"finance\.search or realty\.search"):
        full_name("search", ["finance.search", "realty.search"])


@pytest.mark.parametrize("arguments", [["nobody"], [], ["finance.equity", "finance.macro"]])
def test_the_command_refuses_what_names_no_agent(arguments) -> None:
    """Without the name of one agent the command must exit with 2 and name the known ones."""
    ended = subprocess.run(
        [sys.executable, "-m", "services.agents", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 2
    assert "finance.equity" in ended.stderr
    assert "Traceback" not in ended.stderr
