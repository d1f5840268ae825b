"""Points and coupons of the person who asks."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Said
from services.domains.commerce.asks.bills import coupons_calls, points_call, points_in, taken_off, usable_coupons
from services.domains.commerce.asks.goods.saying import full_name
from services.domains.commerce.asks.own.words import COUPONS, POINTS
from services.domains.commerce.asks.rows_own import OWN_TOOL, day_of, evidence_ids_of, proofs_of, today_of
from services.plugin.asks.answering import Call, Found, Outcome, answered, ruled
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    decimal,
    exact_won,
    filled,
    listed,
    query,
    rows_of,
    sentences,
)
from services.text.patterns import Pattern

_OWN_DECISION: Final = Said(
    "1점은 결제할 때 1원으로 쓸 수 있고, 쓸지는 본인이 정하시면 됩니다. 만료일까지는 필요한 것이 없으면 서둘러 쓸 까닭이 없습니다.",
    "A point pays one won at checkout; whether to use them is yours to decide. Until they expire there is no need to buy anything for their sake.",
)


def points_calls(_: Ask) -> Sequence[Call]:
    """Return the look-ups of the asker's own points and their entries."""
    return [
        points_call(),
        query(
            "own_point_entries",
            ["delta_krw", "reason", "expires_on"],
            mode="rows",
            tool=OWN_TOOL,
            order_by="expires_on",
            descending=False,
            limit=50,
        ),
    ]


def coupon_calls(_: Ask) -> Sequence[Call]:
    """Return the query for the caller's coupons."""
    return coupons_calls()


def tell_points(ask: Ask, found: Found) -> Outcome:
    """Return the balance of points, and when they lapse."""
    pieces = proofs_of(found, Said("내 포인트", "Your points"), "rewards")
    amount = decimal(points_in(found), 0)
    entries = [
        row
        for row in rows_of(found.readings, "own_point_entries")
        if row.text("expires_on") and (row.number("delta_krw") or 0) > 0
    ]
    coming = [row for row in entries if date.fromisoformat(row.text("expires_on")[:10]) >= today_of(found)]
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
    advice = _OWN_DECISION if ask.form is AskForm.ADVICE else None
    return Outcome(
        answered(ask, sentences(sentence, tail, advice), evidence_ids=evidence_ids_of(pieces)), evidence=pieces
    )


def _coupon_said(row: QueryRow, found: Found, order: Decimal | None = None) -> Said:
    """Return a coupon by its name and rules, and what it takes off an order of so much."""
    off = taken_off(row, order) if order else Decimal(0)
    saves = filled("{off} 할인, ", "{off} off, ", off=exact_won(off)) if off else Said("", "")
    day = day_of(row, "valid_until", found)
    least = row.number("order_min_krw") or Decimal(0)
    rule = filled(", {least} 이상 주문", ", for orders from {least}", least=exact_won(least)) if least else Said("", "")
    most = (
        filled(", 최대 {m}", ", at most {m}", m=exact_won(row.number("discount_max_krw") or 0))
        if row.text("kind") == "percent"
        else Said("", "")
    )
    return filled(
        "{name}({saves}{day}까지{rule}{most})",
        "{name} ({saves}until {day}{rule}{most})",
        name=full_name(row),
        saves=saves,
        day=day_said(day) if day else Said("", ""),
        rule=rule,
        most=most,
    )


def tell_coupons(ask: Ask, found: Found) -> Outcome:
    """Return the coupons that can be used, the one that lapses first before the others."""
    usable = usable_coupons(found)
    if order := ask.notes.get("order_krw", ""):
        return _coupons_for(ask, found, Decimal(order))
    pieces = proofs_of(found, Said("내 쿠폰", "Your coupons"), "rewards")
    if not usable:
        return Outcome(
            answered(
                ask,
                Said("지금 쓸 수 있는 쿠폰은 없습니다.", "You have no coupon that can be used now."),
                evidence_ids=evidence_ids_of(pieces),
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
        return Outcome(answered(ask, sentences(sentence, tail), evidence_ids=evidence_ids_of(pieces)), evidence=pieces)
    sentence = filled(
        "지금 쓸 수 있는 쿠폰은 {n}장입니다: {names}.",
        "You have {n:coupon/coupons} to use now: {names}.",
        n=str(len(usable)),
        names=listed([_coupon_said(row, found) for row in usable]),
    )
    return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces)), evidence=pieces)


def _coupons_for(ask: Ask, found: Found, order: Decimal) -> Outcome:
    """Return the coupons that an order of so much can use, and those that need more."""
    usable = usable_coupons(found)
    pieces = proofs_of(found, Said("내 쿠폰", "Your coupons"), "rewards")
    fit = sorted((row for row in usable if taken_off(row, order)), key=lambda row: -taken_off(row, order))
    others = [row for row in usable if row not in fit]
    best, *rest = [_coupon_said(row, found, order) for row in fit] or [Said("", "")]
    if re.search(_MOST_OFF, ask.words, re.IGNORECASE):
        next_best = filled("다음은 {rest}입니다.", "Then {rest}.", rest=listed(rest)) if rest else None
        first = filled(
            "{order} 주문에서 가장 많이 아끼는 쿠폰은 {best}입니다.",
            "On an order of {order} the coupon that saves most is {best}.",
            order=exact_won(order),
            best=best,
        )
        head = sentences(first, next_best)
    else:
        head = filled(
            "네, {order} 주문에 쓸 수 있는 쿠폰은 {names}입니다.",
            "Yes: an order of {order} can use {names}.",
            order=exact_won(order),
            names=listed([best, *rest]),
        )
    none = filled(
        "아니요, {order} 주문에 쓸 수 있는 쿠폰이 없습니다.",
        "No, none of your coupons can be used on an order of {order}.",
        order=exact_won(order),
    )
    least = listed([_coupon_said(row, found) for row in others])
    more = filled("더 큰 주문에 쓰는 것: {names}.", "For larger orders: {names}.", names=least) if others else None
    sentence = sentences(head if fit else none, more)
    return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces)), evidence=pieces)


_MOST_OFF: Final = r"제일|가장|더\s?(?:이득|유리|싸|나은)|이득|유리|어느|어떤\s?(?:게|거|것|쿠폰)|\b(?:most|best|better|which|biggest)\b"
"""Asks which of some coupons is worth most."""


def order_sum(sheet: Sheet) -> str:
    """Return the sum of an order that a message speaks of; empty where it names none, or several."""
    sums = [
        one
        for one in sheet.numbers
        if one.unit == "krw" and one.value >= 1 and not _COUPON_BEHIND.match(sheet.text, one.end)
    ]
    return f"{sums[0].value:f}" if len(sums) == 1 and sheet.says(_ORDER_OF_SUM) else ""


def asks_best(sheet: Sheet) -> bool:
    """Tell whether it is asked which coupon takes the most off an order of so much."""
    return sheet.says(COUPONS) and sheet.says(_MOST_OFF) and bool(order_sum(sheet))


_COUPON_BEHIND: Final = Pattern(
    r"\s?(?:짜리\s)?(?:할인|쿠폰|포인트|off\b|coupon|voucher|discount|point)", re.IGNORECASE
)
"""Stands behind a sum that is a coupon's own: "5천원 쿠폰"."""
_ORDER_OF_SUM: Final = (
    r"(?:원|만|천)(?:어치|짜리|에|이면|인데|을|를)?\s?(?:\S+\s)?(?:주문|사면|살\s?때|결제|구매)"
    r"|\b(?:order|purchase|basket|buy\w*|spend\w*)\b|\bfor (?:KRW\s|₩)?[\d,.]+(?:\s?(?:million|thousand))?(?:\s?won)?\W*$"
)
"""Speaks of an order of so much."""


def _is_of_end(ask: Ask) -> bool:
    said = ask.notes.get("said", "").lower()
    return any(word in said for word in ("먼저", "빨리", "첫", "first", "soonest"))


_TOGETHER: Final = r"같이|함께|동시에|한꺼번에|한\s?번에|중복|둘\s?다|\bboth\b|\btogether\b|\bcombin|\bat (?:the same time|once)\b|\bstack"
_MAY_BE: Final = r"수\s?있|되나|돼|될까|가능|\bcan\b|\bmay\b|\ballowed\b|\bpossible\b|\bdo(?:es)?\b"


def is_of_both(sheet: Sheet) -> bool:
    """Tell whether it is asked if coupons, or a coupon and points, may be used on one order, or on one that is placed."""
    both = sheet.says(COUPONS) and (sheet.says(POINTS) or sheet.says(_SEVERAL_COUPONS))
    asks = sheet.says(_MAY_BE) and not (sheet.of_kind("category") or sheet.of_kind("product_code"))
    later = asks and sheet.says(COUPONS) and sheet.says(_ORDERED)
    return later or (both and asks and sheet.says(rf"{_TOGETHER}|{_SEVERAL_COUPONS}"))


_ORDERED: Final = r"(?:주문|결제)\s?(?:한|하고|했는데|끝난|완료한?|된)\s?(?:나서|다음|뒤|후|주문|거|것|건)|이미\s?(?:주문|결제)|\bafter (?:i(?:'ve| have)? )?(?:order|pa(?:y|id)|buy)|\balready (?:ordered|paid|placed)|\b(?:existing|placed) order"
"""Speaks of an order that is placed already."""


_SEVERAL_COUPONS: Final = r"쿠폰\s?(?:을\s?)?(?:여러|두|2|세|3)\s?(?:장|개)|(?:여러|두|2|세|3)\s?(?:장|개)의?\s?쿠폰|쿠폰끼리|\b(?:two|2|several|multiple|more than one) coupons?\b"


def tell_both(ask: Ask, _found: Found) -> Outcome:
    """Return the shop's rule: one coupon an order, and points on what is left of the goods."""
    of_points = re.search(POINTS, ask.words, re.IGNORECASE) is not None
    lead = Said(
        "네, 쿠폰 한 장과 포인트는 한 주문에 같이 쓸 수 있습니다.",
        "Yes, one coupon and points can be used on the same order.",
    )
    one = Said("아니요, 한 주문에는 쿠폰을 한 장만 쓸 수 있습니다.", "No, an order takes one coupon.")
    rule = Said(
        "쿠폰을 먼저 빼고 남은 상품값에 포인트를 쓰며, 배송비에는 쓰지 않습니다.",
        "The coupon comes off first, points pay for what is left of the goods, and neither pays for shipping.",
    )
    if re.search(_ORDERED, ask.words, re.IGNORECASE):
        return Outcome(ruled(ask, AskVerdict.NO, _NOT_LATER))
    verdict = AskVerdict.YES if of_points else AskVerdict.NO
    return Outcome(ruled(ask, verdict, sentences(lead if of_points else one, rule)))


_NOT_LATER: Final = Said(
    "아니요, 쿠폰은 주문할 때만 쓸 수 있고 이미 한 주문에는 더할 수 없습니다. 상품 준비 전이면 주문을 취소하고 쿠폰을 써서 다시 주문할 수 있습니다.",
    "No, a coupon is used when an order is placed and cannot be added to one that is. As long as it is not being prepared the order can be cancelled and placed anew with the coupon.",
)
