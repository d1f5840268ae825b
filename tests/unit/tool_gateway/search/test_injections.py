"""Strings that try to become SQL: the text of each statement stays what it is, and nothing changes."""

import asyncio
import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from services.contract.tool import ToolFailure
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.statements import Statement, load_statements
from tests.unit.tool_gateway.search.attacks import ATTACKS
from tests.unit.tool_gateway.search.sample_values import values_for

WITH_TEXT = sorted(
    (one for one in load_statements().values() if any(p.kind == "text" for p in one.parameters.values())),
    key=lambda statement: statement.template_id,
)
# How many statements each string is bound in, in turn.
EACH = 3


def _attacked(statement: Statement, attack: str) -> dict[str, Any]:
    attacked = {
        name: [attack] if parameter.size else attack
        for name, parameter in statement.parameters.items()
        if parameter.kind == "text"
    }
    return {**values_for(statement), **attacked}


def _digest(url: str) -> str:
    return hashlib.sha256(Path(url.partition("///")[2]).read_bytes()).hexdigest()


@pytest.mark.asyncio
async def test_values_never_become_sql(reader: Reader, url: str) -> None:
    """Each string is bound in several statements: every statement is sent with one text, the file is as before."""
    assert len(ATTACKS) >= 200
    before = await asyncio.to_thread(_digest, url)
    sent: dict[str, set[str]] = defaultdict(set)
    running = ""

    def record(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        sent[running].add(text)

    event.listen(reader.engine, "before_cursor_execute", record)
    for number, attack in enumerate(ATTACKS):
        for offset in range(EACH):
            statement = WITH_TEXT[(number * EACH + offset) % len(WITH_TEXT)]
            running = statement.template_id
            rows = await reader.fetch(statement.clause, statement.bind(_attacked(statement, attack)), 5)
            assert rows == [] or all("attack" not in row for row in rows)
    assert set(sent) == {statement.template_id for statement in WITH_TEXT}
    assert {len(texts) for texts in sent.values()} == {1}
    assert await asyncio.to_thread(_digest, url) == before


@pytest.mark.parametrize(
    ("tool", "field", "rest"),
    [
        ("equity_financials", "ticker", {}),
        ("earnings_events", "ticker", {}),
        ("corporate_events", "ticker", {}),
        ("real_estate_trend", "region_code", {}),
        ("real_estate_search", "region_code", {}),
        ("legal_search", "topic", {"query": "전세"}),
        ("legal_search", "limit", {"query": "전세"}),
        ("news_search", "date_from", {}),
        ("macro_brief", "date_to", {}),
        ("real_estate_search", "price_max", {"region_code": "11680"}),
    ],
)
@pytest.mark.asyncio
async def test_identifiers_and_limits_take_no_statement(invoke, tool, field, rest) -> None:
    """An identifier, day or limit that holds anything else is refused with its field, before any statement runs."""
    for attack in ATTACKS:
        outcome = await invoke(tool, {**rest, field: attack})
        assert isinstance(outcome, ToolFailure)
        assert (outcome.field, outcome.retryable) == (field, False)


@pytest.mark.asyncio
async def test_words_of_an_attack_are_only_words(invoke) -> None:
    """A search for such a string returns articles that hold its words, or none; it never fails."""
    for attack in ATTACKS[::10]:
        text = attack.replace("\x00", " ").strip()[:400] or "x"
        assert not isinstance(await invoke("legal_search", {"query": text}), ToolFailure)


@pytest.mark.parametrize("template_id", [statement.template_id for statement in WITH_TEXT][:5])
@pytest.mark.asyncio
async def test_a_write_in_place_of_a_template_fails(reader: Reader, template_id) -> None:
    """Were a statement's text a write, the connection itself would refuse it."""
    from sqlalchemy import text  # noqa: PLC0415 - the only use

    table = load_statements()[template_id].table
    with pytest.raises(DBAPIError, match="readonly"):
        await reader.fetch(text(f"DELETE FROM {table}"), {}, 5)  # noqa: S608 - a name out of a packaged file
