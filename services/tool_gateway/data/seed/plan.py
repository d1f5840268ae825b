"""What a seed is to load: which domains, up to when, given what the database holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from services.plugin.data.sample import GENERATOR_VERSION, naive_utc
from services.plugin.installed import installed_domains, is_own, packaged_domains
from services.tool_gateway.data.graph.loading import is_present
from services.tool_gateway.data.sample.build import with_required
from services.tool_gateway.data.schema import SEED_STATE, newest_revisions
from services.tool_gateway.data.seed.messages import SeedReport, SeedRequest

_REVISIONS = sa.table("alembic_version", sa.column("version_num"))


def loaded_domains(report: SeedReport) -> dict[str, datetime]:
    """Return the moment of each loaded domain; an earlier version has loaded all of hapju's own at one."""
    return report.domains or {one.name: report.as_of for one in packaged_domains() if is_own(one)}


def report_before(connection: Connection) -> SeedReport | None:
    """Return the report of the seed that the database holds, if this version's generators made it."""
    state = connection.execute(sa.select(SEED_STATE)).mappings().first()
    if state is None or state["generator_version"] != GENERATOR_VERSION:
        return None
    report = SeedReport.model_validate_json(state["report"])
    return report.model_copy(update={"loaded": False, "domains": loaded_domains(report)})


def is_migrated(connection: Connection) -> bool:
    """Return whether the database has this version's schema, as far as it says."""
    present = set(sa.inspect(connection).get_table_names())
    if not {SEED_STATE.name, _REVISIONS.name} <= present:
        return False
    return newest_revisions() <= set(connection.scalars(sa.select(_REVISIONS.c.version_num)))


@dataclass(frozen=True)
class Stale:
    """What is to be loaded."""

    before: SeedReport | None
    """What is there and can stay beside it."""
    domains: frozenset[str]
    """The domains to be loaded: what is asked for and not there, and what stands on that; empty where all is there."""
    as_of: datetime
    """The moment of their rows: where any date is as good, that of what is there and stays."""

    @classmethod
    def of(cls, request: SeedRequest, before: SeedReport | None) -> Stale:
        """Return what a request wants of a database that holds what a report says."""
        domains = _stale_domains(request, before)
        if domains and before is not None and not all(one.domain for one in before.datasets):
            # An earlier version has not said what belongs to whom: all of it is loaded anew.
            domains |= set(before.domains) & {one.name for one in installed_domains()}
            before = None
        return cls(before, domains, _moment(request, before, domains))


def _stale_domains(request: SeedRequest, before: SeedReport | None) -> frozenset[str]:
    installed = {one.name: one for one in installed_domains()}
    wanted = with_required([request.domain] if request.domain else installed)
    loaded = {} if before is None else before.domains
    graph = {name for name, one in installed.items() if one.module("graph") is not None}
    stale = {name for name in wanted if request.force or not _is_there(loaded.get(name), request)}
    if request.graph_url and not is_present(request.graph_url):
        stale |= graph & wanted
    while True:
        # Rows of others name those that are loaded anew; and a graph is written whole.
        more = {name for name in loaded if name in installed and set(installed[name].declaration.requires) & stale}
        more |= graph & set(loaded) if graph & stale else set()
        if more <= stale:
            return frozenset(stale)
        stale |= more


def _moment(request: SeedRequest, before: SeedReport | None, domains: frozenset[str]) -> datetime:
    there = {} if before is None else before.domains
    moments = [moment for name, moment in there.items() if name not in domains]
    return min(moments, default=request.as_of) if request.any_date else request.as_of


def _is_there(loaded: datetime | None, request: SeedRequest) -> bool:
    return loaded is not None and (request.any_date or naive_utc(loaded).date() == naive_utc(request.as_of).date())
