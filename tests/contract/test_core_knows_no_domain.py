"""The core knows no domain: nothing outside the domains' packages and prompts names what belongs to one of them.

What belongs to a domain is collected from the installed ones: intents, agents, tools, entity kinds, tables, and the
words that they own. The core is every module and data file of services (but services/domains), gateway, observability
and prompts. A docstring may tell an example; a string that the code uses may not.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import yaml

from services.catalog.loader import catalog
from services.plugin.installed import installed_domains
from services.tool_gateway.data.schema import TABLES
from services.tool_gateway.registry import load_registry
from tests.bench.lines import is_generated

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("services", "gateway", "observability", "prompts")
DOMAINS: Final = ROOT / "services" / "domains"
SUFFIXES: Final = frozenset({".py", ".yaml", ".txt", ".tsv", ".md", ".sql", ".cypher"})
NOTES: Final = frozenset({"README.md", "DECISIONS.md"})
"""Notes for people, who may be told an example."""
LOCK: Final = "requirements"
"""How the names of the lists of packages begin; their digests are letters by chance."""

CORE_TOOLS: Final = frozenset({"web_search"})
"""Tools that belong to no domain."""
CORE_INTENTS: Final = frozenset[str]()
SHARED: Final[dict[str, tuple[str, ...]]] = {
    # What programs and deployments are made of.
    "case item items lease properties property router tenant tenants": FOLDERS,
    # Contracts between services; what stands beside a source.
    "contract": FOLDERS,
    "supplement": ("services/plugin",),
    # Units of money and measure are the language's.
    "currency yen 그램 달러 포인트": (
        "services/text",
        "services/plugin/asks",
        "services/grounding",
        "services/cli",
    ),
    # What neither rises nor falls; a price before which another word says whose it is.
    "flat": ("services/plugin",),
    "stock": ("services/grounding",),
    # What people live in, carry and are watched with, whatever a deployment answers about; a log is watched too.
    "camera home microphone monitor phone 카메라 핸드폰 휴대폰": ("services/policy", "prompts/policy"),
    "watch": ("services/policy", "observability"),
}
"""Words that a domain owns where it is asked, and that the core says of other things, with the places that may."""
LETTERS_MIN: Final = 2
"""A Hangul word of one syllable is a part of too many others."""
OWN_DOMAIN: Final = "services/cli/domains/template/"
"""The domain that is made to begin with: what it holds is that domain's."""


@dataclass(frozen=True)
class Names:
    """What belongs to the domains."""

    marked: frozenset[str]
    """Names that no sentence holds by chance: they bear a dot, an underscore or capitals."""
    plain: frozenset[str]
    """Names that are words of English too: they count where they stand alone."""
    nouns: frozenset[str] = frozenset()
    """Words of either language that one domain owns."""


@cache
def names() -> Names:
    """Collects what belongs to the installed domains."""
    read = catalog()
    tools = {tool.name for tool in load_registry() if tool.domain} - CORE_TOOLS
    tables = {table.name for tables in TABLES.values() for table in tables}
    named = {*read.intents, *read.agents, *tools, *tables} - CORE_INTENTS
    marked = {name for name in named if not re.fullmatch(r"[a-z]+", name)}
    return Names(frozenset(marked), frozenset(named - marked))


@cache
def words() -> Names:
    """Collects the entity kinds and the words of the installed domains."""
    return Names(frozenset(), frozenset(kinds()), frozenset(nouns()))


@cache
def shared_at(place: str) -> frozenset[str]:
    """Collects the words of domains that a place of the core may say of other things."""
    return frozenset(word for said, places in SHARED.items() if place.startswith(places) for word in said.split())


def words_beside(place: str) -> Names:
    """Returns what belongs to the domains but for what a place may say of other things."""
    return Names(frozenset(), words().plain, words().nouns - shared_at(place))


def kinds() -> Iterator[str]:
    """Yields the ids of the domains' entity kinds."""
    for domain in installed_domains():
        module = domain.module("entities")
        yield from (kind.id for kind in getattr(module, "KINDS", ()))


def nouns() -> Iterator[str]:
    """Yields the nouns that domains own: no stem of a verb, no English word of other things, none said everywhere."""
    for domain in installed_domains():
        said = yaml.safe_load(domain.text("words.yaml") or "{}")
        owned = {} if domain.declaration.always else said.get("owns", {})
        for word in words_of(owned):
            hangul = re.fullmatch(r"[가-힣 ]+", word) is not None
            if (hangul and len(word) >= LETTERS_MIN) or (not hangul and word.isascii()):
                yield word.lower()


def words_of(said: object) -> Iterator[str]:
    """Yields each word of a words.yaml, wherever it stands in it."""
    if isinstance(said, str):
        yield from (word for word in said.split("|") if not word.startswith(("@", "#")) and not word.endswith("-"))
    elif isinstance(said, list):
        for one in said:
            yield from words_of(one)
    elif isinstance(said, dict):
        for key, one in said.items():
            if key != "id":
                yield from words_of(one)


def core_files() -> Iterator[Path]:
    """Yields the files of the core."""
    own = {one.name for one in installed_domains()}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            of_a_domain = DOMAINS in path.parents or (path.parent.parent.name == "prompts" and path.parent.name in own)
            of_words = path.suffix in SUFFIXES and path.name not in NOTES and not path.name.startswith(LOCK)
            # What is generated says what stands in the protos.
            if path.is_file() and of_words and not of_a_domain and not is_generated(path):
                yield path


@cache
def said_in(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns what a file says; it is read once for all that is looked for."""
    return tuple(strings(path))


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yields what a file says with its line: a module's strings that are no docstrings, of others every line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tree = ast.parse(text)
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                yield node.lineno, node.value
    else:
        for number, line in enumerate(text.splitlines(), 1):
            # A prompt's kind is the name of its decision.
            if path.suffix != ".md" or not line.startswith("kind: "):
                yield number, re.sub(r"(?:^|\s)#\s.*$", "", line) if path.suffix == ".yaml" else line


def faults(path: Path, of_a_domain: Names) -> Iterator[str]:
    """Yields each line of a file that names what belongs to a domain, with what it names."""
    for line, text in said_in(path):
        found = set(re.findall(r"[A-Za-z][\w.]*\w", text)) & of_a_domain.marked
        found |= set(alone(path.suffix, text.strip())) & of_a_domain.plain
        if text not in contract_values():
            found |= spoken(text) & of_a_domain.nouns
        if found:
            yield f"{line}: {', '.join(sorted(found))}"


@cache
def contract_values() -> frozenset[str]:
    """Collects the values of the contract's enums: who says one says what stands in the protos."""
    files = (ROOT / "protos" / "hapju").rglob("*.proto")
    names = {
        name for file in files for name in re.findall(r"^ +([A-Z][A-Z0-9_]+) = \d+;", file.read_text(), re.MULTILINE)
    }
    parts = (name.split("_") for name in names)
    return frozenset("_".join(part[start:]) for part in parts for start in range(1, len(part)))


def alone(suffix: str, text: str) -> list[str]:
    """Returns the words that stand for something by themselves and not in a sentence."""
    if suffix in {".sql", ".cypher"}:
        return re.findall(r"[a-z]+", text)
    if suffix == ".yaml":
        return re.findall(r"(?:^|[:,\[{]\s*|-\s)[\"'#$@]?([a-z]+)[\"']?\s*(?=[:,\]}]|$)", text)
    return re.findall(r"^[#$@]?([a-z]+)$", text)


PARTICLES: Final = "(?:이|가|은|는|을|를|의|에|로|으로|도|와|과|만|에서|이나|나|까지|부터|입니다|예요|이에요)?"


def spoken(text: str) -> set[str]:
    """Returns the words of a text as people say them: Hangul without its particle, English in lower case."""
    hangul = {match[1] for match in re.finditer(rf"([가-힣]{{2,}}?){PARTICLES}(?![가-힣])", text)}
    return hangul | {word.lower() for word in re.findall(r"[A-Za-z][A-Za-z-]+", text)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_core_names_nothing_of_a_domain(folder: str) -> None:
    """No string or data of the core holds an intent, agent, tool or table of a domain."""
    found = [
        f"{path.relative_to(ROOT)}:{fault}"
        for path in core_files()
        if path.relative_to(ROOT).parts[0] == folder
        for fault in faults(path, names())
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_core_has_no_word_of_a_domain(folder: str) -> None:
    """No string or data of the core holds an entity kind of a domain or a noun that a domain owns."""
    files = [path for path in core_files() if path.relative_to(ROOT).parts[0] == folder]
    places = {path: str(path.relative_to(ROOT)) for path in files}
    found = [
        f"{place}:{fault}"
        for path, place in places.items()
        if not place.startswith(OWN_DOMAIN)
        for fault in faults(path, words_beside(place))
    ]
    assert not found, "\n" + "\n".join(found)


def test_a_word_that_is_shared_is_owned_and_said() -> None:
    """What the core may say of other things is a domain's word, and each place that may say it does."""
    said = {word: places for words_said, places in SHARED.items() for word in words_said.split()}
    assert not said.keys() - words().nouns
    sought = Names(frozenset(), frozenset(), frozenset(said))
    found = " ".join(
        f"{place.relative_to(ROOT)}:{fault}\n" for place in core_files() for fault in faults(place, sought)
    )
    assert not [word for word in said if not re.search(rf"\b{word}\b", found)]


def test_what_is_looked_for_is_there() -> None:
    """The names that are collected are those of domains, so that an empty list proves nothing by chance."""
    read = names()
    assert {"finance.macro", "product_search", "MARKET_INQUIRY", "us_equity_prices"} <= read.marked
    assert {"purchase"} <= read.plain


def test_a_place_that_names_a_domain_is_told_with_its_line(tmp_path: Path) -> None:
    """Each form in which a name may stand is found; a docstring, a comment and a sentence that holds a word are not."""
    module, data, prompt = tmp_path / "a.py", tmp_path / "a.yaml", tmp_path / "a.md"
    module.write_text(
        '"""Of finance.macro."""\nX = "purchase"\nY = f"{X}: MARKET_INQUIRY"\nZ = "a purchase of bonds"\n'
    )
    data.write_text("# finance.macro\na: finance.macro\nb: [purchase]\nc: a purchase of bonds # finance.macro\n")
    prompt.write_text("Of finance.macro\nand a purchase, say.\n")
    assert list(faults(module, names())) == ["2: purchase", "3: MARKET_INQUIRY"]
    assert list(faults(data, names())) == ["2: finance.macro", "3: purchase"]
    assert list(faults(prompt, names())) == ["1: finance.macro"]
