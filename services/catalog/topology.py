"""The processes of hapju as data: which services and agents there are, where they listen and who calls whom.

``services.yaml`` beside this file declares the core's own, each domain its agents; addresses, Kubernetes names, callers
and the edges that a trace must show are derived here. It imports neither gRPC nor any service, so that a deployment's
tests can read it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services.plugin.declarations import Agent
from services.plugin.documents import parse_yaml
from services.plugin.installed import installed_domains, packaged_domains
from services.runtime.settings import SettingsError
from services.text.patterns import Pattern

__all__ = ["Process", "Topology", "TopologyError", "topology", "topology_from_yaml"]

DERIVED_PORTS: Final = range(20200, 20600)
"""Where the agents listen whose domain names no port."""

_NAME: Final = Pattern(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?")


class TopologyError(SettingsError):
    """The services table is malformed; the text names the entry and the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One service or agent, which is one process of its own when it is deployed."""

    name: str
    """The catalog name: ``router``, or domain and agent as in ``finance.macro``."""
    port: int
    """The default port of its gRPC server."""
    module: str
    """What ``python -m`` starts."""
    arguments: tuple[str, ...]
    """The arguments after the module; the agent's name for an agent."""
    calls: tuple[str, ...]
    """Catalog names of the processes that it calls, in order of the table."""
    is_agent: bool
    """Whether it is an agent."""

    @property
    def address_variable(self) -> str:
        """The setting with its address: ``HAPJU_FINANCE_MACRO_ADDR`` for ``finance.macro``."""
        return _variable(self.name)

    @property
    def kubernetes_name(self) -> str:
        """The name of its objects in a cluster, a DNS label: ``tool-gateway``, ``agent-finance-macro``."""
        label = self.name.replace(".", "-").replace("_", "-")
        return f"agent-{label}" if self.is_agent else label

    @property
    def command(self) -> tuple[str, ...]:
        """The command that starts it."""
        return ("python", "-m", self.module, *self.arguments)


@dataclass(frozen=True, slots=True)
class Topology:
    """All processes, by catalog name in the order of the table."""

    services: Mapping[str, Process]
    """The services that are no agents."""
    agents: Mapping[str, Process]
    """The agents, by port."""
    variables_idle: tuple[str, ...] = ()
    """The address variables of agents that are declared and not run: whoever sets one sets it for nothing."""

    @property
    def processes(self) -> Mapping[str, Process]:
        """Services, then agents."""
        return MappingProxyType({**self.services, **self.agents})

    @property
    def names(self) -> tuple[str, ...]:
        """Every catalog name, services first."""
        return tuple(self.processes)

    def process(self, name: str) -> Process:
        """Return the process of that catalog name.

        Raises:
            TopologyError: There is none; the text names those that there are.
        """
        found = self.services.get(name) or self.agents.get(name)
        if found is None:
            raise TopologyError(f"no service or agent is named {name!r}; known: {', '.join(self.processes)}")
        return found

    def port(self, name: str) -> int:
        """Return the default port of ``name``; raise TopologyError for an unknown one."""
        return self.process(name).port

    def calls(self, name: str) -> tuple[str, ...]:
        """Return the names that ``name`` calls; raise TopologyError for an unknown one."""
        return self.process(name).calls

    def address_variable(self, name: str) -> str:
        """Return the setting that holds the address of ``name``; raise TopologyError for an unknown one."""
        return self.process(name).address_variable

    def callers(self, name: str) -> tuple[str, ...]:
        """Return the names that call ``name``; raise TopologyError for an unknown one."""
        callee = self.process(name).name
        return tuple(caller.name for caller in self.processes.values() if callee in caller.calls)

    def edges(self) -> frozenset[tuple[str, str]]:
        """Return each pair of a caller and a callee."""
        return frozenset((caller.name, callee) for caller in self.processes.values() for callee in caller.calls)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    port: int = Field(ge=1024, le=65535)
    module: str = Field(pattern=r"^[a-z_]+(\.[a-z_]+)*$")
    calls: tuple[str, ...] = ()
    calls_agents: bool = False


class _EveryAgent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    module: str
    calls: tuple[str, ...]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    services: dict[str, _Entry]
    agent: _EveryAgent


@cache
def topology() -> Topology:
    """Return the topology of the core and of the domains that this deployment knows; it is read once."""
    text = files("services.catalog").joinpath("services.yaml").read_text(encoding="utf-8")
    agents = [agent for domain in packaged_domains() for agent in domain.declaration.agents]
    return topology_from_yaml(text, agents, {domain.name for domain in installed_domains()})


def topology_from_yaml(text: str, agents: Iterable[Agent], domains: Collection[str]) -> Topology:
    """Read a services table and join the agents to it.

    Args:
        text: The core's table.
        agents: The agents of every packaged domain: an agent's port does not depend on which domains are enabled.
        domains: The domains whose agents run.

    Raises:
        TopologyError: The text is no YAML, a field is missing, unknown or out of range, a name is malformed, a port is
            taken twice, or a process calls one that is not in the table or itself.
    """
    try:
        table = _Table.model_validate(parse_yaml(text))
    except (yaml.YAMLError, ValidationError) as error:
        raise TopologyError(f"services table: {error}") from error
    declared = {agent.id: agent for agent in agents}
    ports = _ports(table, [agent for agent in declared.values() if agent.served])
    running = {name: _agent(name, port, table.agent) for name, port in ports if declared[name].domain in domains}
    services = {name: _service(name, entry, tuple(running)) for name, entry in table.services.items()}
    idle = tuple(_variable(name) for name in declared if name not in running)
    made = Topology(MappingProxyType(services), MappingProxyType(running), idle)
    _check(made)
    return made


def _ports(table: _Table, agents: Iterable[Agent]) -> Iterator[tuple[str, int]]:
    """Yield each agent with its port, in the order of ports: its own, or the first free one, by name."""
    given = {agent.id: agent.port for agent in agents if agent.port is not None}
    taken = {entry.port for entry in table.services.values()} | set(given.values())
    free = (port for port in DERIVED_PORTS if port not in taken)
    derived = dict(zip(sorted(agent.id for agent in agents if agent.port is None), free, strict=False))
    yield from sorted({**given, **derived}.items(), key=lambda entry: entry[1])


def _variable(name: str) -> str:
    return f"HAPJU_{name.replace('.', '_').upper()}_ADDR"


def _service(name: str, entry: _Entry, agents: tuple[str, ...]) -> Process:
    calls = entry.calls + (agents if entry.calls_agents else ())
    return Process(name=name, port=entry.port, module=entry.module, arguments=(), calls=calls, is_agent=False)


def _agent(name: str, port: int, shared: _EveryAgent) -> Process:
    return Process(
        name=name,
        port=port,
        module=shared.module,
        arguments=(name,),
        calls=shared.calls,
        is_agent=True,
    )


def _check(made: Topology) -> None:
    owners: dict[int, str] = {}
    variables: dict[str, str] = {}
    for process in made.processes.values():
        if not _NAME.fullmatch(process.name) or process.is_agent != ("." in process.name):
            raise TopologyError(f"{process.name!r}: a service is a word, an agent is domain.agent, in lower case")
        if (other := owners.setdefault(process.port, process.name)) != process.name:
            raise TopologyError(f"{process.name}: port {process.port} is taken by {other}")
        if (other := variables.setdefault(process.address_variable, process.name)) != process.name:
            raise TopologyError(f"{process.name}: {process.address_variable} is taken by {other}")
        for callee in process.calls:
            if callee == process.name or callee not in made.processes:
                raise TopologyError(f"{process.name}: calls {callee!r}, which is no other service or agent")
