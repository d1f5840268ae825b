"""The catalog, the chart and the compose file name the same processes, ports, variables and calls."""

import helm_python

from services.catalog.topology import Process, topology
from services.runtime.environment import load
from services.runtime.settings import Settings
from tests.deploy.manifests import Object, Render, compose_processes, environment_of, kind_of
from tests.deploy.writing import PARTS, ROOT, written

GIVEN_KEY = "k" * 32
CATALOG = topology()
DEPLOYED_AS = {process.kubernetes_name: process for process in CATALOG.processes.values()}


def compose_settings(entry: Object) -> Settings:
    """Returns the settings that a process of the compose file reads."""
    variables = {name: str(value or "") for name, value in entry["environment"].items()}
    return load(CATALOG, {**variables, "HAPJU_CALLER_KEY": GIVEN_KEY})


def chart_settings(deployment: Object) -> Settings:
    """Returns the settings that a container of the chart reads, secrets being given."""
    variables = environment_of(deployment["spec"]["template"]["spec"]["containers"][0])
    return load(CATALOG, {name: value if isinstance(value, str) else GIVEN_KEY for name, value in variables.items()})


def deployments(render: Render) -> dict[str, Object]:
    """Returns the chart's deployments by the name of the process's objects, without the system's prefix."""
    return {name.removeprefix("hapju-"): one for name, one in kind_of(render(), "Deployment").items()}


def arguments(process: Process) -> list[str]:
    """Returns what stands after `python -m`."""
    return [process.module, *process.arguments]


def test_all_three_name_the_same_processes(render: Render, compose: Object) -> None:
    """No service or agent is missing in one of the three, and none is there too many."""
    assert set(DEPLOYED_AS) == set(deployments(render))
    assert set(DEPLOYED_AS) == set(compose_processes(compose))


def test_the_chart_states_the_catalog(chart: helm_python.Chart) -> None:
    """Ports, modules and calls of the chart's values are those of the catalog, entry by entry."""
    values = chart.values
    stated = {
        name: (
            entry["port"],
            entry["module"],
            tuple(entry.get("calls", ())) + (tuple(CATALOG.agents) if entry.get("callsAgents") else ()),
        )
        for name, entry in values["services"].items()
    }
    agents = {
        name: (entry["port"], values["agentDefaults"]["module"], tuple(values["agentDefaults"]["calls"]))
        for name, entry in values["agents"].items()
    }
    expected = {name: (process.port, process.module, process.calls) for name, process in CATALOG.processes.items()}
    assert expected == {**stated, **agents}


def test_each_process_starts_the_same_command(render: Render, compose: Object) -> None:
    """The module and its arguments are the catalog's, in a pod and in a container."""
    expected = {name: arguments(process) for name, process in DEPLOYED_AS.items()}
    in_chart = {
        name: one["spec"]["template"]["spec"]["containers"][0]["args"] for name, one in deployments(render).items()
    }
    in_compose = {name: entry["command"] for name, entry in compose_processes(compose).items()}
    assert expected == in_chart
    assert expected == in_compose


def test_each_process_listens_where_the_catalog_says(render: Render, compose: Object) -> None:
    """The address is open to the pod's network, at the catalog's port, and the service's port is that one."""
    expected = {name: f"0.0.0.0:{process.port}" for name, process in DEPLOYED_AS.items()}
    in_chart = {name: chart_settings(one).listen for name, one in deployments(render).items()}
    in_compose = {name: compose_settings(entry).listen for name, entry in compose_processes(compose).items()}
    assert expected == in_chart
    assert expected == in_compose
    services = {name: one for name, one in kind_of(render(), "Service").items() if not name.endswith("-http")}
    ports = {name.removeprefix("hapju-"): one["spec"]["ports"][0]["port"] for name, one in services.items()}
    assert {name: process.port for name, process in DEPLOYED_AS.items()} == ports


def test_settings_take_each_process_as_it_is_deployed(render: Render, compose: Object) -> None:
    """The runtime knows each variable that is set, and finds nothing that would leave a process open."""
    found = [chart_settings(one) for one in deployments(render).values()]
    found += [compose_settings(entry) for entry in compose_processes(compose).values()]
    for settings in found:
        settings.check(settings.listen)
    assert {"jwt"} == {settings.auth_mode for settings in found}


def test_each_caller_is_given_the_address_of_each_callee(render: Render, compose: Object) -> None:
    """In the chart exactly the callees, in compose at least; by names and ports under which they listen."""
    for name, one in deployments(render).items():
        expected = {
            callee: f"dns:///hapju-{process.kubernetes_name}.space.svc.cluster.local:{process.port}"
            for callee in DEPLOYED_AS[name].calls
            if (process := CATALOG.process(callee))
        }
        assert expected == dict(chart_settings(one).addresses), name
    for name, entry in compose_processes(compose).items():
        called = {callee: CATALOG.process(callee) for callee in DEPLOYED_AS[name].calls}
        expected = {callee: f"dns:///{process.kubernetes_name}:{process.port}" for callee, process in called.items()}
        assert expected.items() <= compose_settings(entry).addresses.items(), name


def test_network_policies_let_the_calls_through_and_no_other(render: Render) -> None:
    """Both ends of each call of the catalog are open, and no other path between two processes is."""
    policies = kind_of(render(), "NetworkPolicy")
    into, out = set(), set()
    for name, policy in policies.items():
        own = DEPLOYED_AS[name.removeprefix("hapju-")].name
        for rule in policy["spec"]["ingress"]:
            into |= {(caller, own) for caller in peers(rule.get("from", []))}
        for rule in policy["spec"]["egress"]:
            out |= {(own, callee) for callee in peers(rule.get("to", []))}
    assert CATALOG.edges() == into
    assert CATALOG.edges() == out
    assert all(policy["spec"]["policyTypes"] == ["Ingress", "Egress"] for policy in policies.values())


def peers(entries: list[Object]) -> set[str]:
    """Returns the catalog names of the processes that a rule names."""
    labels = (entry.get("podSelector", {}).get("matchLabels", {}) for entry in entries)
    return {DEPLOYED_AS[name].name for found in labels if (name := found.get("app.kubernetes.io/name"))}


def test_the_files_hold_the_agents_as_make_agents_writes_them() -> None:
    """Who declares an agent runs one command; nobody mends the chart and three parts of Compose by hand."""
    for name, part, line in PARTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert written(text, part, line) == text, f"{name}: run make agents"
