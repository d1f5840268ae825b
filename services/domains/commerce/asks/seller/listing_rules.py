"""What a listing has to be, and what is wrong with one that is read out: the shop's limits, each with the words at fault."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Ground, Said
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Found, Outcome, answered, ruled
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled, listed, sentences
from services.text.patterns import Pattern

_RULES: Final = RULES.listings
_QUOTED: Final = r"\W{0,4}(?:은|는|:|is)?\s?[\"“'‘](?P<text>[^\"”'’]*)[\"”'’]"
_LABELS: Final = r"상품명|제품명|이름|제목|가격|판매가|상품\s?설명|상세\s?설명|설명|사진|이미지|카테고리|\b(?:name|title|price|description|text|images?|photos?|category)\b"
NAMED_PART: Final = (
    r"(?:상품명|제품명|(?:상품|제품)\s?(?:이름|설명)|상세\s?설명)|\b(?:product|item) (?:names?|titles?|descriptions?)\b"
)
"""A part of a listing by its own name."""
_UNQUOTED: Final = rf"\s?[:=]\s?(?P<plain>[^\s\"“'‘].*?)(?=[,;/]?\s(?:{_LABELS})|$)"
"""What is read out behind a label and a colon, as far as the next label."""
_NAME: Final = Pattern(rf"(?:상품명|제품명|이름|제목|name|title)(?:{_QUOTED}|{_UNQUOTED})", re.IGNORECASE)
_TEXT: Final = Pattern(
    rf"(?:상품\s?설명|상세\s?설명|설명|description|\btext\b)(?:{_QUOTED}|{_UNQUOTED})", re.IGNORECASE
)
_LENGTH: Final = Pattern(
    r"(?:설명|본문)(?:은|는|이|을|를)?\s?(?P<a>[\d,]+)\s?(?:글자|자)|(?P<b>[\d,]+)[- ]?(?:characters?|letters?)(?: of)?(?: text| description)?"
    r"|description (?:is|has|of) (?P<c>[\d,]+)",
    re.IGNORECASE,
)
"""A description that is told by its length alone."""
_NO_IMAGES: Final = r"(?:사진|이미지)(?:은|는|이|도)?\s?(?:없|안)|\bno (?:photos?|images?|pictures?)|without (?:photos?|images?|pictures?)"
_IMAGES: Final = Pattern(
    r"(?:사진|이미지)(?:은|는|이)?\s?(?P<a>\d+)\s?(?:장|개)?|(?P<b>\d+|one|two|three|four|five)\s?(?:장의\s)?(?:사진|photos?|images?|pictures?|pics?)",
    re.IGNORECASE,
)
_COUNTED: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_PRICE: Final = Pattern(r"(?:가격|판매가|값|price)", re.IGNORECASE)
_PARTS: Final = {
    "name": Said("이름", "name"),
    "price": Said("가격", "price"),
    "description": Said("설명", "description"),
    "images": Said("사진", "images"),
}


def rules_ask(sheet: Sheet) -> Ask:
    """Return the ask what a listing has to be."""
    return Ask(
        words=sheet.text, end=len(sheet.text), form=AskForm.PROCEDURE, intent="create_listing", answerer="listing_rules"
    )


def wording_ask(sheet: Sheet) -> Ask | None:
    """Return the ask whether words may stand in a listing, which its limits say nothing of; None where none is asked."""
    asked = sheet.says(_MAY_SAY) and sheet.says(rf"{_LABELS}|문구|\blisting\b")
    return replace(rules_ask(sheet), form=AskForm.VERDICT, notes={"wording": "yes"}) if asked else None


_MAY_SAY: Final = (
    r"[\"“'‘][^\"”'’]{2,}[\"”'’]\s?(?:이?라고|이?라는)?\s?(?:말|문구|표현)?(?:을|를|은|는)?\s?(?:써|쓰|적|넣|올리)[가-힣]*\s?(?:되|돼|될|괜찮|문제|수)"
    r"|\b(?:can|may|could|should) (?:i|we) (?:write|say|put|use|claim)\b.*[\"“'‘]"
    r"|\b(?:is it|would it be) (?:ok(?:ay)?|fine|allowed|alright) to (?:write|say|put|use|claim)\b.*[\"“'‘]"
)
"""Asks whether words that are quoted may be written."""


def check_ask(sheet: Sheet) -> Ask | None:
    """Return the ask whether a listing that is read out meets the limits; None where none is."""
    found = dict(_parts(sheet))
    if len(found) < _PARTS_MIN:
        return None
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.REVIEW,
        intent="create_listing",
        answerer="listing_check",
        notes={f"listing_{name}": value for name, value in found.items()},
    )


_PARTS_MIN: Final = 2
"""A listing is read out where so many of its parts are."""


def _parts(sheet: Sheet) -> Iterator[tuple[str, str]]:
    if name := _NAME.search(sheet.text):
        yield "name", _read_out(name)
    if text := _TEXT.search(sheet.text):
        yield "description", _read_out(text)
    elif length := _LENGTH.search(sheet.text):
        yield "length", next(filter(None, length.groups())).replace(",", "")
    taken = [(match.start(), match.end()) for match in (name, text) if match]
    prices = [
        one for one in sheet.numbers if one.unit == "krw" and not any(start <= one.start < end for start, end in taken)
    ]
    if prices and (name or _PRICE.search(sheet.text)):
        yield "price", f"{prices[0].value:f}"
    if sheet.says(_NO_IMAGES):
        yield "images", "0"
    elif images := _IMAGES.search(sheet.text):
        said = (images["a"] or images["b"]).lower()
        yield "images", str(_COUNTED.get(said, said))


def _read_out(match: re.Match[str]) -> str:
    return match["text"] if match["plain"] is None else match["plain"].strip(" ,;")


def tell_rules(ask: Ask, found: Found) -> Outcome:
    """Return the limits of each part."""
    del found
    (name_low, name_high), (text_low, text_high) = _RULES.name_chars, _RULES.description_chars
    low, high = _RULES.images
    sentence = Said(
        f"이름은 {name_low}~{name_high}자, 설명은 {text_low}~{text_high:,}자, 사진은 {low}~{high}장이고 가격은 0원보다 커야 합니다.",
        f"A listing needs a name of {name_low} to {name_high} characters, a description of {text_low} to {text_high:,}, {low} to {high} images and a price above zero.",
    )
    step = Said(
        "이름·가격·설명·사진 수를 적어 주시면 기준에 맞는지 봐 드립니다.",
        "Tell me name, price, description and the number of images, and I check them against the limits.",
    )
    if ask.notes.get("wording"):
        return Outcome(ruled(ask, AskVerdict.DEPENDS, sentences(_OF_WORDS, sentence), next_steps=(step,)))
    return Outcome(answered(ask, sentence, next_steps=(step,)))


_OF_WORDS: Final = Said(
    "경우에 따라 다릅니다: 여기의 등록 기준은 길이, 사진 수와 가격만 정하고 있어, 그 문구를 써도 되는지는 판단할 수 없습니다. 증명할 수 없는 최고·보장 표현은 광고 규정에 걸릴 수 있으니 따로 확인하셔야 합니다.",
    "That depends: the limits of a listing here are of length, images and price alone, so I cannot tell whether those words may be used. Claims that cannot be proved, of the best or of guarantees, may break the rules of advertising; have them checked.",
)


def tell_check(ask: Ask, found: Found) -> Outcome:
    """Return each part that breaks a limit with its words, and what was not read out."""
    del found
    given = {name: ask.notes[f"listing_{name}"] for name in _PARTS if f"listing_{name}" in ask.notes}
    if (length := ask.notes.get("listing_length", "")) and "description" not in given:
        given["description"] = "…" * int(length)
    faults = [fault for name, value in given.items() if (fault := _fault(name, value)) is not None]
    lacking = [label for name, label in _PARTS.items() if name not in given]
    if faults:
        names = listed([_PARTS[name] for name, value in given.items() if _fault(name, value) is not None])
        head = filled(
            "아직 등록할 수 없습니다: {names:이/가} 기준에 맞지 않습니다. {first}",
            "It cannot be listed yet, the limits are not met by: {names}. {first}",
            names=names,
            first=faults[0],
        )
    else:
        head = Said(
            "읽어 주신 내용은 모두 등록 기준에 맞습니다.", "All that you read out meets the limits of a listing."
        )
    missing = filled("알려 주지 않은 것: {what}.", "Not told: {what}.", what=listed(lacking)) if lacking else None
    return Outcome(
        answered(ask, sentences(head, missing), grounds=tuple(map(Ground, faults[1:])), missing=tuple(lacking))
    )


def _fault(name: str, value: str) -> Said | None:
    """Return what is wrong with a part, with its own words; None where nothing is."""
    match name:
        case "name":
            return _length_fault(name, value, _RULES.name_chars)
        case "description":
            return _length_fault(name, value, _RULES.description_chars)
        case "images":
            low, high = _RULES.images
            count = int(value)
            if low <= count <= high:
                return None
            return Said(
                f"사진이 {count}장입니다: {low}~{high}장이어야 합니다.",
                f"There are {count} images: it has to be {low} to {high}.",
            )
        case _:
            low, high = _RULES.price_krw
            price = int(float(value))
            if low <= price <= high:
                return None
            limit = exact_won(high)
            return Said(
                f"가격이 {price:,}원입니다: 0원보다 크고 {limit.ko} 이하여야 합니다.",
                f"The price is KRW {price:,}: it has to be above zero and at most {limit.en}.",
            )


def _length_fault(name: str, value: str, limits: tuple[int, int]) -> Said | None:
    low, high = limits
    length = len(value.strip())
    if low <= length <= high:
        return None
    label = _PARTS[name]
    if not value.strip("…"):
        return Said(
            f"{label.ko}이 {length}자입니다: {low}~{high:,}자여야 합니다.",
            f"The {label.en} has {length} characters: it has to have {low} to {high:,}.",
        )
    shown = value if len(value) <= 40 else f"{value[:40]}…"
    return Said(
        f"{label.ko} “{shown}”은 {length}자입니다: {low}~{high:,}자여야 합니다.",
        f"The {label.en} “{shown}” has {length} characters: it has to have {low} to {high:,}.",
    )
