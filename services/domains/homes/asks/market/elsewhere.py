"""What the data on homes does not have: land and shops, and places that are none of its own."""

from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.homes.asks.homes_named import HOME_WORDS
from services.domains.homes.asks.market.drafting import INTENT
from services.domains.homes.asks.market.scope import PRICED, is_not_market
from services.domains.homes.asks.names import unknown_names
from services.plugin.asks.answering import Claim, Found, Outcome, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled

_KOREAN: Final = ("동", "구", "시", "군", "읍", "면", "리")
_LAND: Final = r"땅값|(?<![가-힣])땅(?=[\s을은이도]|$)|토지|임야|농지|대지\s?가격|지가(?![가-힣])|상가(?!\s?주택)|점포|공장|창고|사무실|빌딩|꼬마\s?빌딩|\bland\b|\bplots?\b|office space|\bshops?\b|warehouse|commercial (?:property|building)"


def not_here(sheet: Sheet) -> Claim | None:
    """Return the ask for what the data does not have: land and shops, places that are none of its own."""
    if is_not_market(sheet):
        return None
    asks_price = sheet.says(PRICED)
    if sheet.says(_LAND) and asks_price and (sheet.of_kind("region") or sheet.says(HOME_WORDS)):
        match = sheet.find(_LAND)
        notes = {"name": match.group() if match else "", "what": "kind"}
        return Claim(_elsewhere(sheet, notes), 0.95)
    means = sheet.says(r"뜻|무슨\s?말|의미|\bmean")
    names = unknown_names(sheet) if sheet.says(HOME_WORDS) and not (means or sheet.of_kind("region")) else ()
    # A name that ends as those of Korean places do is asked about: which city is it in?
    if names and asks_price and not _names_other(sheet) and not any(name.endswith(_KOREAN) for name in names):
        return Claim(_elsewhere(sheet, {"name": " ".join(names), "what": "place"}), 0.95)
    return None


def _names_other(sheet: Sheet) -> bool:
    """Tell whether a question names things of another domain: a share, an order."""
    return any(one.kind in {"security", "series", "order_id", "product_code"} and one.value for one in sheet.entities)


def _elsewhere(sheet: Sheet, notes: dict[str, str]) -> Ask:
    ask = Ask(words=sheet.text, end=len(sheet.text), intent=INTENT, form=AskForm.LEVEL, notes=notes)
    return replace(ask, answerer="market_elsewhere")


def not_in_data(ask: Ask, found: Found) -> Outcome:
    """Return that a place or a kind of property is not in the data, without another in its stead."""
    del found
    name = ask.notes.get("name", "")
    if ask.notes.get("what") == "kind":
        sentence = filled(
            "‘{name}’에 대한 값은 자료에 없어 답할 수 없습니다. 아파트·오피스텔·빌라·단독주택의 매매가와 전세, 월세를 물어보실 수 있습니다.",
            "Prices of “{name}” are not in the data, so I cannot tell. Ask about apartments, officetels, villas and houses.",
            name=name,
        )
    else:
        sentence = filled(
            "‘{name}’ 지역은 자료에 없어 답할 수 없습니다. 국내 주요 시·군·구의 시세를 물어보실 수 있습니다.",
            "“{name}” is not in the data, so I cannot tell. Ask about districts of Korea that the data covers.",
            name=name,
        )
    return Outcome(declined(ask, sentence))
