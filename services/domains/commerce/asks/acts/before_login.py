"""What somebody who is not logged in hears when goods are to be bought: what they cost, and that an order needs a log-in."""

from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.lines import shop_lines
from services.domains.commerce.asks.goods.saying import full_name, price_of, stock_said
from services.domains.commerce.asks.rows_own import evidence_ids_of, proofs_of
from services.plugin.asks.answering import Answerer, Found, Outcome, declined
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, sentences

_LOG_IN: Final = Said("주문과 장바구니는 로그인한 뒤에 됩니다.", "Log in to order or to put it into your cart.")
_GOODS: Final = Said("상품과 판매가", "Products and offers")


def _tell(ask: Ask, found: Found) -> Outcome:
    """Return what the goods that are named cost, or which of several are meant; nothing is proposed."""
    lines = shop_lines(ask, found)
    if isinstance(lines, Outcome):
        return Outcome(declined(ask, sentences(lines.answer.sentence, _LOG_IN)))
    pieces = proofs_of(found, _GOODS, "product")
    told = declined(ask, sentences(listed([_offer(row, count) for row, count in lines]), _LOG_IN))
    own = replace(told, evidence_ids=evidence_ids_of(pieces), told=goods.told_of([row for row, _ in lines]))
    return Outcome(own, evidence=pieces)


def _offer(row: QueryRow, count: int) -> Said:
    whole = exact_won(price_of(row) * count)
    return filled(
        "{name} {n}개는 {price}({stock})입니다.",
        "{n} × {name} comes to {price} ({stock}).",
        name=full_name(row),
        n=str(count),
        price=whole,
        stock=stock_said(row),
    )


ANSWERERS: Final = (Answerer("act_before_login", ("commerce.product_search",), _tell, goods.shop_calls),)
