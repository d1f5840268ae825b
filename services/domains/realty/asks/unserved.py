"""What people ask around homes that nobody here tells or does (unserved.yaml), known by its meaning and said honestly."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Final

from pydantic import Field

from services.contract.asks import Ask, AskedBefore, AskForm, Ground, Said
from services.domains.homes.asks import meant as of_homes
from services.domains.realty.asks import meant as of_sums
from services.domains.realty.asks.proved import SEARCH
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.plugin.entries import Entry
from services.text.meaning import Meaning

FILE: Final = "unserved.npz"
"""What is fitted to the examples; `python -m services.domains.realty.asks.encoding` writes it."""
_PACKAGE: Final = "services.domains.realty.asks"
_SERVED: Final = "served"
"""The kind of what is answered here, or elsewhere."""
_AHEAD: Final = 0.5
"""How far before all others a thing has to be to be told as not served."""
_OF_HOMES: Final = (
    r"집|아파트|빌라|전세|월세|동네|등기|청약|분양|재개발|재건축|부동산|전입|확정일자|임대|이사|건물|주택"
    r"|home|house|flat|apartment|rent|lease|neighbou?r|property|registr|building|landlord|street|area"
)
_CHARS_MAX: Final = 160
_WORDS_MIN: Final = 3
_ANY_PLACE: Final = {"ko": "여기", "en": "here"}
"""What stands for a place that is named, as in the examples."""


class _Unserved(Entry):
    id: str
    """Its name."""
    ko: str
    """What is said in Korean."""
    en: str
    """What is said in English."""
    instead_ko: str
    """What can be asked instead, in Korean."""
    instead_en: str
    """What can be asked instead, in English."""
    says: tuple[str, ...] = Field(min_length=1)
    """What people say of it."""


class _Document(Entry):
    elsewhere: tuple[str, ...] = Field(min_length=1)
    """What is said of other things, or of nothing in particular."""
    things: tuple[_Unserved, ...] = Field(min_length=1)
    """What is not served."""


@cache
def _document() -> _Document:
    return _Document.model_validate(read_yaml(_PACKAGE, "unserved.yaml"))


@cache
def _unserved() -> dict[str, _Unserved]:
    return {one.id: one for one in _document().things}


@cache
def meaning() -> Meaning:
    """Return what people say of each thing that is not served, held against what they say of those that are."""
    homes, sums = of_homes.meaning(), of_sums.meaning()
    served = (*homes.said(but=of_homes.OTHER), *sums.said(but=of_sums.OTHER), *_document().elsewhere)
    examples = {one.id: one.says for one in _unserved().values()}
    return Meaning({**examples, _SERVED: served}, resources.files(_PACKAGE).joinpath(FILE))


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for what is not served; nothing where a question may be of anything else."""
    if len(sheet.text.split()) < _WORDS_MIN or len(sheet.text) > _CHARS_MAX or sheet.of_kind("security"):
        return ()
    (kind, score), (_, following) = meaning().of(of_homes.masked(sheet, place=_ANY_PLACE))[:2]
    # Where no word of a home or place is said a message may be of anything.
    of_homes_said = sheet.says(_OF_HOMES) or bool(sheet.of_kind("region"))
    if kind == _SERVED or score - following < _AHEAD or not of_homes_said:
        return ()
    notes = {"thing": kind}
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.FACT, intent="LEGAL_CONSULT", notes=notes)
    return (Claim(replace(ask, answerer="unserved"), 0.93),)


def _answer(ask: Ask, found: Found) -> Outcome:
    del found
    thing = _unserved()[ask.notes["thing"]]
    instead = Ground(Said(thing.instead_ko, thing.instead_en))
    return Outcome(declined(ask, Said(thing.ko, thing.en), grounds=(instead,)))


def meant_or_unserved(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the sum that a question means, else that what it wants is not served."""
    return of_sums.read(sheet, before) or read(sheet)


ANSWERERS: Final = (Answerer("unserved", SEARCH, _answer),)
