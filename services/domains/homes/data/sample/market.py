"""Generated prices of homes by district: sale, jeonse and monthly rent of invented complexes in real legal dongs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from services.domains.homes.data.tables import REALTY_MARKET_PRICES, REGIONS
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc, stream

_NAMES = ("한빛마루", "푸른누리", "가온채움", "새솔정원", "온새미", "다솜마을", "늘봄터", "해든뜰")
# A jeonse deposit that is turned into rent pays this rate a year on the part turned.
_RENT_RATE = 0.052
_RENT_DEPOSIT_SHARE = 0.3


@dataclass(frozen=True)
class PropertyLevel:
    """One property type: how its level and its jeonse ratio stand to those of apartments."""

    property_type: str
    """apartment, officetel, villa or house."""
    complexes: int
    """Complexes in each dong."""
    areas_m2: tuple[float, ...]
    """Exclusive areas on the market in each complex."""
    level: float
    """Price for a square metre against an apartment's."""
    jeonse: float
    """Jeonse ratio against an apartment's; the result is capped at .85."""


_KINDS = (
    PropertyLevel("apartment", 2, (59.9, 84.9), 1.0, 1.0),
    PropertyLevel("apartment", 1, (114.8,), 0.94, 0.97),
    PropertyLevel("officetel", 1, (29.8, 45.2), 0.62, 1.45),
    PropertyLevel("villa", 1, (36.5, 54.2), 0.55, 1.25),
    PropertyLevel("house", 1, (82.6,), 0.7, 0.8),
)


def provinces() -> dict[str, Any]:
    """Return the provinces by code, each with its districts by code."""
    return load_yaml(__package__, "regions.yaml")


def realty_block(as_of: datetime) -> Block:
    """Return the realty data set: the market as of `as_of`, one row per complex, area and deal type."""
    regions: list[Row] = []
    prices: list[Row] = []
    for province_code, province in provinces().items():
        for region_code, region in province["regions"].items():
            regions.append(_region(province_code, province, region_code, region))
            prices.extend({**row, "as_of": naive_utc(as_of)} for row in _region_rows(region_code, region))
    dataset = generated("sample_realty", "지역별 주택 시세(예시 데이터)", "Home prices by district (sample)", as_of)
    return Block(dataset, {REGIONS: regions, REALTY_MARKET_PRICES: prices})


def _region(province_code: str, province: Mapping[str, Any], region_code: str, region: Mapping[str, Any]) -> Row:
    return {
        "region_code": region_code,
        "province_code": province_code,
        "province_ko": province["ko"],
        "province_en": province["en"],
        "name_ko": region["ko"],
        "name_en": region["en"],
    }


def _region_rows(region_code: str, region: Mapping[str, Any]) -> Iterator[Row]:
    random = stream(f"realty/{region_code}")
    for dong in region["dongs"]:
        dong_level = region["level"] * 10_000 * float(np.exp(random.normal(0, 0.08)))
        names = iter(random.permutation(_NAMES))
        for kind in _KINDS:
            for _ in range(kind.complexes):
                level = dong_level * kind.level * float(np.exp(random.normal(0, 0.06)))
                ratio = min(0.85, region["jeonse"] * kind.jeonse * float(np.exp(random.normal(0, 0.03))))
                place = {
                    "region_code": region_code,
                    "dong": dong,
                    "complex_name": f"{dong} {next(names)}",
                    "property_type": kind.property_type,
                }
                yield from _complex_rows(place, kind.areas_m2, level, ratio, random)


def _complex_rows(
    place: Row, areas_m2: tuple[float, ...], level_krw: float, ratio: float, random: np.random.Generator
) -> Iterator[Row]:
    for area_m2 in areas_m2:
        sale_krw = level_krw * area_m2
        jeonse_krw = sale_krw * ratio
        deposit_krw = jeonse_krw * _RENT_DEPOSIT_SHARE
        rent_krw = (jeonse_krw - deposit_krw) * _RENT_RATE / 12
        deals = {
            "sale": _levels("price", sale_krw, 1_000_000, random),
            "jeonse": _levels("deposit", jeonse_krw, 1_000_000, random),
            "monthly_rent": {
                **_levels("deposit", deposit_krw, 1_000_000, random),
                **_levels("monthly_rent", rent_krw, 10_000, random),
            },
        }
        for deal_type, figures in deals.items():
            count = int(random.integers(1, 25))
            yield {**place, **_NO_FIGURES, **figures, "deal_type": deal_type, "area_m2": area_m2, "deal_count": count}


_NO_FIGURES = {
    f"{what}_{level}_krw": None for what in ("price", "deposit", "monthly_rent") for level in ("low", "mean", "high")
}


def _levels(what: str, mean_krw: float, step_krw: int, random: np.random.Generator) -> dict[str, int]:
    """Return low, mean and high rounded to `step_krw`, at least one step, in this order of size."""
    spread = float(random.uniform(0.03, 0.09))
    levels = {"low": mean_krw * (1 - spread), "mean": mean_krw, "high": mean_krw * (1 + spread)}
    return {f"{what}_{name}_krw": max(step_krw, round(level / step_krw) * step_krw) for name, level in levels.items()}
