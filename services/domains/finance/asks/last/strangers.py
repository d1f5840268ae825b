"""Names that a message adds to what stands and nobody here knows, and sets of which but one thing was told.

"And Shinhan?", "how does that compare to Ford?", "하나금융이랑 비교하면": the frame of the conversation takes any name;
one that is no share, place, time or measure is told not to be there, and what stood before it stands on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.finance.asks.drafting import draft
from services.domains.finance.asks.named import measures_named, series_named
from services.domains.finance.securities import SECURITY
from services.plugin.asks.edits import asks_first_alone, is_fresh, is_of_last, last_of, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import standing
from services.plugin.entities import Entity
from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

_WORDS_MAX: Final = 9
_MISSING: Final = "finance.missing"
_NAME_EN: Final = Pattern(
    r"^\W*(?i:(?:and|or|so|ok|then|what about|how about|same for|the same for|compared? (?:it |that )?(?:to|with|against)|against|versus|vs\.?"
    r"|how (?:does|do|would) (?:that|it|this|they) (?:compare|stack up) (?:to|with|against)|(?:is|was) (?:it|that) \w+(?: \w+)? than)\s)+"
    r"(?P<name>[A-Z][\w&-]+(?:\s[A-Z][\w&-]+){0,2})(?:['’]s)?\W*$"
)
_NAME_KO: Final = Pattern(
    r"^\W*(?:(?:그럼|그러면|그리고|혹시|아니)\s)?(?P<name>[가-힣A-Z][가-힣A-Za-z&]{1,11}?)(?:은|는|도|이?랑은?|하고는?|와는?|과는?|보다는?)"
    r"(?:\s?(?:비교|견주|견줘|어때|어떤|얼마|싸|비싸|높|낮)\S*)?\W*$"
)
_IS_COMMON: Final = Pattern(
    r"평균|시장|업종|업계|동종|경쟁사|전체|다른\S*|나머지|[둘셋넷]|그[것거게]|이[것거]|저[것거]|얘|걔|둘\s?다|양쪽|그때|당시|지금|예전|옛날"
)
"""Words behind which nothing is named that is not there."""
_NAMING: Final = frozenset({"NNP", "SL"})
"""Tags of proper nouns and of words in foreign letters."""


def standing_frame(before: Sequence[AskedBefore]) -> Sequence[AskedBefore]:
    """Return what a message may go on from: a name that was not there has left what stood before it as it was.

    Where nothing stood before it, what was asked of it stands, for a name that is there; beside a mean the figure does.
    """
    before = [replace(one, asks=tuple(map(_without_mean, one.asks))) for one in before]
    at = next((at for at, one in enumerate(before) if not _is_missing(one)), len(before))
    if not at or any(ask.domain == "finance" for one in before[at : at + 1] for ask in one.asks):
        return before[at:]
    return [replace(one, asks=tuple(map(_as_level, one.asks))) for one in before[:at]] + list(before[at:])


def _without_mean(ask: Ask) -> Ask:
    """Return a figure that was held against a mean as that figure alone."""
    if ask.answerer != "finance.against_mean":
        return ask
    notes = {name: value for name, value in ask.notes.items() if name not in {"class", "mean"}}
    return replace(ask, answerer="finance.level", form=AskForm.LEVEL, notes=notes)


def _is_missing(message: AskedBefore) -> bool:
    return bool(message.asks) and all(
        ask.domain == "finance"
        and (ask.answerer == _MISSING or (bool(ask.subjects) and all(map(_is_uncovered, ask.subjects))))
        for ask in message.asks
    )


def _is_uncovered(one: Entity) -> bool:
    return one.attributes.get("covered") == "false"


def _as_level(ask: Ask) -> Ask:
    """Return what was asked of a share that is not there, as of any share."""
    if ask.answerer != _MISSING or not ask.measures:
        return ask
    notes = {
        name: value for name, value in ask.notes.items() if name not in {"missing", "absent", "beside", "preferred"}
    }
    return replace(ask, answerer="finance.level", form=AskForm.LEVEL, notes=notes)


def stranger(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return that a name is not there which a message adds to the shares just told of; None where it adds none."""
    last = last_of(before, "finance") if is_of_last(before, "finance") and not is_fresh(sheet) else None
    of_shares = last is not None and any(one.kind == SECURITY for one in last.subjects)
    if not of_shares or not short(sheet.text, _WORDS_MAX) or measures_named(sheet) or series_named(sheet, wide=True):
        return None
    match = (_NAME_KO if sheet.language == "ko" else _NAME_EN).search(sheet.text.strip())
    if match is None or any(one.value != one.words for one in sheet.entities):
        return None
    name = match["name"]
    if _IS_COMMON.fullmatch(name):
        return None
    held_against = sheet.language == "ko" and sheet.says(r"비교|견주|견줘")
    if (
        sheet.language == "ko"
        and not held_against
        and not {tag for one in morphemes(name) for tag in one.tags} & _NAMING
    ):
        return None
    share = Entity(SECURITY, f"?:{name}", name, name, attributes={"covered": "false"})
    return draft(sheet, AskForm.LEVEL, "missing", (share,), notes={"missing": ""})


_OF_SEVERAL: Final = (
    r"그\s?중|이\s?중|그\s?가운데|그것들|걔네|[둘셋넷]\s?중|\b(?:of|among|between) (?:those|these|them)\b"
)


def alone_told(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return that but one share was told of, where a message asks for the first of several; None else."""
    told = standing(before, SECURITY)
    asks_first = sheet.superlative is not None and (
        sheet.says(_OF_SEVERAL) or asks_first_alone(sheet, "종목|회사|주식")
    )
    if not is_of_last(before, "finance") or len(told.singles) != 1 or not asks_first or is_fresh(sheet):
        return None
    one = told.singles[0]
    if measures_named(sheet) and not sheet.says(_OF_SEVERAL):
        return None
    return draft(sheet, AskForm.LIST, "none_told", (Entity(one.kind, one.value, one.label),))
