"""Parses expressions: the lower half of the recursive parser."""

from __future__ import annotations

from typing import Final

from services.tool_gateway.data.graph.cypher.refusal import CypherRefused
from services.tool_gateway.data.graph.cypher.statement import (
    Expression,
    Function,
    Items,
    Literal,
    Operation,
    Parameter,
    Property,
    Variable,
)
from services.tool_gateway.data.graph.cypher.tokens import Token, TokenKind, tokens_of

DEPTH_MAX: Final = 12
ITEMS_MAX: Final = 50
# Functions that both engines know by this name, with how many arguments each takes.
FUNCTIONS: Final = {
    "count": 1,
    "sum": 1,
    "avg": 1,
    "min": 1,
    "max": 1,
    "collect": 1,
    "coalesce": 2,
    "size": 1,
    "abs": 1,
    "tolower": 1,
    "toupper": 1,
}
_NAMES: Final = {"tolower": "toLower", "toupper": "toUpper"}
# Words of the language; none of them may name a variable, and none but those of the grammar may stand at all.
RESERVED: Final = frozenset(
    (
        *("MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "DISTINCT", "ORDER", "BY", "ASC", "ASCENDING"),
        *("DESC", "DESCENDING", "SKIP", "LIMIT", "AS", "AND", "OR", "XOR", "NOT", "IN", "IS", "NULL", "TRUE"),
        *("FALSE", "CONTAINS", "STARTS", "ENDS", "UNWIND", "UNION", "ALL", "CALL", "YIELD", "CREATE", "MERGE"),
        *("SET", "DELETE", "DETACH", "REMOVE", "DROP", "ALTER", "LOAD", "COPY", "FOREACH", "CASE", "WHEN"),
        *("THEN", "ELSE", "END", "EXISTS", "ANY", "NONE", "SINGLE", "PROFILE", "EXPLAIN", "USE", "INSTALL"),
        *("ATTACH", "IMPORT", "EXPORT", "BEGIN", "COMMIT", "ROLLBACK", "CHECKPOINT", "FROM", "TO", "TABLE"),
        *("NODE", "REL", "GRAPH", "INDEX", "CONSTRAINT", "ON", "USING", "FINISH"),
    )
)
_COMPARISONS: Final = ("=", "<>", "<=", ">=", "<", ">")


class Tokens:
    """The tokens of a statement, read from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens_of(text)
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self._tokens[self._at]

    def take(self) -> Token:
        """Read one token."""
        token = self.next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def takes(self, *words: str) -> bool:
        """Read these words or signs if all of them stand next."""
        for ahead, word in enumerate(words):
            token = self._tokens[min(self._at + ahead, len(self._tokens) - 1)]
            if token.upper != word and not (token.kind is TokenKind.SIGN and token.text == word):
                return False
        self._at += len(words)
        return True

    def expect(self, word: str) -> None:
        """Read this word or sign.

        Raises:
            CypherRefused: Another one stands next.
        """
        if not self.takes(word):
            raise CypherRefused(f"expected {word} before {self.next.text[:40]!r}")

    def name(self, what: str) -> str:
        """Read a name.

        Raises:
            CypherRefused: A reserved word or no word stands next.
        """
        token = self.take()
        if token.kind is not TokenKind.WORD or token.upper in RESERVED:
            raise CypherRefused(f"{token.text[:40]!r} is no {what}")
        return token.text

    def expression(self) -> Expression:
        """Read an expression.

        Raises:
            CypherRefused: None of the subset stands next, or it is nested too deep.
        """
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise CypherRefused(f"expressions are nested over {DEPTH_MAX} deep")
        found = self._joined(("OR", "XOR"), 0)
        self._depth -= 1
        return found

    def _joined(self, operators: tuple[str, ...], level: int) -> Expression:
        """Read operands of one level of precedence, joined from the left."""
        left = self._operand(level)
        while True:
            operator = next((one for one in operators if self.takes(one)), None)
            if operator is None:
                return left
            left = Operation(operator, (left, self._operand(level)))

    def _operand(self, level: int) -> Expression:
        if level == 0:
            return self._joined(("AND",), 1)
        if level == 1:
            return self._negated()
        if level == 2:
            return self._joined(("*", "/", "%"), 3)
        return self._atom()

    def _negated(self) -> Expression:
        negations = 0
        while self.takes("NOT"):
            negations += 1
        compared = self._compared()
        return Operation("NOT", (compared,)) if negations % 2 else compared

    def _compared(self) -> Expression:
        left = self._joined(("+", "-"), 2)
        for operator in (*_COMPARISONS, "IN", "CONTAINS"):
            if self.takes(operator):
                return Operation(operator, (left, self._joined(("+", "-"), 2)))
        for operator in ("STARTS WITH", "ENDS WITH"):
            if self.takes(*operator.split()):
                return Operation(operator, (left, self._joined(("+", "-"), 2)))
        for operator in ("IS NOT NULL", "IS NULL"):
            if self.takes(*operator.split()):
                return Operation(operator, (left,))
        return left

    def _atom(self) -> Expression:
        if self.takes("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.takes("["):
            return Items(self._listed("]"))
        return Operation("MINUS", (self._atom_in_depth(),)) if self.takes("-") else self._single()

    def _single(self) -> Expression:
        token = self.take()
        if token.kind is TokenKind.STRING:
            return Literal(token.text)
        if token.kind is TokenKind.NUMBER:
            return Literal(float(token.text) if "." in token.text else int(token.text))
        if token.kind is TokenKind.PARAMETER:
            return Parameter(token.text)
        return self._named(token)

    def _atom_in_depth(self) -> Expression:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise CypherRefused(f"expressions are nested over {DEPTH_MAX} deep")
        found = self._atom()
        self._depth -= 1
        return found

    def _named(self, token: Token) -> Expression:
        constants = {"TRUE": True, "FALSE": False, "NULL": None}
        if token.upper in constants:
            return Literal(constants[token.upper])
        if token.kind is not TokenKind.WORD or token.upper in RESERVED:
            raise CypherRefused(f"{token.text[:40]!r} is no expression of a read statement")
        if self.takes("("):
            return self._function(token.text)
        if self.takes("."):
            return Property(token.text, self.name("property"))
        return Variable(token.text)

    def _function(self, name: str) -> Function:
        lowered = name.lower()
        if lowered not in FUNCTIONS:
            raise CypherRefused(f"the function {name[:40]} is not allowed; allowed: {', '.join(sorted(FUNCTIONS))}")
        written = _NAMES.get(lowered, lowered)
        if lowered == "count" and self.takes("*"):
            self.expect(")")
            return Function(written, (), star=True)
        distinct = self.takes("DISTINCT")
        arguments = self._listed(")")
        if len(arguments) != FUNCTIONS[lowered]:
            raise CypherRefused(f"{written} takes {FUNCTIONS[lowered]} argument(s)")
        return Function(written, arguments, distinct)

    def _listed(self, closing: str) -> tuple[Expression, ...]:
        items: list[Expression] = []
        while not self.takes(closing):
            if items:
                self.expect(",")
            items.append(self.expression())
            if len(items) > ITEMS_MAX:
                raise CypherRefused(f"a list holds over {ITEMS_MAX} items")
        return tuple(items)
