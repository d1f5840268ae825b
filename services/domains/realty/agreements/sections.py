"""A contract's text in the clauses that it numbers itself, so that one of them can be asked for. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from services.text.patterns import Pattern

_NAMED: Final = Pattern(
    r"(?:(?<=\n)|^|(?<=[.다]\s))[ \t]*(?P<label>제\s?(?P<ko>[0-9]{1,3})\s?조(?!\s?(?:에|의|를|와|및|제[0-9]|부터|까지))"
    r"(?:\s?[(\[【][^)\]】\n]{1,30}[)\]】])?|(?:article|clause|section)\s(?P<en>[0-9]{1,3})\b[.:]?)",
    re.IGNORECASE,
)
_NUMBERED: Final = Pattern(r"(?:(?<=\n)|^)[ \t]*(?P<label>(?P<ko>[0-9]{1,2})(?P<en>)[.)])(?=\s?[^0-9\s])")
_TITLE: Final = Pattern(r"[(\[【](?P<title>[^)\]】\n]{1,30})[)\]】]")


@dataclass(frozen=True, slots=True)
class ContractSection:
    """One clause of a contract with all that stands under its number."""

    number: int
    """Its number; 0 where it has none."""
    label: str
    """Its number as the contract writes it, with its title."""
    text: str
    """What it says, on one line, without its number."""
    start: int
    """Where it begins in the text."""

    def weight(self, words: Collection[str]) -> int:
        """Return how much of some words it speaks of; a word of its title counts threefold."""
        title, body = self.label.lower(), self.text.lower()
        return sum(3 * (word in title) + (word in body) for word in words)


def sections_of(text: str) -> tuple[ContractSection, ...]:
    """Return the clauses of a text, in its order; its lines where it numbers none."""
    marks = list(_NAMED.finditer(text)) or list(_NUMBERED.finditer(text))
    if not marks:
        return _lines(text)
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return tuple(
        ContractSection(
            int(mark["ko"] or mark["en"]), mark["label"].strip(), _flat(text[mark.end() : end]), mark.start("label")
        )
        for mark, end in zip(marks, ends, strict=True)
    )


def _lines(text: str) -> tuple[ContractSection, ...]:
    found, at = [], 0
    for line in text.split("\n"):
        if line.strip():
            found.append(ContractSection(0, "", _flat(line), at))
        at += len(line) + 1
    return tuple(found)


def _flat(text: str) -> str:
    return " ".join(text.split())
