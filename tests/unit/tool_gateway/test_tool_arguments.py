"""Arguments: what does not fit is refused with a tag and the field's name, and never reaches a statement."""

import json

import pytest

from services.contract.tool import ToolFailure
from tests.unit.tool_gateway.seeded_data import Invoke


@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "field"),
    [
        ("macro_series", {}, "MISSING_REQUIRED_FIELD", "series_ids"),
        ("macro_series", {"series_ids": []}, "VALUE_OUT_OF_RANGE", "series_ids"),
        ("macro_series", {"series_ids": ["UNRATE"] * 9}, "VALUE_OUT_OF_RANGE", "series_ids"),
        ("macro_series", {"series_ids": "UNRATE"}, "TYPE_MISMATCH", "series_ids"),
        ("macro_series", {"series_ids": ["UNRATE", 5]}, "TYPE_MISMATCH", "series_ids[1]"),
        ("macro_series", {"series_ids": ["x'; DROP TABLE t"]}, "INVALID_FORMAT", "series_ids[0]"),
        ("macro_series", {"series_ids": ["UNRATE"], "limit": "3"}, "TYPE_MISMATCH", "limit"),
        ("macro_series", {"series_ids": ["UNRATE"], "limit": 0}, "VALUE_OUT_OF_RANGE", "limit"),
        ("macro_series", {"series_ids": ["UNRATE"], "limit": 0.5}, "TYPE_MISMATCH", "limit"),
        ("macro_series", {"series_ids": ["UNRATE"], "limit": True}, "TYPE_MISMATCH", "limit"),
        ("macro_series", {"series_ids": ["UNRATE"], "date_from": "12/06/2026"}, "INVALID_FORMAT", "date_from"),
        (
            "macro_series",
            {"series_ids": ["UNRATE"], "date_from": "2026-02-01", "date_to": "2026-01-01"},
            "VALUE_OUT_OF_RANGE",
            "date_from",
        ),
        ("equity_prices", {"ticker": "AAPL"}, "INVALID_FORMAT", "ticker"),
        ("equity_prices", {"ticker": "JP:7203"}, "INVALID_FORMAT", "ticker"),
        ("equity_prices", {"ticker": "US:AAPL", "bars": 521}, "VALUE_OUT_OF_RANGE", "bars"),
        ("equity_prices", {"ticker": "US:AAPL", "table": "kr"}, "INVALID_FORMAT", "table"),
        ("market_data", {"region_code": 11680}, "TYPE_MISMATCH", "region_code"),
        ("market_data", {"region_code": "강남구"}, "INVALID_FORMAT", "region_code"),
        ("market_data", {"region_code": "１１６８０"}, "INVALID_FORMAT", "region_code"),
        ("market_data", {"region_code": "11680", "deal_type": "전세"}, "VALUE_OUT_OF_RANGE", "deal_type"),
        ("product_search", {"query": ""}, "VALUE_OUT_OF_RANGE", "query"),
        ("product_search", {"query": "x" * 201}, "VALUE_OUT_OF_RANGE", "query"),
        ("product_search", {"query": "의자", "price_max": -1}, "VALUE_OUT_OF_RANGE", "price_max"),
        ("product_search", {"query": "의자", "price_min": 2, "price_max": 1}, "VALUE_OUT_OF_RANGE", "price_min"),
        ("product_search", {"query": "의자", "category": "car"}, "VALUE_OUT_OF_RANGE", "category"),
        ("product_search", [], "TYPE_MISMATCH", "arguments_json"),
        ("product_search", b'{"query": "a", "query": "b"}', "INVALID_FORMAT", "query"),
        ("product_search", b'{"query": "a", "price_max": NaN}', "INVALID_FORMAT", "arguments_json"),
        ("product_search", b'{"query": "a", "price_max": -Infinity}', "INVALID_FORMAT", "arguments_json"),
        ("product_search", b'{"query": "a", "price_max": 1e400}', "VALUE_OUT_OF_RANGE", "arguments_json"),
        ("product_search", b'{"query": "a"', "INVALID_FORMAT", "arguments_json"),
        ("product_search", b'{"query": "\xff"}', "INVALID_FORMAT", "arguments_json"),
        ("product_search", b"[" * 100_000, "INVALID_FORMAT", "arguments_json"),
        ("product_search", b'{"limit": ' + b"9" * 5_000 + b"}", "INVALID_FORMAT", "arguments_json"),
        ("product_search", b" " * (256 * 1024 + 1), "PAYLOAD_TOO_LARGE", "arguments_json"),
    ],
)
@pytest.mark.asyncio
async def test_what_does_not_fit_is_refused_by_field(invoke: Invoke, tool, arguments, reason, field) -> None:
    """The tag says what kind of mistake it is, the field where; the sentence begins with the field."""
    outcome = await invoke(tool, arguments)
    assert isinstance(outcome, ToolFailure), outcome
    assert (outcome.reason, outcome.field, outcome.retryable) == (reason, field, False)
    assert outcome.message.startswith(field)


@pytest.mark.asyncio
async def test_an_unknown_argument_is_named_with_the_known_ones(invoke: Invoke) -> None:
    """A misspelt argument is refused, and the sentence lists those that the tool takes."""
    outcome = await invoke("equity_prices", {"ticker": "US:AAPL", "bar": 5})
    assert isinstance(outcome, ToolFailure)
    assert outcome.message == "bar: is no argument of equity_prices, which takes ticker, bars"


@pytest.mark.asyncio
async def test_another_schema_is_not_found(invoke: Invoke) -> None:
    """Arguments that follow another schema are refused, and the tool's own is named."""
    outcome = await invoke("equity_prices", {"ticker": "US:AAPL"}, arguments_schema_id="hapju.tool.other.arguments.v1")
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field) == ("SCHEMA_NOT_FOUND", "arguments_schema_id")
    assert "hapju.tool.equity_prices.arguments.v1" in outcome.message


@pytest.mark.asyncio
async def test_refusals_do_not_repeat_the_value(invoke: Invoke) -> None:
    """A refused value, which may be anything, does not come back in the sentence."""
    outcome = await invoke("market_data", json.dumps({"region_code": "<secret>"}).encode())
    assert isinstance(outcome, ToolFailure)
    assert "secret" not in outcome.message
