"""Buying and the cart: what is meant is found, what is missing is asked for, and the rest is proposed as an action."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskAnswer, Said
from services.contract.flow import ActionRequest
from services.domains.commerce.actions import wording
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.editing import SLOTS
from services.domains.commerce.asks.goods.saying import full_name
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, answered, asking_back, declined
from services.plugin.asks.telling import QueryRow, filled, listed, query, rows_of
from services.plugin.findings import action_request

AGENTS: Final = ("commerce.order_flow",)
"""Who buys and keeps the cart."""
_OWN: Final = "query_own_data"
_CART_FIELDS: Final = ("product_id", "name_ko", "name_en", "category", "quantity", "price_krw", "stock")
_COUPON_FIELDS: Final = (
    *("coupon_id", "name_ko", "name_en", "kind", "value", "order_min_krw", "discount_max_krw"),
    *("valid_until", "used_order_id"),
)
_PREPARED: Final = Said("요청하신 일을 준비했습니다.", "What you asked for is prepared.")
"""What is told until the tool gateway has said what became of an action."""


def prepared(ask: Ask, actions: Sequence[ActionRequest], rows: Sequence[QueryRow] = ()) -> Outcome:
    """Return a proposal: what becomes of its actions is told in the place of its answer."""
    return Outcome(answered(ask, _PREPARED, told=goods.told_of(rows)), actions=tuple(actions))


def lacking(ask: Ask, slot: str, sentence: Said, rows: Sequence[QueryRow] = ()) -> Outcome:
    """Return a question for what an act lacks; the products that it offers can be pointed to."""
    return Outcome(replace(asking_back(ask, sentence, SLOTS[slot]), told=goods.told_of(rows)))


def cart_calls(_ask: Ask) -> Sequence[Call]:
    """Return the query for what is in the cart."""
    return [query("own_cart", _CART_FIELDS, mode="rows", tool=_OWN, limit=100)]


def _order_calls(ask: Ask) -> Sequence[Call]:
    calls = [
        *(cart_calls(ask) if ask.notes.get("cart") else goods.shop_calls(ask)),
        query("own_points", ("points_krw", "shipping_address"), mode="rows", tool=_OWN, limit=1),
    ]
    if ask.notes.get("coupon", "none") != "none":
        calls.append(query("own_coupons", _COUPON_FIELDS, mode="rows", tool=_OWN, limit=100))
    return calls


def _order(ask: Ask, found: Found) -> Outcome:
    lines = _cart_lines(ask, found) if ask.notes.get("cart") else _shop_lines(ask, found)
    if isinstance(lines, Outcome):
        return lines
    rows = [row for row, _ in lines]
    person = next(iter(rows_of(found.readings, "own_points")), None)
    if not ask.notes.get("method"):
        what = goods_said(lines)
        return lacking(ask, "method", _how_to_pay(what), rows)
    address = ask.notes.get("address", "")
    if address in {"", "default"} and not (person is not None and person.text("shipping_address")):
        return lacking(ask, "address", _WHERE, rows)
    total = sum(((row.number("price_krw") or Decimal(0)) * count for row, count in lines), Decimal(0))
    coupon = coupon_of(ask, found, total)
    if isinstance(coupon, AskAnswer):
        return Outcome(replace(coupon, told=goods.told_of(rows)))
    less = discount(coupon, total) if coupon is not None else Decimal(0)
    whole = bool(ask.notes.get("cart")) and not _is_part(ask)
    arguments: dict[str, Any] = {
        "payment_method": ask.notes["method"],
        "items": [] if whole else [{"product_id": row.text("product_id"), "quantity": count} for row, count in lines],
        **({} if address in {"", "default"} else {"shipping_address": address}),
        **({} if coupon is None else {"coupon_id": coupon.text("coupon_id")}),
        **({"without_coupon": True} if ask.notes.get("coupon") == "none" and whole else {}),
    }
    if points := _points(ask, person, total - less):
        arguments["points_krw"] = points
    return prepared(ask, [action_request("CREATE_ORDER", "order_create", **arguments)], rows)


def _points(ask: Ask, person: QueryRow | None, payable: Decimal) -> int:
    said = ask.notes.get("points", "")
    if said == "all":
        return int(min((person.number("points_krw") or Decimal(0)) if person is not None else Decimal(0), payable))
    return int(said) if said.isdigit() else 0


def _how_to_pay(what: Said) -> Said:
    return filled(
        "{what:을/를} 어떤 방법으로 결제하시겠어요? 카드, 계좌이체, 간편결제 중에서 골라 주세요.",
        "How would you like to pay for {what}? By card, bank transfer or mobile pay?",
        what=what,
    )


_WHERE: Final = Said(
    "등록된 배송지가 없습니다. 어디로 보내 드릴까요?", "There is no address on file. Where shall it be sent?"
)


Lines = list[tuple[QueryRow, int]]


def goods_said(lines: Lines) -> Said:
    """Return the lines of an order in a few words."""
    return wording.goods([wording.pieces(full_name(row), count) for row, count in lines])


def _is_part(ask: Ask) -> bool:
    return bool(goods.categories(ask) or goods.listed_in(ask, "codes"))


def _cart_lines(ask: Ask, found: Found) -> Lines | Outcome:
    rows = rows_of(found.readings, "own_cart")
    if not rows:
        empty = Said(
            "장바구니가 비어 있습니다. 무엇을 살지 알려주세요.", "Your cart is empty. What would you like to buy?"
        )
        return lacking(ask, "product", empty)
    if _is_part(ask):
        rows = goods.best(ask, rows).rows
    return [(row, int(row.number("quantity") or 1)) for row in rows]


def _shop_lines(ask: Ask, found: Found) -> Lines | Outcome:
    if lines := goods.listed_in(ask, "lines"):
        return _several(ask, found, lines)
    meant = goods.of_shop(ask, found)
    if not meant.rows:
        return Outcome(declined(ask, goods.not_sold(ask))) if _names(ask) else lacking(ask, "product", _WHAT)
    if meant.one is None and not goods.listed_in(ask, "ids"):
        return lacking(ask, "product", goods.which(meant.rows), meant.rows[:3])
    count = int(ask.notes.get("quantity") or 1)
    return [(row, count) for row in meant.rows]


def _names(ask: Ask) -> bool:
    return bool(ask.notes.get("goods") or _is_part(ask) or ask.notes.get("ids"))


_WHAT: Final = Said("어떤 상품인지 알려주세요.", "Which product do you mean?")


def _several(ask: Ask, found: Found, lines: Sequence[str]) -> Lines | Outcome:
    rows, chosen = rows_of(found.readings, "products"), []
    for line in lines:
        code, _, count = line.partition("=")
        meant = goods.by_code(ask, code, rows)
        if not meant.rows:
            return Outcome(declined(ask, goods.not_sold(replace(ask, notes={"codes": code}))))
        if meant.one is None:
            return lacking(ask, "product", goods.which(meant.rows), meant.rows[:3])
        chosen.append((meant.one, int(count)))
    return chosen


def coupon_of(ask: Ask, found: Found, total: Decimal) -> QueryRow | AskAnswer | None:
    """Return the coupon that is meant; why none can be used where one was asked for; None where none was."""
    said = ask.notes.get("coupon", "none")
    if said == "none":
        return None
    rows = rows_of(found.readings, "own_coupons")
    fresh = [row for row in rows if not row.text("used_order_id")]
    named = _named(fresh, said.removeprefix("said:")) if said.startswith("said:") else []
    if len(named) == 1:
        return named[0]
    usable = [row for row in fresh if usable_on(row, total, found.asking.now)]
    if not usable:
        return declined(
            ask, Said("지금 이 주문에 쓸 수 있는 쿠폰이 없습니다.", "You have no coupon that this order could use.")
        )
    return max(usable, key=lambda row: discount(row, total))


def _named(rows: Sequence[QueryRow], said: str) -> list[QueryRow]:
    """Return the coupons whose name a message says: those with the most of its words."""
    plain = said.lower().replace(",", "")
    scores = [(max(_hits(row.text("name_ko"), plain), _hits(row.text("name_en").lower(), plain)), row) for row in rows]
    most = max((score for score, _ in scores), default=0)
    return [row for score, row in scores if score == most] if most else []


def _hits(name: str, said: str) -> int:
    words = [word.strip("%") for word in name.replace(",", "").split() if word not in _COMMON]
    return sum(word in said for word in words)


_COMMON: Final = frozenset({"할인", "쿠폰", "off", "the", "of", "a", "discount", "won"})


def usable_on(row: QueryRow, total: Decimal, now: datetime) -> bool:
    """Tell whether a coupon may be used for goods of that price."""
    until = datetime.fromisoformat(row.text("valid_until").replace(" ", "T"))
    until = until if until.tzinfo else until.replace(tzinfo=now.tzinfo)
    return until >= now and total >= (row.number("order_min_krw") or 0)


def discount(row: QueryRow, total: Decimal) -> Decimal:
    """Return what a coupon takes off goods of that price."""
    value = row.number("value") or Decimal(0)
    off = total * value // 100 if row.text("kind") == "percent" else value
    return min(off, row.number("discount_max_krw") or off, total)


def _add(ask: Ask, found: Found) -> Outcome:
    lines = _shop_lines(ask, found)
    if isinstance(lines, Outcome):
        return lines
    rows = [row for row, _ in lines]
    if not ask.notes.get("quantity") and not ask.notes.get("lines"):
        name = listed([full_name(row) for row in rows])
        how_many = filled("{name:을/를} 몇 개 담을까요?", "How many of {name} shall I put into your cart?", name=name)
        return lacking(ask, "quantity", how_many, rows)
    return prepared(
        ask,
        [
            action_request("ADD_TO_CART", "order_add_to_cart", product_id=row.text("product_id"), quantity=count)
            for row, count in lines
        ],
        rows,
    )


def _in_cart(ask: Ask, found: Found) -> tuple[QueryRow, ...] | Outcome:
    """Return what of the cart an ask means; an answer where nothing of it is meant."""
    rows = rows_of(found.readings, "own_cart")
    if not rows:
        return Outcome(answered(ask, Said("장바구니는 이미 비어 있습니다.", "Your cart is empty already.")))
    if ask.notes.get("all") and not _is_part(ask):
        return rows
    if not _is_part(ask) and not ask.notes.get("ids") and not ask.notes.get("goods"):
        return rows if len(rows) == 1 else lacking(ask, "product", _which_of_cart(rows), rows)
    kinds, codes, ids = goods.categories(ask), goods.listed_in(ask, "codes"), goods.listed_in(ask, "ids")
    fitting = [
        row
        for row in rows
        if row.text("product_id") in ids
        or any(f" {code} " in f" {row.text('name_ko')} " for code in codes)
        or (not codes and row.text("category") in kinds)
    ]
    if not fitting:
        return Outcome(declined(ask, filled(_NOT_THERE.ko, _NOT_THERE.en, items=_cart_said(rows))))
    meant = goods.best(ask, fitting)
    return meant.rows if meant.one is not None or ids else lacking(ask, "product", _which_of_cart(meant.rows), rows)


_NOT_THERE: Final = Said(
    "장바구니에 그 상품이 없습니다. 담긴 것은 {items}입니다.", "Your cart does not hold that. It holds {items}."
)


def _cart_said(rows: Sequence[QueryRow]) -> Said:
    return wording.goods([wording.pieces(full_name(row), int(row.number("quantity") or 1)) for row in rows])


def _which_of_cart(rows: Sequence[QueryRow]) -> Said:
    return filled(
        "장바구니의 어떤 상품인가요? {items}이 있습니다.",
        "Which of your cart do you mean? It holds {items}.",
        items=_cart_said(rows),
    )


def _remove(ask: Ask, found: Found) -> Outcome:
    rows = _in_cart(ask, found)
    if isinstance(rows, Outcome):
        return rows
    count = {"quantity": int(ask.notes["quantity"])} if ask.notes.get("quantity") and len(rows) == 1 else {}
    return prepared(
        ask,
        [
            action_request("REMOVE_FROM_CART", "order_remove_from_cart", product_id=row.text("product_id"), **count)
            for row in rows
        ],
        rows,
    )


def _recount(ask: Ask, found: Found) -> Outcome:
    rows = _in_cart(ask, found)
    if isinstance(rows, Outcome):
        return rows
    if not ask.notes.get("quantity") or len(rows) != 1:
        many = Said("몇 개로 바꿀까요?", "How many shall it be?")
        return lacking(ask, "quantity", many, rows)
    row, wanted = rows[0], int(ask.notes["quantity"])
    change = wanted - int(row.number("quantity") or 0)
    if not change:
        same = filled("이미 {n}개 담겨 있습니다.", "The cart holds {n} already.", n=str(wanted))
        return Outcome(answered(ask, same))
    name, tool = ("ADD_TO_CART", "order_add_to_cart") if change > 0 else ("REMOVE_FROM_CART", "order_remove_from_cart")
    wish = action_request(name, tool, product_id=row.text("product_id"), quantity=abs(change))
    return prepared(ask, [wish], rows)


def _coupon_calls(ask: Ask) -> Sequence[Call]:
    return [*cart_calls(ask), query("own_coupons", _COUPON_FIELDS, mode="rows", tool=_OWN, limit=100)]


def _coupon(ask: Ask, found: Found) -> Outcome:
    rows = rows_of(found.readings, "own_cart")
    if not rows:
        return Outcome(
            declined(
                ask,
                Said("장바구니가 비어 있어 쿠폰을 쓸 수 없습니다.", "Your cart is empty, so no coupon can be used."),
            )
        )
    total = sum(((row.number("price_krw") or Decimal(0)) * (row.number("quantity") or 1) for row in rows), Decimal(0))
    coupon = coupon_of(replace(ask, notes={"coupon": "best", **ask.notes}), found, total)
    if coupon is None or isinstance(coupon, AskAnswer):
        return Outcome(coupon or declined(ask, Said("쓸 쿠폰이 없습니다.", "There is no coupon to use.")))
    return prepared(ask, [action_request("APPLY_COUPON", "order_apply_coupon", coupon_id=coupon.text("coupon_id"))])


def _dropped(ask: Ask, _found: Found) -> Outcome:
    """Tell that what was under way is let be; nothing of it was done."""
    of = ask.notes.get("of", "")
    sentence = next((said for part, said in _LET_BE if part in of), _LET_BE[-1][1])
    return Outcome(answered(ask, sentence))


_LET_BE: Final = (
    (
        "order",
        Said(
            "알겠습니다. 주문하지 않았고, 결제된 것도 없습니다.", "All right. Nothing was ordered and nothing was paid."
        ),
    ),
    (
        "cancel",
        Said(
            "알겠습니다. 취소하지 않았고, 주문은 그대로입니다.",
            "All right. Nothing was cancelled; the order stays as it is.",
        ),
    ),
    (
        "refund",
        Said(
            "알겠습니다. 환불을 요청하지 않았고, 주문은 그대로입니다.",
            "All right. No refund was made; the order stays as it is.",
        ),
    ),
    (
        "exchange",
        Said(
            "알겠습니다. 아무것도 바꾸지 않았고, 주문은 그대로입니다.",
            "All right. Nothing was changed; the order stays as it is.",
        ),
    ),
    (
        "",
        Said("알겠습니다. 진행하지 않았고, 바뀐 것은 없습니다.", "All right, it was not done and nothing was changed."),
    ),
)

ANSWERERS: Final = (
    Answerer("act_order", AGENTS, _order, _order_calls),
    Answerer("act_add", AGENTS, _add, goods.shop_calls),
    Answerer("act_remove", AGENTS, _remove, cart_calls),
    Answerer("act_recount", AGENTS, _recount, cart_calls),
    Answerer("act_coupon", AGENTS, _coupon, _coupon_calls),
    Answerer("act_dropped", (*AGENTS, "commerce.after_sales"), _dropped),
)
