"""Where an order goes, as a message says it: an address written out, the one on file, or a place without an address. Pure."""

from typing import Final

from services.domains.commerce.asks.acts import words
from services.plugin.asks.sheet import Sheet

DEFAULT: Final = "default"
"""The address on file."""
OF_ORDER: Final = "of_order"
"""The note of a message that wants the address of an order that is made to be another one."""
UNKNOWN: Final = "?"
"""What an address begins with that is a place only, whose address is to be asked for."""
_PROVINCE: Final = (
    r"(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|충청|전북|전남|전라|경북|경남|경상|제주)[가-힣]*"
)
_PARTS: Final = r"(?:[가-힣]{1,5}(?:시|군|구|읍|면)\s){0,3}"
_ROAD: Final = r"[가-힣0-9]{1,14}(?:로|길|동|리|가)\s?(?:\d{1,4}(?:-\d{1,4})?)(?:번지|번길\s?\d{1,4})?"
_WITHIN: Final = r"(?:[,\s]{1,2}(?:[가-힣A-Za-z0-9]{2,12}\s)?\d{1,4}\s?(?:동|호|층)(?!안|텔|수|네))*"
_KOREAN: Final = rf"(?P<whole>(?:{_PROVINCE}\s{_PARTS}|(?:[가-힣]{{1,5}}(?:시|군|구)\s){{1,3}}){_ROAD}{_WITHIN})"
_STREETS: Final = (
    r"street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|square|way|close|court|terrace|daero|ro|gil"
)
_ENGLISH: Final = (
    rf"(?P<whole>\d{{1,5}}(?:-\d{{1,4}})?\s(?:[A-Za-z'-]+[\s-]){{1,4}}?(?:{_STREETS})\b\.?"
    r"(?:,\s?(?!(?:please|thanks|by|on|with|and)\b)[A-Za-z0-9][\w'-]*(?:\s(?!please\b)[\w'-]+){0,2}){0,4})"
)
_PLACE_KO: Final = (
    r"(?P<place>회사|사무실|직장|학교|기숙사|작업실|가게|본가|친정|시댁|처가|[가-힣]{1,4}(?:네|\s?집|\s?댁))\s?(?:으로|로|에|에다)\s?"
    r"(?:\S+\s)?(?:보내|배송|부쳐|받|가게|바꿔|변경|부탁)"
)
_PLACE_EN: Final = (
    r"\b(?:to|at)\s(?:my\s|the\s|our\s)?(?P<place>office|work(?:place)?|school|dorm|shop|studio"
    r"|(?:mum|mom|mother|dad|father|parents?|sister|brother|friend|neighbou?r|in-laws)(?:'s?|s')?(?:\s(?:place|house|home|flat))?)\b"
)
_OWN_HOME: Final = r"(?:내|제|우리|저희)\s?(?:집|네)"


def address(sheet: Sheet) -> str:
    """Return an address that a message writes out, DEFAULT for the one on file, or UNKNOWN with a place that has none."""
    if written := written_out(sheet):
        return written
    match = sheet.find(words.NEW_ADDRESS)
    if match is not None and (said := match["ko"] or match["town"] or match["en"]):
        text = said.strip(" .,")
        if any(mark.isdigit() for mark in text):
            return text
    if sheet.says(words.OWN_ADDRESS):
        return DEFAULT
    place = sheet.find(_PLACE_KO) or sheet.find(_PLACE_EN)
    return f"{UNKNOWN}{place['place']}" if place is not None and not sheet.says(_OWN_HOME) else ""


def written_out(sheet: Sheet) -> str:
    """Return the address that a message writes out, whatever stands around it."""
    match = sheet.find(_KOREAN) or sheet.find(_ENGLISH)
    return match["whole"].strip(" .,") if match is not None else ""
