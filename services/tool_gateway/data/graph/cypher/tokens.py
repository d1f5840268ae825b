"""Splits Cypher into tokens; what the subset has no use for (backticks, comments, semicolons) is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from services.tool_gateway.data.graph.cypher.refusal import CypherRefused

CHARACTERS_MAX: Final = 4_000
_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<comment>//|/\*)"
    r"|(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>[0-9]{1,15}(?:\.[0-9]{1,15})?(?![0-9A-Za-z_]))"
    r"|(?P<parameter>\$[a-z_][a-z0-9_]{0,39})"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]{0,39}(?![A-Za-z0-9_]))"
    r"|(?P<sign><>|<=|>=|\.\.|[()\[\]{}:,.|*+\-/%=<>])",
    re.DOTALL,
)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}


class TokenKind(StrEnum):
    """What a token is."""

    STRING = "string"
    NUMBER = "number"
    PARAMETER = "parameter"
    WORD = "word"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token."""

    kind: TokenKind
    """What it is."""
    text: str
    """Its text; of a string its value, of a parameter its name."""

    @property
    def upper(self) -> str:
        """The text of a word in capitals, as keywords are compared; empty for any other token."""
        return self.text.upper() if self.kind is TokenKind.WORD else ""


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a statement, with one of kind END behind them.

    Raises:
        CypherRefused: The text is too long, or holds something that is no token.
    """
    if len(text) > CHARACTERS_MAX:
        raise CypherRefused(f"the statement is over {CHARACTERS_MAX} characters")
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise CypherRefused(f"{text[at]!r} at character {at + 1} is no part of a read statement")
        at = match.end()
        kind = str(match.lastgroup)
        if kind == "comment":
            raise CypherRefused("comments are not allowed")
        if kind != "space":
            found.append(_token(TokenKind(kind), match.group()))
    return [*found, Token(TokenKind.END, "the end")]


def _token(kind: TokenKind, text: str) -> Token:
    if kind is TokenKind.STRING:
        return Token(kind, re.sub(r"\\(.)", _unescaped, text[1:-1], flags=re.DOTALL))
    return Token(kind, text.removeprefix("$") if kind is TokenKind.PARAMETER else text)


def _unescaped(match: re.Match[str]) -> str:
    escaped = _ESCAPES.get(match.group(1))
    if escaped is None:
        raise CypherRefused(f"the escape \\{match.group(1)} is not allowed")
    return escaped
