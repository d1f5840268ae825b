"""The table of processes: what follows from it, and what it refuses."""

import pytest
import yaml

from services.catalog.topology import DERIVED_PORTS, Topology, TopologyError, topology, topology_from_yaml
from services.plugin.declarations import Agent


def agent(name: str, port: int | None = None, *, served: bool = True) -> Agent:
    """Returns a domain's declaration of an agent."""
    said = {"ko": "가", "en": "a"}
    return Agent.model_validate(
        {"id": name, "title": said, "port": port, "answers": said, "declines": said, "served": served}
    )


AGENTS = [agent("a.d", 20101), agent("a.b_c", 20100), agent("a.later", served=False)]


def table(**changed: object) -> str:
    """Returns a small services table as YAML, with entries changed."""
    entries: dict[str, object] = {
        "services": {
            "orchestrator": {"port": 20051, "module": "services.orchestrator", "calls_agents": True},
            "tool_gateway": {"port": 20056, "module": "services.tool_gateway"},
        },
        "agent": {"module": "services.agents", "calls": ["tool_gateway"]},
    }
    return yaml.safe_dump({**entries, **changed})


@pytest.fixture
def small() -> Topology:
    """The topology of the small table."""
    return topology_from_yaml(table(), AGENTS, {"a"})


def test_names_and_commands_follow_from_the_catalog_name(small: Topology) -> None:
    """Variable, Kubernetes name and command of a service and of an agent are derived from its name."""
    agent, service = small.process("a.b_c"), small.process("tool_gateway")
    assert agent.address_variable == "HAPJU_A_B_C_ADDR"
    assert agent.kubernetes_name == "agent-a-b-c"
    assert agent.command == ("python", "-m", "services.agents", "a.b_c")
    assert service.address_variable == "HAPJU_TOOL_GATEWAY_ADDR"
    assert service.kubernetes_name == "tool-gateway"
    assert service.command == ("python", "-m", "services.tool_gateway")


def test_callers_are_the_calls_read_backwards(small: Topology) -> None:
    """Whom agents call and who calls them follow from one list, by either side."""
    assert small.calls("orchestrator") == ("a.b_c", "a.d")
    assert small.callers("a.d") == ("orchestrator",)
    assert small.callers("tool_gateway") == ("a.b_c", "a.d")
    assert len(small.edges()) == 4
    assert small.names == ("orchestrator", "tool_gateway", "a.b_c", "a.d")
    assert (small.port("a.d"), small.address_variable("a.d")) == (20101, "HAPJU_A_D_ADDR")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    """Asking for a process that is none names those that there are."""
    with pytest.raises(TopologyError, match=r"'rooter'.*router"):
        topology().port("rooter")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"services": {"x": {"port": 20051, "module": "x", "calls": ["y"]}}}, "x: calls 'y'"),
        ({"services": {"x": {"port": 20051, "module": "x", "calls": ["x"]}}}, "x: calls 'x'"),
        ({"services": {"tool_gateway": {"port": 20100, "module": "x"}}}, "port 20100 is taken by tool_gateway"),
        ({"services": {"tool_gateway": {"port": 80, "module": "x"}}}, "port"),
        ({"services": {"tool_gateway": {"port": 20051, "module": "x", "call": []}}}, "call"),
        ({"services": {"Tool": {"port": 20051, "module": "x"}}}, "'Tool'"),
        ({"agent": {"module": "x", "calls": ["nobody"]}}, "calls 'nobody'"),
        ({"agent": None}, "agent"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(changed: dict[str, object], message: str) -> None:
    """A wrong name, port, call or field is an error that names it."""
    with pytest.raises(TopologyError, match=message):
        topology_from_yaml(table(**changed), AGENTS, {"a"})


def test_text_that_is_no_yaml_is_refused() -> None:
    """A broken file is an error of the table, not of the parser."""
    with pytest.raises(TopologyError, match="services table"):
        topology_from_yaml("services: [", [], set())


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        ([agent("a.b", 20100), agent("a.c", 20100)], r"a\.c: port 20100 is taken by a\.b"),
        ([agent("a.b", 20051)], r"port 20051 is taken by orchestrator"),
        ([agent("a.b_c"), agent("a_b.c")], "HAPJU_A_B_C_ADDR"),
    ],
)
def test_agents_that_stand_in_each_others_way_are_refused(agents: list[Agent], message: str) -> None:
    """Two domains' agents never share a port or a variable without an error that names them."""
    with pytest.raises(TopologyError, match=message):
        topology_from_yaml(table(), agents, {"a", "a_b"})


def test_an_agent_without_a_port_is_given_a_free_one() -> None:
    """Ports are found in the order of names, past those that are taken, and do not depend on which domains run."""
    agents = [agent("b.z"), agent("a.x"), agent("c.y", DERIVED_PORTS[0])]
    whole = topology_from_yaml(table(), agents, {"a", "b", "c"})
    assert {name: one.port for name, one in whole.agents.items()} == {"c.y": 20200, "a.x": 20201, "b.z": 20202}
    part = topology_from_yaml(table(), agents, {"b"})
    assert {name: one.port for name, one in part.agents.items()} == {"b.z": 20202}


def test_addresses_of_agents_that_do_not_run_are_let_be(small: Topology) -> None:
    """A deployment may set the address of an agent that is only declared, or whose domain is not enabled."""
    assert small.variables_idle == ("HAPJU_A_LATER_ADDR",)
    assert topology_from_yaml(table(), AGENTS, set()).variables_idle == tuple(
        f"HAPJU_A_{name}_ADDR" for name in ("D", "B_C", "LATER")
    )


def test_the_orchestrator_reaches_every_agent_and_agents_reach_data_alone() -> None:
    """The flow's path of the specification: orchestrator, agents, tool gateway; nobody calls the gateway."""
    catalog = topology()
    assert set(catalog.agents) <= set(catalog.calls("orchestrator"))
    assert {("tool_gateway",)} == {catalog.calls(agent) for agent in catalog.agents}
    assert catalog.callers("gateway") == ()
