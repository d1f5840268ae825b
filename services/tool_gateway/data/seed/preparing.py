"""The child of a seed that generates rows into a folder and loads none.

    python -m services.tool_gateway.data.seed.preparing FOLDER < request.json

It says with which request the load goes on: one that names the folder, or, where there is nothing to generate, one that
does not. It also is who refuses a request that cannot be carried out. What it holds in memory, numpy with it, is gone
before the index is made (`indexing`) and the database is written (`seed`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from services.plugin.installed import installed_domains
from services.tool_gateway.data.graph.engines import check_graph_url, default_graph_url
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.sample.build import datasets_of, generated_blocks
from services.tool_gateway.data.seed.connection import seeding_engine, wait_for_turn
from services.tool_gateway.data.seed.messages import SeedRequest, not_installed
from services.tool_gateway.data.seed.parcels import Plan, Preparation
from services.tool_gateway.data.seed.plan import Stale, is_migrated, report_before


def main() -> None:
    """Read a request from standard input, generate, and write the request that is to be loaded."""
    request = SeedRequest.model_validate_json(sys.stdin.read())
    said: dict[str, Any]
    try:
        said = {"request": prepared(request, Path(sys.argv[1])).model_dump(mode="json")}
    except ValueError as error:
        said = {"refused": str(error)}
    except ModuleNotFoundError as missing:
        sys.exit(not_installed(missing))
    sys.stdout.write(json.dumps(said, ensure_ascii=False) + "\n")


def prepared(request: SeedRequest, folder: Path) -> SeedRequest:
    """Generate what the request wants and the database lacks; return the request to go on with.

    Raises:
        ValueError: The request names a database, a graph or a domain that is none.
    """
    checked = _checked(request)
    stale = _stale(checked)
    if not stale.domains:
        return checked
    left_out: list[str] = []
    plan = Plan(stale.domains, stale.as_of, datasets_of(stale.domains))
    Preparation(folder).write(plan, generated_blocks(plan.domains, plan.as_of, left_out.append), left_out)
    return checked.model_copy(update={"prepared": str(folder)})


def _checked(request: SeedRequest) -> SeedRequest:
    Reader.open(request.url)  # refuses an unusable URL here, with its own text, and connects to nothing
    graph = request.graph_url or default_graph_url(request.url)
    if graph:
        check_graph_url(graph)
    known = [one.name for one in installed_domains()]
    if request.domain and request.domain not in known:
        raise ValueError(f"no domain is named {request.domain!r}; installed are {', '.join(sorted(known))}")
    return request.model_copy(update={"graph_url": graph})


def _stale(request: SeedRequest) -> Stale:
    """Return what is to be generated; whoever loads decides anew, when the turn to write is his."""
    engine = seeding_engine(request.url)
    try:
        with engine.begin() as connection:
            wait_for_turn(connection)
            return Stale.of(request, report_before(connection) if is_migrated(connection) else None)
    finally:
        engine.dispose()


if __name__ == "__main__":
    main()
