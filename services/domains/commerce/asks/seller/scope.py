"""Which of a seller's goods a question on sales is about: a kind of them, one model, or all."""

from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.drafts import codes_in
from services.domains.commerce.asks.goods.saying import category_said
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, sentences, where

CODE: Final = "code"
"""The note of the one model that is meant."""


def code_said(sheet: Sheet) -> str:
    """Return the one model that a question names; empty where it names none, or several."""
    codes = codes_in(sheet)
    return codes[0] if len(codes) == 1 else ""


def filters_of(ask: Ask) -> list[dict[str, object]]:
    """Return the filters by which a query reads the sales of the goods that are meant alone."""
    kinds = list(dict.fromkeys(one.value for one in ask.subjects if one.kind == "category"))
    code = ask.notes.get(CODE, "")
    found = [where("category", kinds, "in")] if kinds else []
    return [*found, where("name_ko", f" {code} ", "contains")] if code else found


def of_kinds(ask: Ask) -> bool:
    """Tell whether several kinds of goods are held against each other."""
    return len({one.value for one in ask.subjects if one.kind == "category"}) > 1


def scoped(ask: Ask, said: Said) -> Said:
    """Return a sentence with the goods behind it that it is about; as it is where it is about all."""
    of = _goods_said(ask)
    return said if of is None else sentences(said, filled("{of}만 따진 것입니다.", "This is of {of} alone.", of=of))


def none_sold(ask: Ask, said: Said) -> Said:
    """Return that nothing of the goods that are meant was sold; what is said of a whole shop where none are named."""
    of = _goods_said(ask)
    if of is None:
        return said
    return filled(
        "이 기간에 본인 상점에서 {of:이/가} 팔린 자료가 없습니다.",
        "Your shop has no sales of {of} in this period.",
        of=of,
    )


def _goods_said(ask: Ask) -> Said | None:
    if code := ask.notes.get(CODE, ""):
        return Said(code, code)
    kinds = tuple(one for one in ask.subjects if one.kind == "category")
    return listed([category_said(replace(ask, subjects=(one,))) for one in kinds]) if kinds else None
