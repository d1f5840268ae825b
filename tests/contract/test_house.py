"""The house stays easy to find a way in: how wide its folders are, who imports whom, which names stand for one thing.

What is looked at is every module of the product: services, gateway, observability and prompts, read as text.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.xdist_group("house")
"""One worker parses the product once."""

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("services", "gateway", "observability", "prompts")

MODULES_MAX: Final = 25
"""How many modules stand side by side in one folder, beside its __init__.py."""
DECISION_LINES_MAX: Final = 150
"""How long the decisions of one folder may be."""
LETTERS_MIN: Final = 4
"""A shorter word has no ending to take away."""
ERRORS: Final = (
    "Cancelled DeadlineExceeded Forbidden Internal InvalidRequest LimitExceeded NotFound Unauthenticated Unavailable"
)
SHARED_NAMES: Final[dict[str, tuple[str, ...]]] = {
    # What a prompt takes and gives bears the same name in each.
    "Inputs": ("prompts.",),
    "Output": ("prompts.",),
    # The schema that a model is sent bears these, as do the contract's own.
    **dict.fromkeys(("Alternative", "Strategy", "Verdict"), ("prompts.",)),
    # A client catches an error by the name that it has on the wire.
    **dict.fromkeys(ERRORS.split(), ("services.public.hapju.client.errors",)),
}
"""Names that more than one class bears, with the modules where that is meant."""


@cache
def modules() -> dict[str, ast.Module]:
    """Returns the product's modules by their dotted names, parsed."""
    files = (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")))
    return {dotted(file.relative_to(ROOT)): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def dotted(file: Path) -> str:
    """Returns a file's name as it is imported."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def imported(module: ast.Module) -> Iterator[str]:
    """Yields the product's modules that a module imports, wherever in it that stands."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from (name for name in ((inner,) if inner in modules() else (node.module,)) if name in modules())


def test_no_folder_holds_more_modules_than_a_reader_takes_in() -> None:
    """A folder that has grown over its limit is divided by subject."""
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py") if file.stem != "__init__")
    counted = Counter(str(file.parent.relative_to(ROOT)) for file in files)
    assert {folder: count for folder, count in counted.items() if count > MODULES_MAX} == {}


def test_no_module_imports_itself_round_a_circle() -> None:
    """Imports have an order, those for types and those inside functions too: what is below can be read without it."""
    order = TopologicalSorter({name: set(imported(module)) - {name} for name, module in modules().items()})
    order.prepare()


def classes() -> Iterator[tuple[str, str]]:
    """Yields each public class as its name and its module."""
    for name, module in modules().items():
        yield from ((node.name, name) for node in module.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")


def test_no_two_public_classes_bear_one_name() -> None:
    """One word for one thing: who reads a name knows which class it is, wherever it stands."""
    borne: dict[str, list[str]] = defaultdict(list)
    for name, module in classes():
        if not module.startswith(SHARED_NAMES.get(name, ())):
            borne[name].append(module)
    assert {name: places for name, places in borne.items() if len(places) > 1} == {}


def files() -> dict[str, list[str]]:
    """Returns the names of the modules of each folder, without their ending."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if not file.stem.startswith("__"):
                found[str(file.parent.relative_to(ROOT))].append(file.stem)
    return found


def is_other_with_ending(name: str, other: str) -> bool:
    """Returns whether a name is another one with something behind it: seed and seeding, market and market_part."""
    return name != other and (name.startswith(f"{other}_") or root_of(name) == root_of(other))


def root_of(name: str) -> str:
    """Returns a word without its ending."""
    return re.sub(r"(ings?|ed|ers?|ors?|ions?|ment|s|d|r|e|y|ly|en|n)$", "", name) if len(name) > LETTERS_MIN else name


def test_no_file_is_named_as_its_neighbour_with_an_ending() -> None:
    """A reader tells two files of one folder apart by what they are called, not by how the word ends."""
    near = [
        f"{folder}: {other}, {name}"
        for folder, names in files().items()
        for name, other in permutations(names, 2)
        if is_other_with_ending(name, other) and (name.startswith(f"{other}_") or name > other)
    ]
    assert near == []


def test_decisions_are_numbered_dated_and_short() -> None:
    """Who looks for why finds it in one page a folder: each decision with its number, its day and whether it holds."""
    faults = []
    pages = (page for folder in (*FOLDERS, "helm", "protos") for page in sorted((ROOT / folder).rglob("DECISIONS.md")))
    for page in pages:
        place, text = page.relative_to(ROOT), page.read_text(encoding="utf-8")
        numbers = [int(number) for number in re.findall(r"^\*\*(\d+)\. ", text, re.MULTILINE)]
        if (lines := text.count("\n")) > DECISION_LINES_MAX:
            faults.append(f"{place}: {lines} lines")
        if numbers != list(range(1, len(numbers) + 1)) or not numbers:
            faults.append(f"{place}: numbered {numbers}")
        if len(re.findall(r"\(\d{4}-\d\d-\d\d,\s(?:in\sforce|replaced\sby|dropped)", text)) != len(numbers):
            faults.append(f"{place}: a decision without its day or status")
    assert faults == []
