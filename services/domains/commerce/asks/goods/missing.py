"""Goods that are not sold here."""

from collections.abc import Sequence

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.rows import goods_calls
from services.domains.commerce.asks.goods.saying import category_said
from services.domains.commerce.asks.goods.subjects import category_of
from services.plugin.asks.answering import Call, Found, Outcome, declined
from services.plugin.asks.telling import filled, listed, rows_of, sentences


def tell_missing(ask: Ask, found: Found) -> Outcome:
    """Return that goods are not sold here, and of which makers there are some."""
    rows = rows_of(found.readings, "products")
    what, notes = category_said(ask), ask.notes
    if "maker_ko" not in notes:
        sentence = filled(
            "‘{what}’ 상품은 여기서 팔지 않습니다.",
            "We do not sell “{what}”; it is not in the catalogue.",
            what=Said(notes["ko"], notes["en"]),
        )
        return Outcome(declined(ask, sentence))
    maker = Said(notes["maker_ko"], notes["maker_en"])
    head = filled("{maker} 상품은 여기에 없습니다.", "There are no {maker} products here.", maker=maker)
    brands = list(dict.fromkeys((row.text("brand_ko"), row.text("brand_en")) for row in rows))
    more = None
    if brands:
        names = listed([Said(*one) for one in brands])
        more = filled(
            "{what:은/는} {names} 것이 있습니다.", "The {what} sold here are by {names}.", what=what, names=names
        )
    return Outcome(declined(ask, sentences(head, more)))


def missing_calls(ask: Ask) -> Sequence[Call]:
    return goods_calls(ask) if category_of(ask) else ()
