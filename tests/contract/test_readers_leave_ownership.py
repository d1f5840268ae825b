"""Who owns its nouns settles whose a message is: no reader lists those of another domain to keep out of it."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from services.catalog.loader import catalog
from services.plugin.installed import installed_domains

LIST_FROM = 3
"""From so many nouns of one other domain on a pattern is a list of them."""
MEANT_THERE = {("commerce", "homes", "_PLACE_EN")}
"""Lists that say something of the reader's own: where an order goes."""
_WORD = re.compile(r"[가-힣]{2,}|[A-Za-z]{3,}")
_ESCAPE = re.compile(r"\\[a-z]")


def test_no_reader_lists_the_nouns_of_another_domain() -> None:
    """A domain's own nouns and its ground's stand in its patterns; those of what anyone says anywhere are nobody's."""
    found = [
        f"{file.name}:{line} {name}: {count} nouns of {other}"
        for domain in installed_domains()
        for file in sorted(Path(str(domain.folder), "asks").rglob("*.py"))
        for name, line, pattern in _patterns(file)
        for other, count in _foreign(domain.name, pattern).items()
        if count >= LIST_FROM and (domain.name, other, name) not in MEANT_THERE
    ]
    assert not found, "\n".join(found)


def _foreign(domain: str, pattern: str) -> Counter[str]:
    """Returns how many nouns of each domain stand in a pattern that is neither this one nor its ground."""
    lexicon = catalog().lexicon
    if domain in lexicon.yielding:
        return Counter()
    owners = (lexicon.owners.get(word) for word in set(_WORD.findall(_ESCAPE.sub(" ", pattern))))
    return Counter(one for one in owners if one and one not in lexicon.ground(domain) | lexicon.yielding)


def _patterns(file: Path) -> Iterator[tuple[str, int, str]]:
    """Yields the name, line and text of each pattern with alternatives in a module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        texts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        for text in texts:
            if "|" in text and isinstance(target, ast.Name):
                yield target.id, node.lineno, text


def test_the_lists_are_found() -> None:
    """The check itself sees a list where there is one."""
    assert _foreign("commerce", r"대출|계약서|\bmortgage\b|노트북") == Counter({"realty": 3})
    assert not _foreign("realty", r"아파트|전세|월세|대출")
