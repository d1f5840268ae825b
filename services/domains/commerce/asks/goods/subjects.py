"""Which goods an ask is about: its category, its models, the products that it points to."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, AskedBefore

GOODS: Final = "goods_"
"""What the answerers of goods begin with."""


AGENTS: Final = ("commerce.product_search",)
"""Who answers what is asked of the shop."""


def category_of(ask: Ask) -> str:
    """Return the category that an ask is about; empty for none."""
    return next((one.value for one in ask.subjects if one.kind == "category"), "")


def codes_of(ask: Ask) -> tuple[str, ...]:
    """Return the model codes that an ask names."""
    return tuple(one.value for one in ask.subjects if one.kind == "product_code")


def ids_of(ask: Ask) -> tuple[str, ...]:
    """Return the products that an ask points to."""
    return tuple(filter(None, ask.notes.get("ids", "").split("|")))


def names_models(ask: Ask) -> bool:
    """Tell whether an ask is about named models, or products that it points to."""
    return bool(codes_of(ask) or ids_of(ask))


def codes_fit(ask: Ask) -> bool:
    """Tell whether an ask is about a class of goods, and not about named models."""
    return not codes_of(ask) and not ids_of(ask)


def last_goods(before: Sequence[AskedBefore]) -> Ask | None:
    """Return the last ask about goods, over interposed other subjects."""
    for message in before:
        own = [
            ask
            for ask in message.asks
            if ask.domain == "commerce" and f".{GOODS}" in f".{ask.answerer.rpartition('.')[2]}"
        ]
        if own:
            return own[-1]
    return None
