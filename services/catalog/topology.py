"""The processes of hapju as data: which services and agents there are, where they listen and who calls whom.

``services.yaml`` beside this file declares them once; addresses, Kubernetes names, callers and the edges that a trace
must show are derived here. It imports neither gRPC nor any service, so that a deployment's tests can read it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services.plugin.documents import parse_yaml

__all__ = ["Process", "Topology", "TopologyError", "topology", "topology_from_yaml"]

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?")


class TopologyError(ValueError):
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
        return f"HAPJU_{self.name.replace('.', '_').upper()}_ADDR"

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
    """The agents."""

    @property
    def processes(self) -> Mapping[str, Process]:
        """Services, then agents."""
        return MappingProxyType({**self.services, **self.agents})

    @property
    def names(self) -> tuple[str, ...]:
        """Every catalog name, services first."""
        return tuple(self.processes)

    def process(self, name: str) -> Process:
        """Returns the process of that catalog name.

        Raises:
            TopologyError: There is none; the text names those that there are.
        """
        found = self.services.get(name) or self.agents.get(name)
        if found is None:
            raise TopologyError(f"no service or agent is named {name!r}; known: {', '.join(self.processes)}")
        return found

    def port(self, name: str) -> int:
        """Returns the default port of ``name``; raises TopologyError for an unknown one."""
        return self.process(name).port

    def calls(self, name: str) -> tuple[str, ...]:
        """Returns the names that ``name`` calls; raises TopologyError for an unknown one."""
        return self.process(name).calls

    def address_variable(self, name: str) -> str:
        """Returns the setting that holds the address of ``name``; raises TopologyError for an unknown one."""
        return self.process(name).address_variable

    def callers(self, name: str) -> tuple[str, ...]:
        """Returns the names that call ``name``; raises TopologyError for an unknown one."""
        callee = self.process(name).name
        return tuple(caller.name for caller in self.processes.values() if callee in caller.calls)

    def edges(self) -> frozenset[tuple[str, str]]:
        """Returns each pair of a caller and a callee."""
        return frozenset((caller.name, callee) for caller in self.processes.values() for callee in caller.calls)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    port: int = Field(ge=1024, le=65535)
    module: str = Field(pattern=r"^[a-z_]+(\.[a-z_]+)*$")
    calls: tuple[str, ...] = ()
    calls_agents: bool = False


class _Agents(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    module: str
    calls: tuple[str, ...]
    ports: dict[str, int]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    services: dict[str, _Entry]
    agents: _Agents


@cache
def topology() -> Topology:
    """Returns the topology of the installed catalog; it is read once."""
    return topology_from_yaml(files("services.catalog").joinpath("services.yaml").read_text(encoding="utf-8"))


def topology_from_yaml(text: str) -> Topology:
    """Reads a services table.

    Raises:
        TopologyError: The text is no YAML, a field is missing, unknown or out of range, a name is malformed, a port is
            taken twice, or a process calls one that is not in the table or itself.
    """
    try:
        table = _Table.model_validate(parse_yaml(text))
    except (yaml.YAMLError, ValidationError) as error:
        raise TopologyError(f"services table: {error}") from error
    agents = {name: _agent(name, port, table.agents) for name, port in table.agents.ports.items()}
    services = {name: _service(name, entry, tuple(agents)) for name, entry in table.services.items()}
    made = Topology(services=MappingProxyType(services), agents=MappingProxyType(agents))
    _check(made)
    return made


def _service(name: str, entry: _Entry, agents: tuple[str, ...]) -> Process:
    calls = entry.calls + (agents if entry.calls_agents else ())
    return Process(name=name, port=entry.port, module=entry.module, arguments=(), calls=calls, is_agent=False)


def _agent(name: str, port: int, table: _Agents) -> Process:
    return Process(
        name=name,
        port=port,
        module=table.module,
        arguments=(name,),
        calls=table.calls,
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
