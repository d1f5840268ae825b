"""How many lines the product has: what was there at the commit that the house is measured from, and what came since.

A room counts as there when its subject was, wherever it has moved since and however it has grown. What came is told by
its subject below; `tests/unit/bench` sees that each of its patterns still names a file.
"""

from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from tests.bench.report import Note, Report, Result

SINCE: Final = "9f9dc8f"
"""The commit that the house is measured from: 69,453 lines then, 4,059 of them the domains' tables and samples."""
LINES_MAX: Final = 60_000
"""How many lines what was there then may take, without the domains' tables and samples."""
FOLDERS: Final = ("services", "gateway", "observability", "prompts")
"""What is product Python; the stubs are generated, and what measures and trains stands in tests."""
GENERATED: Final = " by protos/generate.py: "
"""What the first lines of a generated file say: the contract's dataclasses, which stand among what is written."""
_HEAD_CHARACTERS: Final = 600
DATA: Final = ("services/domains/*/data/*", "services/tool_gateway/data/sample/*")
"""The domains' tables and samples, which do not count."""
CAME: Final[Mapping[str, tuple[str, ...]]] = {
    "answers by typed asks": (
        "services/domains/*/asks/*",
        "services/domains/*/datasets.py",
        "services/domains/realty/brackets.py",
        "services/domains/realty/equations.py",
        "services/domains/realty/calculators.py",
        "services/domains/realty/agreements/defects.py",
        "services/domains/realty/agreements/facets.py",
        "services/domains/realty/agreements/passages.py",
        "services/domains/realty/agreements/sections.py",
        "services/domains/realty/agreements/terms.py",
        "services/domains/realty/agreements/clause_model.py",
        "services/domains/general/everyday.py",
        "services/plugin/asks/*",
        "services/plugin/data/columns.py",
        "services/plugin/data/dataset.py",
        "services/catalog/asks.py",
        "services/catalog/columns.py",
        "services/catalog/division.py",
        "services/catalog/leaning.py",
        "services/router/ask_reading.py",
        "services/router/completing.py",
        "services/router/replacing.py",
        "services/router/restating.py",
        "services/router/route_asks.py",
        "services/router/unread.py",
        "services/planner/asked.py",
        "services/agents/answering.py",
        "services/synthesizer/by_asks.py",
        "services/synthesizer/unread.py",
        "services/orchestrator/acts/told.py",
        "services/text/likeness.py",
        "services/text/meaning.py",
        "services/text/ko/romanised.py",
        "services/tool_gateway/query/*",
        "prompts/router/question_asks.py",
    ),
    "agents": (
        "services/domains/commerce/agents/a[cf]*.py",
        "services/domains/commerce/agents/guided.py",
        "services/domains/commerce/agents/listing_assistant.py",
        "services/domains/commerce/agents/order_flow.py",
        "services/domains/commerce/agents/pric*.py",
        "services/domains/commerce/agents/product_efficiency.py",
        "services/domains/commerce/agents/re*.py",
        "services/domains/commerce/agents/seller_analytics.py",
    ),
    "acts on a word given later": (
        "services/orchestrator/acts/approving.py",
        "services/orchestrator/acts/word.py",
        "services/domains/commerce/actions/refusals.py",
        "services/domains/commerce/actions/wording.py",
    ),
    "edges: HTTP, console, A2A, MCP, files, client": (
        "gateway/http/*",
        "gateway/a2a/*",
        "gateway/mcp/*",
        "gateway/files/*",
        "gateway/documents.py",
        "services/tool_gateway/a2a/*",
        "services/tool_gateway/mcp/*",
        "services/tool_gateway/mounting.py",
        "services/plugin/tools/foreign.py",
        "services/plugin/tools/mounted.py",
        "services/plugin/tools/servers.py",
        "services/plugin/documents.py",
        "services/orchestrator/flow/attached.py",
        "services/public/*",
    ),
    "commands": (
        "services/cli/deployment/backup.py",
        "services/cli/deployment/copies.py",
        "services/cli/deployment/databases.py",
        "services/cli/deployment/keys.py",
        "services/cli/deployment/mcp.py",
        "services/cli/deployment/migrate.py",
        "services/cli/deployment/stdio.py",
        "services/cli/domains/*",
        "services/cli/ask/drawing.py",
        "services/cli/evaluation/answers/*",
        "services/cli/evaluation/text_rows.py",
        "services/image.py",
    ),
    "tenants, keys, load and encryption": (
        "gateway/door.py",
        "gateway/hearing.py",
        "gateway/keys.py",
        "gateway/pace.py",
        "services/durable/overseeing.py",
        "services/durable/quotas.py",
        "services/orchestrator/flow/models_away.py",
        "services/runtime/garbage.py",
        "services/runtime/local.py",
        "services/runtime/reaching/reach.py",
        "services/runtime/reaching/unsent.py",
        "services/runtime/tenants.py",
        "services/runtime/transport.py",
        "services/llm/circuits.py",
        "services/policy/likeness.py",
    ),
}
"""What came since, by its subject, as patterns of files; `*` stands for folders too."""
_ROOT: Final = Path(__file__).parents[2]


def measure(rounds: int, note: Note) -> Report:
    """Returns how many lines each folder takes in what was there, and what came takes by subject.

    Args:
        rounds: Not used: lines do not vary.
        note: Not used: nothing takes long.
    """
    del rounds, note
    kept, came = counted()
    total = Result("what was there", "lines", sum(kept.values()), LINES_MAX)
    results = (total, *(Result(folder, "lines", count, None) for folder, count in sorted(kept.items())))
    added = (Result(f"since then: {subject}", "lines", count, None) for subject, count in came.items())
    return Report((*results, *added), floor="what it is to keep below")


def counted() -> tuple[Counter[str], Counter[str]]:
    """Returns the lines of what was there, by folder, and of what came, by subject."""
    kept: Counter[str] = Counter()
    came: Counter[str] = Counter()
    for file, name in product_files():
        lines = file.read_text(encoding="utf-8").count("\n")
        subject = subject_of(name)
        if subject:
            came[subject] += lines
        elif not _is_one_of(name, DATA):
            kept[_folder_of(name)] += lines
    return kept, came


def _folder_of(name: str) -> str:
    depth = 1 if not name.startswith("services/") else 3 if name.startswith("services/domains/") else 2
    return "/".join(name.split("/")[:-1][:depth])


def product_files() -> list[tuple[Path, str]]:
    """Returns the product's Python files, each with its name from the top."""
    found = (file for folder in FOLDERS for file in sorted((_ROOT / folder).rglob("*.py")))
    return [(file, file.relative_to(_ROOT).as_posix()) for file in found if not is_generated(file)]


def is_generated(file: Path) -> bool:
    """Tell whether nobody writes or reads a file."""
    return GENERATED in file.read_text(encoding="utf-8")[:_HEAD_CHARACTERS]


def subject_of(name: str) -> str:
    """Returns what came since that a file belongs to; empty for what was there."""
    return next((subject for subject, patterns in CAME.items() if _is_one_of(name, patterns)), "")


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
