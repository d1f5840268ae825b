"""Generated loans by bank and product, and policy programmes with their validity (see lending.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from services.domains.realty.data.tables import LOAN_PRODUCTS, POLICY_PROGRAMMES
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc

_UNIT_KRW = 10_000


def lending_block(as_of: datetime) -> Block:
    """Return loans and programmes as of `as_of`; validity is counted from that day."""
    content = load_yaml(__package__, "lending.yaml")
    rows = {
        LOAN_PRODUCTS: [{**_loan(entry), "as_of": naive_utc(as_of)} for entry in content["loans"]],
        POLICY_PROGRAMMES: [{**_programme(entry, as_of), "as_of": naive_utc(as_of)} for entry in content["programmes"]],
    }
    dataset = generated("sample_lending", "대출 상품과 정책 지원(예시 데이터)", "Loans and programmes (sample)", as_of)
    return Block(dataset, rows)


def _krw(entry: Mapping[str, Any], name: str) -> int | None:
    return entry[name] * _UNIT_KRW if name in entry else None


def _loan(entry: Mapping[str, Any]) -> Row:
    return {
        "loan_id": entry["id"],
        "bank_ko": entry["bank"]["ko"],
        "bank_en": entry["bank"]["en"],
        "name_ko": entry["name"]["ko"],
        "name_en": entry["name"]["en"],
        "purpose": entry["purpose"],
        "rate_low_percent": entry["rate"][0],
        "rate_high_percent": entry["rate"][1],
        "rate_kind": entry["kind"],
        "limit_krw": entry["limit"] * _UNIT_KRW,
        "ltv_max_percent": entry.get("ltv"),
        "dsr_max_percent": entry.get("dsr"),
        "term_years_max": entry["years"],
        "income_max_krw": _krw(entry, "income_max"),
        "homeless_only": entry.get("homeless", False),
        "early_repayment_fee_percent": entry["fee"],
    }


def _programme(entry: Mapping[str, Any], as_of: datetime) -> Row:
    age_min, age_max = entry.get("age", (None, None))
    valid_from, valid_until = (as_of.date() + timedelta(days=days) for days in entry["valid"])
    return {
        "programme_id": entry["id"],
        "name_ko": entry["name"]["ko"],
        "name_en": entry["name"]["en"],
        "purpose": entry["purpose"],
        "age_min": age_min,
        "age_max": age_max,
        "income_max_krw": _krw(entry, "income_max"),
        "assets_max_krw": _krw(entry, "assets_max"),
        "home_price_max_krw": _krw(entry, "home_max"),
        "homeless_only": entry.get("homeless", False),
        "first_home_only": entry.get("first_home", False),
        "newlywed_only": entry.get("newlywed", False),
        "children_min": entry.get("children", 0),
        "limit_krw": entry["limit"] * _UNIT_KRW,
        "rate_percent": entry.get("rate"),
        "valid_from": valid_from,
        "valid_until": valid_until,
    }
