"""What belongs to the person who asks: orders and where they are, what may be given back, points, coupons, the cart."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, AskVerdict, Ground, Said, Told
from services.contract.flow import Evidence
from services.domains.commerce.asks.goods import AGENTS
from services.domains.commerce.asks.goods_rows import full_name, short_name
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, REFUND_DAYS_MAX, RETURN_SHIPPING_KRW, SHIPPING_KRW
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, declined, ruled
from services.plugin.asks.edits import pointed, short, told_last
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    decimal,
    exact_won,
    filled,
    listed,
    proof,
    query,
    rows_of,
    sentences,
)

OWN: Final = "own_"
"""What the answerers of own things begin with."""
_TOOL: Final = "query_own_data"
_DO: Final = (
    r"(?:리뷰|후기|상품평|별점)[가-힣]?\s?(?:쓰|써|쓸|남기|작성|등록)|취소\s?(?:해\s?줘|해줘|할게|할래|하고\s?싶|부탁|해\s?주|요청|시켜)|환불\s?(?:해\s?줘|해줘|할게|할래|해주|요청|부탁|진행)|반품\s?(?:해\s?줘|해줘|할게|해주|요청|진행)|교환\s?(?:해\s?줘|해줘|할게|해주|요청)|바꿔\s?줘"
    r"|담아|넣어|빼\s?(?:줘|주)|삭제|비워|결제\s?(?:해|할게|진행)|주문\s?(?:해|할게)|사\s?줘|살게|\bplease (?:cancel|refund)|^cancel\b|^refund\b|^return\b|i (?:want|would like|'d like) (?:a |to )|\bremove\b|\badd\b|\bput\b|check ?out"
)
_MINE: Final = r"내\s|내가|나\s|나의|제\s|제가|저\s|저의|나한테|\bmy\b|\bi\b|\bi've\b|\bmine\b"
_ORDERS: Final = (
    r"주문\s?(?:한|했|내역|목록|건|상태|들?\s?(?:중|보여|알려|어떻게|조회|확인))|내\s?주문|제\s?주문|시킨|시켰|배송|택배|송장|운송장|구매\s?내역|산\s?(?:거|것)|미결제|결제\s?(?:안|대기|전)"
    r"|\borders?\b|\bparcels?\b|\bpackages?\b|\bdeliver|tracking|\bshipped\b|i (?:bought|ordered)|where(?:'s| is) my"
)
_GIVE_BACK: Final = r"환불|반품|refund|\breturn(?:ed|able|ing)?\b|send (?:it |them )?back|money back"
_CANCEL: Final = r"취소|\bcancel"
_EXCHANGE: Final = r"교환|맞바꾸|다른\s?(?:색|사이즈|걸로|것으로)(?:으?로)?\s?(?:바꿀|바꾸|교체)|\bexchange|\bswap\b"
_MAY: Final = r"되나|돼|될까|되는|가능|할\s?수|받을\s?수|있(?:을까|나|어|나요|어요)|되려나|\bcan\b|\bmay\b|possible|allowed|still|eligible|is it too late"
_HOW: Final = r"어떻게|방법|절차|누가\s?(?:내|부담)|배송비|규정|정책|기간|며칠|언제까지|how (?:do|can|long|many days)|who pays|policy|rules?\b|what (?:is|are) the"
_POINTS: Final = r"포인트|적립금|마일리지|\bpoints?\b|reward balance"
_COUPONS: Final = r"쿠폰|할인권|coupons?\b|vouchers?\b"
_CART: Final = r"장바구니|카트|\bcart\b|\bbasket\b"
_STATES: Final = {
    "pending": Said("결제 대기", "awaiting payment"),
    "paid": Said("결제 완료(상품 준비 전)", "paid, not yet being prepared"),
    "preparing": Said("상품 준비 중", "being prepared"),
    "shipped": Said("배송 중", "shipped, on its way"),
    "delivered": Said("배송 완료", "delivered"),
    "cancel_requested": Said("취소 요청 중", "cancellation requested"),
    "cancelled": Said("취소됨", "cancelled"),
    "refund_requested": Said("환불 요청 중", "refund requested"),
    "refunded": Said("환불 완료", "refunded"),
}
_WANTED: Final = (
    (
        ("pending",),
        r"결제\s?(?:안|대기|전|하지\s?않|되지\s?않)|미결제|안\s?낸|unpaid|not (?:yet )?paid|awaiting payment|haven't paid",
    ),
    (
        ("pending", "paid", "preparing"),
        r"(?:발송|출고|배송)\s?(?:안|전|되지\s?않|하지\s?않|준비)|아직\s?안\s?(?:보낸|나간)|not (?:yet )?(?:been )?shipped|haven't shipped",
    ),
    (("shipped",), r"배송\s?중|오는\s?중|오고\s?있|송장|운송장|on (?:its|the|their) way|in transit|tracking"),
    (("delivered",), r"배송\s?완료|받은|도착한|delivered|received"),
    (("cancelled", "cancel_requested"), r"취소(?:된|한|됐)|cancel+ed"),
    (("refunded", "refund_requested"), r"환불(?:된|한|받은|됐)|refunded"),
)
_ORDER_FIELDS: Final = (
    *("order_id", "status", "product_id", "name_ko", "name_en", "category", "quantity", "unit_price_krw", "goods_krw"),
    *("shipping_krw", "paid_krw", "ordered_at", "delivered_at", "carrier", "tracking_number"),
)
_OTHERS: Final = r"(?:^|\s)(?P<ko>[A-Za-z][A-Za-z0-9_]{2,20}|[가-힣]{2,4})(?:의|이|님의|님|씨)?\s?(?:주문|포인트|쿠폰|장바구니|구매)|(?:of|for|from)\s(?:user\s)?(?P<en>[a-z][a-z0-9_]{2,20})\b|\b(?P<en2>[a-z][a-z0-9_]{2,20})'s (?:orders?|points?|coupons?|cart)"
_NO_NAMES: Final = frozenset(
    (
        *("the", "my", "mine", "all", "any", "this", "that", "which", "each", "it", "them", "those", "user", "me"),
        *("your", "our", "these", "order", "orders", "product", "item", "coupon", "coupons", "points", "show", "what"),
        *("week", "month", "year", "today", "unpaid", "recent", "last", "open", "pending", "gmarket"),
    )
)


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about the person's own orders, points, coupons and cart; acts are not read here."""
    if _other(sheet) and not sheet.says(_DO):
        return (Claim(_ask(sheet, "others", AskForm.STATUS, "track_delivery"), 0.95),)
    if _is_of_others(sheet):
        return ()
    edited = _edited(sheet, before)
    if edited and _leans(sheet, before):
        return edited
    claim = _first(sheet)
    return (claim,) if claim is not None else edited


def _leans(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message points to what was told before, or uses a coupon on it."""
    points = pointed(sheet, before, "order") is not None and not sheet.of_kind("order_id")
    return points or (sheet.says(_COUPONS) and sheet.says(r"쓰면|적용|사용하면|\bwith\b|\buse\b|apply"))


def _is_of_others(sheet: Sheet) -> bool:
    """Tell whether a message is an act, a seller's, of another domain, or two requests that the router tells apart."""
    may = sheet.says(_MAY) and sheet.says(r"될까|되나|가능|can i|\bstill\b|돼\?|되나요|할\s?수")
    return (
        (sheet.says(_DO) and not may)
        or (sheet.user_type == "seller" and sheet.says(r"매출|판매|revenue|sales"))
        or sheet.says(r"대출|보증금|세금|전세|월세|청약|주식|관세|lease|deposit|loan|\btax")
        or (sheet.says(_ORDERS) and sheet.says(rf"{_COUPONS}|{_POINTS}"))
    )


def _first(sheet: Sheet) -> Claim | None:
    """Return the ask of the first topic that the words are of; a topic may find that nothing is asked of it."""
    return next(
        (claim(sheet) for words, others, claim in _TOPICS if sheet.says(words) and not sheet.says(others)), None
    )


def _is_bought(sheet: Sheet) -> bool:
    words = r"주문한|시킨|산\s?(?:거|것|[가-힣]+)|구매한|받은|i bought|i ordered|my\b"
    return bool(sheet.of_kind("order_id")) or sheet.says(words)


def _claim_exchange(sheet: Sheet) -> Claim | None:
    asked = sheet.says(_MAY) or sheet.says(_HOW)
    return Claim(_ask(sheet, "exchange", AskForm.VERDICT, "search_product"), 0.95) if asked else None


def _claim_return(sheet: Sheet) -> Claim | None:
    how = sheet.says(_HOW)
    if sheet.says(_MAY) and not (how and not (sheet.says(_MINE) or _is_bought(sheet))):
        return Claim(_ask(sheet, "refundable", AskForm.VERDICT, "refund_request"), 0.9)
    return Claim(_ask(sheet, "return_rule", AskForm.PROCEDURE, "search_product"), 0.95) if how else None


def _claim_cancel(sheet: Sheet) -> Claim | None:
    asked = sheet.says(_MAY) and (_is_bought(sheet) or sheet.says(r"주문|order"))
    return Claim(_ask(sheet, "cancellable", AskForm.VERDICT, "cancel_order"), 0.9) if asked else None


def _claim_cart(sheet: Sheet) -> Claim | None:
    return Claim(_ask(sheet, "cart", AskForm.STATUS, "track_delivery"), 0.95)


def _claim_points(sheet: Sheet) -> Claim | None:
    asked = sheet.says(_MINE) or sheet.says(r"얼마|몇|남|잔액|조회|how many|balance|expire|만료|소멸")
    return Claim(_ask(sheet, "points", AskForm.STATUS, "check_rewards"), 0.92) if asked else None


def _claim_coupons(sheet: Sheet) -> Claim | None:
    words = r"있|쓸|사용|보여|조회|목록|만료|available|have|show|expire|usable|can i use"
    asked = (sheet.says(_MINE) or sheet.says(words)) and not sheet.of_kind("category")
    return Claim(_ask(sheet, "coupons", AskForm.STATUS, "check_rewards"), 0.92) if asked else None


def _claim_orders(sheet: Sheet) -> Claim | None:
    number, own = sheet.of_kind("order_id"), sheet.says(_MINE)
    words = r"어디|언제|상태|조회|where|when|status|보여|show|track|송장|미결제|결제"
    stands = sheet.says(_ORDERS) and (own or _is_bought(sheet) or sheet.says(words))
    comes = own and sheet.says(r"\bwhere(?:'s| is)\b|어디쯤|언제\s?(?:와|오|도착)") and sheet.of_kind("category")
    of_rule = sheet.says(r"무료\s?배송|배송비|free (?:shipping|delivery)|shipping (?:fee|cost)") and not number
    asked = (number or stands or comes) and not of_rule
    return Claim(_ask(sheet, "orders", AskForm.STATUS, "track_delivery"), 0.92) if asked else None


_NEVER: Final = r"(?!)"
_TOPICS: Final[tuple[tuple[str, str, Callable[[Sheet], Claim | None]], ...]] = (
    (_EXCHANGE, r"교환\s?학생|exchange rate", _claim_exchange),
    (_GIVE_BACK, r"return (?:on|rate)|수익|return of", _claim_return),
    (_CANCEL, r"노이즈|noise|취소율|cancellation (?:rate|fee)|취소(?:된|한|됐)|cancel+ed", _claim_cancel),
    (_CART, r"golf|골프|캠핑", _claim_cart),
    (_POINTS, r"percentage point|퍼센트|%|코스피|포인트\s?(?:오|내|상승|하락)|basis|인테리어|벽지", _claim_points),
    (_COUPONS, _NEVER, _claim_coupons),
    (r"", _NEVER, _claim_orders),
)
"""Words of a topic, words that it is not meant beside, and what claims it."""


def _ask(sheet: Sheet, name: str, form: AskForm, intent: str) -> Ask:
    wanted = next((states for states, words in _WANTED if sheet.says(words)), ())
    quantities = (
        tuple(
            AskQuantity("coupon_percent", f"{one.value:f}", "percent", one.words)
            for one in sheet.numbers
            if one.unit == "percent"
        )
        if sheet.says(_COUPONS)
        else ()
    )
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=form,
        intent=intent,
        answerer=f"{OWN}{name}",
        subjects=(*sheet.of_kind("order_id"), *sheet.of_kind("category")),
        quantities=quantities,
        notes={"states": "|".join(wanted), "said": sheet.text},
    )


def _other(sheet: Sheet) -> str:
    """Return whose things are asked after where a person is named; empty for one's own."""
    match = sheet.find(_OTHERS)
    if match is None or not sheet.says(r"주문|포인트|쿠폰|장바구니|구매\s?내역|orders?|points|coupons?|cart"):
        return ""
    name = (match["ko"] or match["en"] or match["en2"] or "").lower()
    is_latin = name.isascii()
    if not name or name in _NO_NAMES or sheet.of_kind("category") or not is_latin:
        return (
            ""
            if not sheet.says(
                r"다른\s?(?:사람|회원|고객)|남의|친구|엄마|someone else|another (?:user|customer)|other (?:people|users|customers)"
            )
            else "other"
        )
    return name


def _edited(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return a short message that leans on what was told of own things just before."""
    last = next((ask for ask in before[0].asks if f".{OWN}" in ask.answerer), None) if before else None
    if last is None or not short(sheet.text, 10):
        return ()
    name = last.answerer.rpartition(f".{OWN}")[2]
    if name == "cart" and (sheet.says(r"합계|총|얼마|total|how much|in all") or sheet.says(_COUPONS)):
        return (Claim(_ask(sheet, "cart", AskForm.AMOUNT, last.intent), 0.9),)
    if name not in {"orders", "refundable", "cancellable"}:
        return ()
    edited = _of_order(sheet, before)
    return (Claim(edited, 0.9),) if edited is not None else ()


def _of_order(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return what a short message asks of the orders that were told of."""
    to = pointed(sheet, before, "order")
    told = to.told[:1] if to is not None and to.told else told_last(before, "order")[:1]
    meant = {"order": told[0].value} if told else {}
    if sheet.says(_GIVE_BACK) and told:
        ask = _ask(sheet, "refundable", AskForm.VERDICT, "refund_request")
        return replace(ask, notes={**ask.notes, **meant, "states": ""})
    ask = _ask(sheet, "orders", AskForm.STATUS, "track_delivery")
    if ask.notes["states"]:
        return ask
    asked = to is not None or sheet.says(r"언제|어디|상태|얼마|송장|when|where|status|how much|tracking")
    return replace(ask, notes={**ask.notes, **meant}) if told and asked else None


def _orders_calls(_ask: Ask) -> Sequence[Call]:
    return [query("own_orders", _ORDER_FIELDS, mode="rows", tool=_TOOL, order_by="ordered_at", limit=100)]


Order = tuple[QueryRow, ...]
"""The rows of one order, one for each product."""


def _orders_of(found: Found) -> list[Order]:
    orders: dict[str, list[QueryRow]] = {}
    for row in rows_of(found.readings, "own_orders"):
        orders.setdefault(row.text("order_id"), []).append(row)
    return [tuple(rows) for rows in orders.values()]


def _meant(ask: Ask, orders: Sequence[Order]) -> list[Order]:
    """Return the orders that are meant: by number, by what is in them, by state; all where nothing says."""
    ids = [one.value for one in ask.subjects if one.kind == "order_id"] + list(
        filter(None, [ask.notes.get("order", "")])
    )
    if ids:
        return [order for order in orders if order[0].text("order_id") in ids]
    categories = [one.value for one in ask.subjects if one.kind == "category"]
    states = list(filter(None, ask.notes.get("states", "").split("|")))
    kept = [order for order in orders if not categories or any(row.text("category") in categories for row in order)]
    # Of goods of several kinds the orders that hold all of them, where there is one.
    whole = [order for order in kept if {row.text("category") for row in order} >= set(categories)]
    kept = whole or kept
    return [order for order in kept if not states or order[0].text("status") in states]


def _day(row: QueryRow, field: str, found: Found) -> date | None:
    text = row.text(field)
    if not text:
        return None
    moment = datetime.fromisoformat(text.replace(" ", "T"))
    utc = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))
    return utc.astimezone(ZoneInfo(found.asking.time_zone)).date()


def _today(found: Found) -> date:
    return found.asking.now.astimezone(ZoneInfo(found.asking.time_zone)).date()


def _proofs(found: Found, title: Said, data_type: str) -> tuple[Evidence, ...]:
    return tuple(proof(one, title, found.asking.locale, data_type) for one in found.readings if one.rows)


def _ids(pieces: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(piece.evidence_id for piece in pieces)


_ORDERS_TITLE: Final = Said("내 주문", "Your orders")


def _items(order: Order, *, whole: bool = False) -> Said:
    name = full_name if whole else short_name
    return listed(
        [
            filled(
                "{name} {n}개", "{n} × {name}", name=_kind(row, name(row)), n=decimal(row.number("quantity") or 1, 0)
            )
            for row in order
        ]
    )


def _kind(row: QueryRow, name: Said) -> Said:
    """Return a product's short name with its kind: "미를렌 오크 D70 책상"."""
    if name == full_name(row):
        return name
    last = [word for word in row.text("name_ko").split() if word not in {"블랙", "화이트", "네이비", "베이지"}][-1]
    english = row.text("category").replace("_", " ")
    return Said(f"{name.ko} {last}", f"{name.en} {english}")


def _total(order: Order) -> Decimal:
    return (order[0].number("goods_krw") or Decimal(0)) + (order[0].number("shipping_krw") or Decimal(0))


def _order_said(order: Order, found: Found) -> Said:
    """Return an order in one sentence: its number, state, goods, sum, and where it is."""
    head, status = order[0], order[0].text("status")
    ordered = _day(head, "ordered_at", found)
    more = Said("", "")
    if status == "shipped":
        more = Said(
            f", {head.text('carrier')} 송장번호 {head.text('tracking_number')}",
            f", carrier {head.text('carrier')}, tracking number {head.text('tracking_number')}",
        )
    elif (delivered := _day(head, "delivered_at", found)) is not None:
        more = Said(f", {day_said(delivered).ko} 도착", f", delivered on {day_said(delivered).en}")
    day = day_said(ordered) if ordered else Said("", "")
    return filled(
        "{id} {state}: {items}, {total}, {day} 주문{more}",
        "{id} {state}: {items}, {total}, ordered on {day}{more}",
        id=head.text("order_id"),
        state=_STATES[status],
        items=_items(order),
        total=exact_won(_total(order)),
        day=day,
        more=more,
    )


def _told(order: Order) -> Told:
    return Told("order", order[0].text("order_id"), order[0].text("order_id"), {"status": order[0].text("status")})


def _no_orders(ask: Ask, orders: Sequence[Order]) -> Outcome:
    if any(one.kind == "order_id" for one in ask.subjects):
        ids = ", ".join(one.value for one in ask.subjects if one.kind == "order_id")
        sentence = filled(
            "본인의 주문 가운데 {ids:은/는} 없습니다.", "There is no order {ids} among your own orders.", ids=ids
        )
    elif not orders:
        sentence = Said("주문한 것이 없습니다.", "You have no orders.")
    else:
        sentence = Said("말씀하신 조건에 맞는 본인의 주문은 없습니다.", "None of your own orders is like that.")
    return Outcome(answered(ask, sentence))


def _orders(ask: Ask, found: Found) -> Outcome:
    """Return how the person's orders stand."""
    orders = _orders_of(found)
    meant = _meant(ask, orders)
    if not meant:
        return _no_orders(ask, orders)
    named = ask.subjects or ask.notes.get("order")
    open_ones = [order for order in meant if order[0].text("status") not in {"cancelled", "refunded", "delivered"}]
    if named and not ask.notes.get("states"):
        meant = open_ones or meant
    pieces = _proofs(found, _ORDERS_TITLE, "order")
    told = tuple(map(_told, meant))
    if len(meant) == 1:
        return Outcome(
            answered(ask, _one_order(meant[0], ask, found), evidence_ids=_ids(pieces), told=told), evidence=pieces
        )
    states = [order[0].text("status") for order in meant]
    counts = listed(
        [
            Said(f"{_STATES[one].ko} {states.count(one)}건", f"{states.count(one)} {_STATES[one].en}")
            for one in dict.fromkeys(states)
        ]
    )
    first = listed([_brief(order) for order in meant[:3]])
    sentence = filled(
        "주문은 {n}건입니다({counts}): {first}.",
        "There are {n} orders ({counts}): {first}.",
        n=str(len(meant)),
        counts=counts,
        first=first,
    )
    grounds = tuple(Ground(_order_said(order, found), _ids(pieces)[:1]) for order in meant)
    return Outcome(answered(ask, sentence, evidence_ids=_ids(pieces), told=told, grounds=grounds[:10]), evidence=pieces)


def _brief(order: Order) -> Said:
    return filled(
        "{id} {items} {total}",
        "{id} {items} {total}",
        id=order[0].text("order_id"),
        items=_items(order),
        total=exact_won(_total(order)),
    )


def _one_order(order: Order, ask: Ask, found: Found) -> Said:
    head, status = order[0], order[0].text("status")
    said = ask.notes.get("said", "")
    ordered = _day(head, "ordered_at", found)
    items, state = _items(order, whole=True), _STATES[status]
    if (
        ordered
        and any(word in said for word in ("언제 주문", "주문했", "언제 샀", "when did", "ordered"))
        and ask.notes.get("order")
    ):
        return filled(
            "{id:은/는} {day}에 주문했습니다: {items}, 지금 {state}입니다.",
            "{id} was ordered on {day}: {items}; it is {state}.",
            id=head.text("order_id"),
            day=day_said(ordered),
            items=items,
            state=state,
        )
    parts = [
        filled(
            "{items} 주문({id}, {total})은 {state}입니다.",
            "Your order {id} of {items} ({total}) is {state}.",
            items=items,
            id=head.text("order_id"),
            state=state,
            total=exact_won(_total(order)),
        )
    ]
    if status == "shipped":
        parts.append(
            filled(
                "택배사는 {carrier}, 송장번호는 {number}입니다.",
                "The carrier is {carrier}, the tracking number {number}.",
                carrier=head.text("carrier"),
                number=head.text("tracking_number"),
            )
        )
    if (delivered := _day(head, "delivered_at", found)) is not None:
        parts.append(filled("{day}에 도착했습니다.", "It was delivered on {day}.", day=day_said(delivered)))
    if ordered:
        parts.append(filled("{day}에 주문했습니다.", "It was ordered on {day}.", day=day_said(ordered)))
    return sentences(*parts)


def _refundable(ask: Ask, found: Found) -> Outcome:
    """Return whether an order may be given back, by the rule of days after delivery."""
    orders = _orders_of(found)
    meant = _meant(replace(ask, notes={**ask.notes, "states": ""}), orders)
    if not meant:
        return _no_orders(ask, orders)
    now, fee = _today(found), exact_won(RETURN_SHIPPING_KRW)
    pieces = _proofs(found, _ORDERS_TITLE, "order")
    rule = Ground(_return_rule(), _ids(pieces)[:1])
    delivered = [
        (order, day)
        for order in meant
        if order[0].text("status") == "delivered" and (day := _day(order[0], "delivered_at", found))
    ]
    more = {"evidence_ids": _ids(pieces), "grounds": (rule,), "told": tuple(map(_told, meant))}
    within = [(order, day) for order, day in delivered if day + timedelta(days=REFUND_DAYS_MAX) >= now]
    if within:
        order, day = within[0]
        last = day + timedelta(days=REFUND_DAYS_MAX)
        sentence = filled(
            "네, {items} 주문({id})은 환불이 가능합니다: {day}에 도착해 7일 안인 {last}까지이고, 반품 배송비 {fee}을 뺍니다.",
            "Yes, your order {id} of {items} can be refunded: it was delivered on {day}, so within the 7 days until {last}; return shipping of {fee} is taken off.",
            items=_items(order),
            id=order[0].text("order_id"),
            day=day_said(day),
            last=day_said(last),
            fee=fee,
        )
        return Outcome(ruled(ask, AskVerdict.YES, sentence, **more), evidence=pieces)
    if delivered:
        order, day = delivered[0]
        sentence = filled(
            "아니요, {items} 주문({id})은 {day}에 도착해 환불 기한인 7일이 지났으므로 환불받을 수 없습니다.",
            "No, your order {id} of {items} was delivered on {day}; the 7 days for a refund are over.",
            items=_items(order),
            id=order[0].text("order_id"),
            day=day_said(day),
        )
        return Outcome(ruled(ask, AskVerdict.NO, sentence, **more), evidence=pieces)
    order = meant[0]
    status = order[0].text("status")
    sentence = filled(
        "아니요, {items} 주문({id})은 {state} 상태라 아직 환불 대상이 아닙니다. 환불은 도착한 뒤 7일 안에 됩니다."
        if status not in {"cancelled", "refunded"}
        else "아니요, {items} 주문({id})은 이미 {state} 상태입니다.",
        "No, your order {id} of {items} is {state}; a refund is possible within 7 days of delivery."
        if status not in {"cancelled", "refunded"}
        else "No, your order {id} of {items} is {state} already.",
        items=_items(order),
        id=order[0].text("order_id"),
        state=_STATES[status],
    )
    return Outcome(ruled(ask, AskVerdict.NO, sentence, **more), evidence=pieces)


def _return_rule() -> Said:
    fee = exact_won(RETURN_SHIPPING_KRW)
    return Said(
        f"환불은 배송 완료 뒤 7일 안에 되고, 반품 배송비 {fee.ko}은 불량이나 오배송이 아니면 구매자가 냅니다.",
        f"A refund is possible within 7 days of delivery; the return shipping of {fee.en} is the buyer's, unless the goods are faulty or wrong.",
    )


def _cancellable(ask: Ask, found: Found) -> Outcome:
    """Return whether an order may still be cancelled, by its state."""
    orders = _orders_of(found)
    meant = _meant(ask, orders)
    if not meant:
        return _no_orders(ask, orders)
    open_ones = [order for order in meant if order[0].text("status") in {"pending", "paid", "preparing", "shipped"}]
    order = (open_ones or meant)[0]
    status = order[0].text("status")
    pieces = _proofs(found, _ORDERS_TITLE, "order")
    parts: dict[str, Said | str] = {
        "id": order[0].text("order_id"),
        "items": _items(order),
        "state": _STATES[status],
    }
    rule = Ground(
        Said(
            "결제 대기와 결제 완료는 취소되고, 상품 준비 중이면 판매자가 받아들여야 하며, 배송이 시작되면 취소되지 않고 도착한 뒤 7일 안에 환불됩니다.",
            "An unpaid or paid order can be cancelled, one being prepared if the seller agrees; once shipped it cannot, and is refunded within 7 days of delivery instead.",
        ),
        _ids(pieces)[:1],
    )
    more = {"evidence_ids": _ids(pieces), "grounds": (rule,), "told": (_told(order),)}
    if status in {"pending", "paid"}:
        sentence = filled(
            "네, {id} 주문({items})은 {state} 상태라 취소할 수 있습니다.",
            "Yes, {id} ({items}) is {state} and can be cancelled.",
            **parts,
        )
        return Outcome(ruled(ask, AskVerdict.YES, sentence, **more), evidence=pieces)
    if status == "preparing":
        sentence = filled(
            "조건에 따라 다릅니다: {id} 주문({items})은 {state}이라 판매자가 받아들여야 취소됩니다.",
            "It depends: {id} ({items}) is {state}, so the seller has to agree to the cancellation.",
            **parts,
        )
        return Outcome(ruled(ask, AskVerdict.DEPENDS, sentence, **more), evidence=pieces)
    if status == "shipped":
        sentence = filled(
            "아니요, {id} 주문({items})은 이미 배송 중이라 취소할 수 없습니다. 도착한 뒤 7일 안에 환불받을 수 있습니다.",
            "No, {id} ({items}) is already shipped and can no longer be cancelled. It can be refunded within 7 days of delivery.",
            **parts,
        )
    else:
        sentence = filled(
            "아니요, {id} 주문({items})은 {state} 상태라 취소할 수 없습니다.",
            "No, {id} ({items}) is {state} and cannot be cancelled.",
            **parts,
        )
    return Outcome(ruled(ask, AskVerdict.NO, sentence, **more), evidence=pieces)


def _exchange(ask: Ask, found: Found) -> Outcome:
    del found
    fee = exact_won(RETURN_SHIPPING_KRW)
    sentence = filled(
        "아니요, 교환은 되지 않습니다. 대신 배송 완료 뒤 7일 안이면 환불(반품 배송비 {fee})을 받고 다시 주문할 수 있습니다.",
        "No, exchanges are not offered. Within 7 days of delivery you can have a refund instead (return shipping {fee}) and order anew.",
        fee=fee,
    )
    return Outcome(ruled(ask, AskVerdict.NO, sentence))


def _rule(ask: Ask, found: Found) -> Outcome:
    """Return how goods are given back, in steps."""
    del found
    fee = exact_won(RETURN_SHIPPING_KRW)
    sentence = filled(
        "배송 완료 뒤 7일 안에 주문 번호와 이유를 말해 환불을 요청하면 됩니다. 반품 배송비 {fee}은 단순 변심이면 구매자가 내고, 불량이나 오배송이면 내지 않습니다.",
        "Ask for a refund within 7 days of delivery, with the order number and the reason. The return shipping of {fee} is the buyer's on a change of mind, and not where the goods are faulty or wrong.",
        fee=fee,
    )
    steps = (
        Said("1. 주문 번호를 확인합니다(“내 주문 보여줘”).", "1. Find the order number (“show my orders”)."),
        Said("2. 도착한 날부터 7일 안인지 확인합니다.", "2. Check that it is within 7 days of delivery."),
        Said(
            "3. 이유와 함께 환불을 요청하고, 보여 드리는 내용을 확인합니다.",
            "3. Ask for the refund with the reason, and confirm what is shown.",
        ),
        Said(
            "교환은 되지 않으므로 환불받고 다시 주문합니다.", "Exchanges are not offered: have a refund and order anew."
        ),
    )
    return Outcome(answered(ask, sentence, grounds=tuple(Ground(one) for one in steps)))


def _others(ask: Ask, found: Found) -> Outcome:
    del found
    return Outcome(
        declined(
            ask,
            Said(
                "다른 사람의 주문·포인트·쿠폰은 보여 드릴 수 없습니다. 본인의 것만 조회할 수 있습니다.",
                "I cannot show what belongs to another person; only your own orders, points and coupons can be looked up.",
            ),
        )
    )


def _points_calls(_ask: Ask) -> Sequence[Call]:
    return [
        query("own_points", ["points_krw"], mode="rows", tool=_TOOL, limit=1),
        query(
            "own_point_entries",
            ["delta_krw", "reason", "expires_on"],
            mode="rows",
            tool=_TOOL,
            order_by="expires_on",
            descending=False,
            limit=50,
        ),
    ]


def _points(ask: Ask, found: Found) -> Outcome:
    """Return the balance of points, and when they lapse."""
    pieces = _proofs(found, Said("내 포인트", "Your points"), "rewards")
    balance = next((row.number("points_krw") for row in rows_of(found.readings, "own_points")), None)
    amount = decimal(balance or 0, 0)
    entries = [
        row
        for row in rows_of(found.readings, "own_point_entries")
        if row.text("expires_on") and (row.number("delta_krw") or 0) > 0
    ]
    coming = [row for row in entries if date.fromisoformat(row.text("expires_on")[:10]) >= _today(found)]
    lapses = listed(
        [
            filled(
                "{day}에 {n}점",
                "{n} on {day}",
                day=day_said(row.text("expires_on")),
                n=decimal(row.number("delta_krw") or 0, 0),
            )
            for row in coming[:4]
        ]
    )
    sentence = filled("지금 포인트는 {amount}점입니다.", "You have {amount} points.", amount=amount)
    tail = filled("{lapses} 만료됩니다.", "They expire: {lapses}.", lapses=lapses) if coming else None
    return Outcome(answered(ask, sentences(sentence, tail), evidence_ids=_ids(pieces)), evidence=pieces)


def _coupons_calls(_ask: Ask) -> Sequence[Call]:
    fields = (
        "coupon_id",
        "name_ko",
        "name_en",
        "kind",
        "value",
        "order_min_krw",
        "discount_max_krw",
        "valid_until",
        "used_order_id",
    )
    return [query("own_coupons", fields, mode="rows", tool=_TOOL, order_by="valid_until", descending=False, limit=50)]


def _usable(found: Found) -> list[QueryRow]:
    rows = rows_of(found.readings, "own_coupons")
    return [
        row
        for row in rows
        if not row.text("used_order_id") and (day := _day(row, "valid_until", found)) and day >= _today(found)
    ]


def _coupon_said(row: QueryRow, found: Found) -> Said:
    day = _day(row, "valid_until", found)
    least = row.number("order_min_krw") or Decimal(0)
    rule = filled(", {least} 이상 주문", ", for orders from {least}", least=exact_won(least)) if least else Said("", "")
    most = (
        filled(", 최대 {m}", ", at most {m}", m=exact_won(row.number("discount_max_krw") or 0))
        if row.text("kind") == "percent"
        else Said("", "")
    )
    return filled(
        "{name}({day}까지{rule}{most})",
        "{name} (until {day}{rule}{most})",
        name=full_name(row),
        day=day_said(day) if day else Said("", ""),
        rule=rule,
        most=most,
    )


def _coupons(ask: Ask, found: Found) -> Outcome:
    """Return the coupons that can be used, the one that lapses first before the others."""
    usable = _usable(found)
    pieces = _proofs(found, Said("내 쿠폰", "Your coupons"), "rewards")
    if not usable:
        return Outcome(
            answered(
                ask,
                Said("지금 쓸 수 있는 쿠폰은 없습니다.", "You have no coupon that can be used now."),
                evidence_ids=_ids(pieces),
            ),
            evidence=pieces,
        )
    if _is_of_end(ask):
        sentence = filled(
            "가장 먼저 만료되는 쿠폰은 {first}입니다.",
            "The first to expire is {first}.",
            first=_coupon_said(usable[0], found),
        )
        rest = listed([_coupon_said(row, found) for row in usable[1:]])
        tail = filled("다음은 {rest}입니다.", "Then {rest}.", rest=rest) if rest.ko else None
        return Outcome(answered(ask, sentences(sentence, tail), evidence_ids=_ids(pieces)), evidence=pieces)
    sentence = filled(
        "지금 쓸 수 있는 쿠폰은 {n}장입니다: {names}.",
        "You have {n} coupons that can be used: {names}.",
        n=str(len(usable)),
        names=listed([_coupon_said(row, found) for row in usable]),
    )
    return Outcome(answered(ask, sentence, evidence_ids=_ids(pieces)), evidence=pieces)


def _is_of_end(ask: Ask) -> bool:
    said = ask.notes.get("said", "").lower()
    return any(word in said for word in ("먼저", "빨리", "첫", "first", "soonest"))


def _cart_calls(ask: Ask) -> Sequence[Call]:
    fields = ("product_id", "name_ko", "name_en", "category", "quantity", "price_krw", "stock")
    return [
        query("own_cart", fields, mode="rows", tool=_TOOL, limit=100),
        *(_coupons_calls(ask) if ask.quantities or "쿠폰" in ask.words or "coupon" in ask.words.lower() else ()),
    ]


def _cart(ask: Ask, found: Found) -> Outcome:
    """Return what is in the cart and what it comes to, with a coupon where one is named."""
    rows = rows_of(found.readings, "own_cart")
    pieces = _proofs(found, Said("내 장바구니", "Your cart"), "order")
    if not rows:
        return Outcome(answered(ask, Said("장바구니가 비어 있습니다.", "Your cart is empty.")))
    total = sum(((row.number("price_krw") or Decimal(0)) * (row.number("quantity") or 1) for row in rows), Decimal(0))
    shipping = Decimal(0) if total >= FREE_SHIPPING_FROM_KRW else Decimal(SHIPPING_KRW)
    less, coupon = _coupon_of_cart(ask, found, total)
    way = (
        Said("무료배송", "free shipping")
        if not shipping
        else Said(f"배송비 {exact_won(shipping).ko}", f"shipping {exact_won(shipping).en}")
    )
    items = listed(
        [
            filled(
                "{name} {n}개 {p}",
                "{n} × {name} {p}",
                name=full_name(row),
                n=decimal(row.number("quantity") or 1, 0),
                p=exact_won(row.number("price_krw") or 0),
            )
            for row in rows[:4]
        ]
    )
    if coupon is not None:
        sentence = filled(
            "{coupon} 쿠폰을 쓰면 {less}이 할인되어 {sum}입니다(상품 {total}, {way}).",
            "With the coupon “{coupon}” {less} comes off: {sum} to pay (goods {total}, {way}).",
            coupon=full_name(coupon),
            less=exact_won(less),
            sum=exact_won(total - less + shipping),
            total=exact_won(total),
            way=way,
        )
    elif ask.form is AskForm.AMOUNT:
        sentence = filled(
            "장바구니 합계는 {total}이고 {way}이라 모두 {sum}입니다.",
            "The cart comes to {total}; {way}, so {sum} in all.",
            total=exact_won(total),
            way=way,
            sum=exact_won(total + shipping),
        )
    else:
        sentence = filled(
            "장바구니에는 {n}개 상품이 있습니다: {items}. 합계는 {total}입니다({way}).",
            "There are {n} products in your cart: {items}. They come to {total} ({way}).",
            n=str(len(rows)),
            items=items,
            total=exact_won(total),
            way=way,
        )
    told = tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {"price_krw": row.text("price_krw")})
        for row in rows
    )
    return Outcome(answered(ask, sentence, evidence_ids=_ids(pieces), told=told), evidence=pieces)


def _coupon_of_cart(ask: Ask, found: Found, total: Decimal) -> tuple[Decimal, QueryRow | None]:
    """Return what the coupon that is named takes off the cart; none where it is not named or does not apply."""
    said = of_role(ask.quantities, "coupon_percent")
    for row in _usable(found):
        value = row.number("value") or Decimal(0)
        is_percent = row.text("kind") == "percent"
        named = said is not None and is_percent and value == Decimal(said.value)
        named = named or (not is_percent and said is None and total >= (row.number("order_min_krw") or 0))
        if named and total >= (row.number("order_min_krw") or 0):
            off = total * value // 100 if is_percent else value
            return min(off, row.number("discount_max_krw") or off), row
    return Decimal(0), None


ANSWERERS: Final = (
    Answerer(f"{OWN}orders", AGENTS, _orders, _orders_calls),
    Answerer(f"{OWN}refundable", AGENTS, _refundable, _orders_calls),
    Answerer(f"{OWN}cancellable", AGENTS, _cancellable, _orders_calls),
    Answerer(f"{OWN}exchange", AGENTS, _exchange),
    Answerer(f"{OWN}return_rule", AGENTS, _rule),
    Answerer(f"{OWN}others", AGENTS, _others),
    Answerer(f"{OWN}points", AGENTS, _points, _points_calls),
    Answerer(f"{OWN}coupons", AGENTS, _coupons, _coupons_calls),
    Answerer(f"{OWN}cart", AGENTS, _cart, _cart_calls),
)
