"""A seller's own listings: another price, another stock, offered or not; a new one."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from services.contract.asks import Ask, Said
from services.contract.flow import ActionRequest
from services.domains.commerce.actions.wording import won
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.proposing import OWN, lacking, prepared
from services.domains.commerce.asks.goods.saying import full_name
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, asking_back, declined
from services.plugin.asks.telling import QueryRow, filled, query, rows_of
from services.plugin.findings import action_request
from services.text.patterns import Pattern

AGENTS: Final = ("commerce.listing_assistant",)
"""Who keeps listings."""
_FIELDS: Final = ("listing_id", "product_id", "name_ko", "name_en", "category", "price_krw", "stock", "status")


def _calls(_ask: Ask) -> Sequence[Call]:
    return [query("own_listings", _FIELDS, mode="rows", tool=OWN, limit=200)]


def _update(ask: Ask, found: Found) -> Outcome:
    rows = rows_of(found.readings, "own_listings")
    if not rows:
        none = Said(
            "판매자 본인의 상품만 바꿀 수 있습니다. 등록한 상품이 없습니다.",
            "Only a seller's own listings can be changed, and you have none.",
        )
        return Outcome(declined(ask, none))
    row = _meant(ask, rows)
    if isinstance(row, Outcome):
        return row
    changes = _changes(ask, row)
    if not changes:
        price = filled("{name}의 가격을 얼마로 바꿀까요?", "What shall the price of {name} be?", name=full_name(row))
        return lacking(ask, "price", price, [row])
    if (beyond := _beyond(row, changes, is_lowered=bool(ask.notes.get("stock_step")))) is not None:
        return Outcome(declined(ask, beyond))
    wish = action_request("UPDATE_LISTING", "seller_update_listing", listing_id=row.text("listing_id"), **changes)
    return prepared(ask, [wish], [row])


def _beyond(row: QueryRow, changes: dict[str, Any], *, is_lowered: bool) -> Said | None:
    """Return that a price or a stock cannot go so low; None where each can be, or what is said is no number of pieces."""
    if is_lowered and changes.get("stock", 0) < 0:
        return filled(
            "{name}의 재고는 {n}개라 그만큼 줄일 수 없습니다. 바뀐 것은 없습니다.",
            "{name} has {n} in stock, so it cannot be lowered by so many. Nothing was changed.",
            name=full_name(row),
            n=str(int(row.number("stock") or 0)),
        )
    if changes.get("price_krw", 1) < 1:
        return filled(
            "{name}의 판매가는 {n}이라 그만큼 내릴 수 없습니다. 바뀐 것은 없습니다.",
            "{name} costs {n}, so it cannot be lowered by so much. Nothing was changed.",
            name=full_name(row),
            n=won(int(row.number("price_krw") or 0)),
        )
    return None


def _meant(ask: Ask, rows: Sequence[QueryRow]) -> QueryRow | Outcome:
    named = goods.named_in(ask, rows)
    if not named and (goods.categories(ask) or goods.listed_in(ask, "codes") or goods.listed_in(ask, "ids")):
        not_yours = Said("그 상품은 내 판매 상품에 없습니다.", "You have no listing of that product.")
        return Outcome(declined(ask, not_yours))
    meant = goods.best(replace(ask, notes={"said": ask.notes.get("said", "")}), named or rows)
    if meant.one is not None:
        return meant.one
    return lacking(ask, "product", goods.which(meant.rows), meant.rows[:3])


def _changes(ask: Ask, row: QueryRow) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if (price := _shall_be(ask, "price", row.number("price_krw"))) is not None:
        changes["price_krw"] = price
    elif percent := ask.notes.get("percent"):
        scaled = (row.number("price_krw") or Decimal(0)) * (100 + Decimal(percent)) / 100
        changes["price_krw"] = int(scaled.quantize(Decimal(1), rounding=ROUND_HALF_UP))
    if (stock := _shall_be(ask, "stock", row.number("stock"))) is not None:
        changes["stock"] = stock
    if state := ask.notes.get("state"):
        changes["status"] = state
    return changes


def _shall_be(ask: Ask, name: str, stands: Decimal | None) -> int | None:
    """Return what a figure shall be: what is said, or what stands more or less by what is said; None for neither."""
    aim, step = ask.notes.get(name), ask.notes.get(f"{name}_step")
    return int(aim or stands or 0) + int(step or 0) if aim or step else None


_NAME: Final = Pattern(
    r"(?:이름|상품명|제품명|name|called)(?:은|는|이|\sis)?\s?[:：]?\s?['\"“‘]?(?P<name>[^'\"”’,.\n]{2,100})|['\"“‘](?P<quoted>[^'\"”’]{2,100})['\"”’]",
    re.IGNORECASE,
)
_PRICE: Final = Pattern(r"(?P<n>\d[\d,]*)\s?(?P<u>만|천)?\s?(?:원|won|KRW)", re.IGNORECASE)
_IMAGE: Final = Pattern(r"https://[A-Za-z0-9.-]+/[!-~]*")
_ABOUT: Final = Pattern(r"(?:설명|description)(?:은|는)?\s?[:：]?\s?(?P<text>.{50,})", re.IGNORECASE | re.DOTALL)
_SCALE: Final = {"만": 10_000, "천": 1_000}


def _create(ask: Ask, _found: Found) -> Outcome:
    """Check what a new listing needs, name what is missing, and propose it where nothing is."""
    wish = _new(ask)
    if isinstance(wish, list):
        ko, en = ", ".join(one.ko for one in wish), ", ".join(one.en for one in wish)
        sentence = Said(
            f"상품을 등록하려면 {ko}이 더 필요합니다. 한 메시지에 함께 적어 주세요.",
            f"To list it I still need {en}. Please give them in one message.",
        )
        return Outcome(asking_back(ask, sentence, *wish))
    return prepared(ask, [wish])


def _no_seller(ask: Ask, _found: Found) -> Outcome:
    """Tell somebody who sells nothing that sellers alone list; the tool gateway refuses a listing that lacks nothing."""
    wish = _new(ask)
    return Outcome(declined(ask, _SELLERS_ALONE), actions=() if isinstance(wish, list) else (wish,))


_SELLERS_ALONE: Final = Said("상품 등록은 판매자만 할 수 있습니다.", "Only sellers can list products.")


def _new(ask: Ask) -> ActionRequest | list[Said]:
    """Return the listing that a message describes, or what it lacks."""
    text = ask.notes.get("text", "")
    name, price, about = _NAME.search(text), _PRICE.search(text), _ABOUT.search(text)
    kinds, images = goods.categories(ask), _IMAGE.findall(text)
    missing = [
        said
        for there, said in (
            (name, Said("이름(2~100자)", "its name (2-100 letters)")),
            (price, Said("가격", "its price")),
            (kinds, Said("분류", "its category")),
            (about, Said("설명(50자 이상)", "a description (50 letters or more)")),
            (images, Said("사진 주소(https, 1~10장)", "addresses of 1-10 images (https)")),
        )
        if not there
    ]
    if missing or name is None or price is None or about is None:
        return missing
    sum_krw = int(price["n"].replace(",", "")) * _SCALE.get(price["u"] or "", 1)
    return action_request(
        "CREATE_LISTING",
        "seller_create_listing",
        name=(name["quoted"] or name["name"]).strip(),
        category=kinds[0],
        price_krw=sum_krw,
        description=about["text"].strip()[:5_000],
        image_urls=images[:10],
    )


ANSWERERS: Final = (
    Answerer("act_listing", AGENTS, _update, _calls),
    Answerer("act_new_listing", AGENTS, _create),
    Answerer("act_no_seller", AGENTS, _no_seller),
)
