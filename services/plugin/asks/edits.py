"""A follow-up as an edit of an earlier ask, and what words such as "the second one" point to."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from services.contract.asks import Ask, AskedBefore, Origin, Told
from services.plugin.asks.comparatives import side
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import PAIR, StandingSet, standing
from services.plugin.entities import Entity
from services.plugin.vocabulary import spoken
from services.text.patterns import Pattern
from services.text.speech import any_of

# "On second thought", "wait a second" and "the second half" point to nothing that was told.
_ORDINALS: Final = (
    (
        1,
        r"첫\s?(?:번째|째)|1\s?번(?:째)?|맨\s?(?:위|앞)|(?<!\bat )\bfirst\b(?![\s-](?:of all|time|purchase|half|quarter|floor)\b)|\b1st\b|\b(?:number|no\.?|option) (?:one|1)\b|^\W*1\W*$",
    ),
    (
        2,
        r"두\s?번째|둘째|2\s?번(?:째)?|[2이]\s?[등위](?![가-힣]*기)|(?<!\ba )(?<!\bone )\bsecond\b(?![\s-](?:thoughts?|hand|time|half|quarter|floor|opinion)\b)|\b2nd\b|\b(?:number|no\.?|option) (?:two|2)\b|^\W*2\W*$",
    ),
    (
        3,
        r"세\s?번째|셋째|3\s?번(?:째)?|[3삼]\s?[등위](?![가-힣]*기)|\bthird\b(?![\s-](?:part|quarter|floor))|\b3rd\b|\b(?:number|no\.?|option) (?:three|3)\b|^\W*3\W*$",
    ),
    (4, r"네\s?번째|넷째|4\s?번(?:째)?|\bfourth\b|\b4th\b|\b(?:number|no\.?|option) (?:four|4)\b|^\W*4\W*$"),
    (5, r"다섯\s?번째|5\s?번(?:째)?|\bfifth\b|\b5th\b|\b(?:number|no\.?|option) (?:five|5)\b|^\W*5\W*$"),
    (6, r"여섯\s?번째|6\s?번(?:째)?|\bsixth\b|\b6th\b|\b(?:number|no\.?|option) (?:six|6)\b|^\W*6\W*$"),
    (-1, r"마지막\s?(?:거|것|번|꺼)|맨\s?(?:끝|뒤|아래)|\blast one\b"),
)
OF_SET: Final = (
    r"둘\s?중|둘\s?다|셋\s?중|넷\s?중|그\s?중(?:에|에서)?|이\s?중(?:에|에서)?|이\s?가운데|그\s?가운데|거기서|여기서|그것들|걔네|방금\s?(?:것|거)들|아까\s?(?:것|거)들"
    r"|of (?:those|these|them|the two|the three)|among (?:them|those|these)|어느\s?쪽이|어디가\s?더|뭐가\s?더|누가\s?더|\bboth\b|which one\b|\bwhich (?:is|has|was|did|costs?|of)\b|between (?:them|the two)"
)
_ONE_KO: Final = r"그거|그것|그게|그건|그걸|그\s?(?:곳|구|동네|지역|값|가격|금액|돈)|거기|거긴|거기는|이거|이것|이건|저거|얘는|걔는|아까\s?(?:그|본|말한|추천한|추천해\s?준|보여\s?준|알려\s?준)"
_ONE_EN: Final = r"it|its|that(?: one)?|this(?: one)?|there|that (?:district|area|place|price)"
_OTHER: Final = r"다른\s?(?:거|것|건|걸|게|쪽|곳|하나)|나머지|\bthe other(?: one)?\b|the rest\b|\b(?:another|a different) one\b|^\W*(?:\w+ ){0,4}(?:some|any)thing else(?: (?:instead|please|then))?\W*$"
_BACK: Final = (
    r"아까|방금|앞서|다시\s?(?:돌아|그)|다시\s?\S{1,5}\s?(?:얘기|이야기|질문)|(?:얘기|이야기)로?\s?(?:돌아|다시|계속)|(?:로|으로)\s?(?:다시\s?)?돌아|계속(?:하자|해)|이어서|그\s?(?:동네|지역)"
    r"|(?:하|보|말하|얘기하|이야기하)던\s|\b(?:the|that) \w+ (?:we|i) (?:were|was|had been|talked|spoke|looked|asked)\b|\bback to\b|\bearlier\b|\bbefore that\b|\bagain\b|\bcontinue with\b|\bthat (?:district|area)\b"
)
_MORE_OR_LESS: Final = (
    r"cheaper|dearer|pricier|higher|lower|bigger|larger|smaller|better|worse|stronger|weaker|(?:more|less) expensive"
)
_COMPARED: Final = (
    r"(?:그|거기|여기|그것|그거|이거|이것)\s?보다|(?:거기|그거|그것|그\s?(?:곳|동네|집))(?:이?랑|하고|와|과)\s|까지\s?(?:포함|합|해서|넣|셋|넷|다섯|다\s|모두)|"
    r"(?:이|하고|와|과|랑)(?:은|는)?\s?(?:비교|견(?:주|줘|줄|준)|(?:얼마나?\s?)?차이)|비교\s?(?:해|하면|하면\?)"
    r"|[가-힣](?:이?랑|하고|와|과)(?:은|는)(?:요)?\W*$|(?:이|가|은|는|쪽이|쪽은|게)\s?더\s?(?:싸|싼|비싸|비싼|저렴|높|낮|크|커|컸|작|많|적|나아|낫|좋|올랐|내렸|빠졌|떨어졌)"
    rf"|\b(?:is|are|was|were) (?:it|they|that|those) (?:any |much )?(?:{_MORE_OR_LESS}) (?:in|at|for|than)\b"
    r"|\bany (?:cheaper|dearer|pricier|higher|lower|better|worse|less|more)\b"
    rf"|\b(?:is|are|was|were) [^.?!,]{{2,40}}? (?:{_MORE_OR_LESS})\W*$"
    r"|compared?\b[^.?!]{0,30}?\b(?:with|to|against)\b|versus|\bvs\b|\bhow (?:does|do|would|did) [^.?!]{1,40} compare\b"
)
_CORRECTION: Final = r"^(?:아|아니|어)\s|말고|아니라|아니고|그게\s?아니|정정|바꿔|바꾸|고쳐|i meant|instead|rather than|\bnot\b .*\bbut\b|sorry|actually|change (?:it|that|the)|make (?:it|the|that)"
_CORRECTS: Final = Pattern(_CORRECTION, re.IGNORECASE)
_FRESH: Final = r"처음부터|다른\s?(?:얘기|질문|주제|거|걸|것)(?:를|을)?\s?(?:물|여쭤|질문|하나\s?(?:물|더\s?물))|(?:다른|새(?:로운)?)\s?(?:얘기|질문|주제)|새로\s?(?:시작|물)|그건\s?됐고|start over|new question|different (?:topic|question)|forget (?:that|it)"


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a message points to in an earlier answer."""

    how: Literal["one", "set", "ordinal", "other"]
    """A single thing, the whole set, one by its place, or what is left of it."""
    told: tuple[Told, ...]
    """What is pointed to, in the order of telling; empty where nothing of the kind was told."""


def pointed(sheet: Sheet, before: Sequence[AskedBefore], kind: str = "") -> Pointed | None:
    """Return what a message points to; None where it points to nothing.

    Args:
        sheet: The message.
        before: Earlier messages, the latest first.
        kind: Only what is of this kind, "region" for example; anything where empty.
    """
    stands = standing(before, kind)
    if numbers := [number for number, words in _ORDINALS if sheet.says(words)]:
        count = len(stands.listed)
        places = sorted({number - 1 if number > 0 else count - 1 for number in numbers})
        told = tuple(stands.listed[place] for place in places if 0 <= place < count)
        return Pointed("set" if len(told) > 1 else "ordinal", told)
    if some := first_few(sheet, stands):
        return Pointed("set", some)
    if sheet.says(OF_SET):
        return Pointed("set", stands.several(number_said(sheet)))
    if sheet.says(_OTHER):
        return Pointed("other", stands.others)
    if sheet.says(_one()):
        return Pointed("one", stands.last[:1])
    return None


def points_to_one(sheet: Sheet) -> bool:
    """Tell whether a message speaks of one thing that was told without naming it: "it", "그거", "그 집"."""
    return sheet.says(_one())


_COUNTED_KO: Final = r"곳|개|군데|나라|동네|구(?!매)"
_NUMBERS: Final = (
    (2, "둘", "두", r"양쪽|\btwo\b|\bboth\b"),
    (3, "셋", "세", r"\bthree\b"),
    (4, "넷", "네", r"\bfour\b"),
)


@functools.cache
def _numbered() -> tuple[tuple[int, str], ...]:
    """Return the words of numbers of things, by the nouns of the installed domains too: "두 회사", "셋"."""
    nouns = f"{_COUNTED_KO}|{any_of(spoken('points'))}"
    return tuple(
        (count, rf"{alone}(?!째)|{before}\s?(?:{nouns})(?!\s?째)|{more}") for count, alone, before, more in _NUMBERS
    )


def number_said(sheet: Sheet) -> int:
    """Return how many things a message speaks of: "둘 중", "the three"; 0 where it says no number."""
    return next((count for count, words in _numbered() if sheet.says(words)), 0)


_AMONG: Final = r"중(?!구)|가운데|\bof (?:the|those|these|them)\b|\bamong\b|\bbetween\b|\bboth\b|둘\s?다|셋\s?다"


_LEFT_OUT: Final = Pattern(r"[가-힣]{0,2}\s?(?:거|것|데|곳|쪽|[가-힣]{1,3})?(?:은|는|을|를)?\s?(?:빼고|빼면|제외|말고)")
"""Behind a superlative: the first is left out, and the others are meant."""


def first_few(sheet: Sheet, stands: StandingSet) -> tuple[Told, ...]:
    """Return the first few of a set by the figures that it was told with: "더 비싼 두 곳", "제일 비싼 데 빼고"."""
    count, way = number_said(sheet), side(sheet)
    first = sheet.superlative
    if way is None and first is None:
        return ()
    ordered = stands.ordered(stands.measure, most=first.is_most if first is not None else way == "up")
    if first is not None and _LEFT_OUT.match(sheet.text, first.end):
        return ordered[1:]
    return ordered[:count] if PAIR <= count < len(ordered) and not sheet.says(_AMONG) else ()


@functools.cache
def _back() -> str:
    """Return what points back over other subjects, by the nouns of the installed domains too."""
    nouns = any_of(spoken("points"))
    return (
        rf"{_BACK}|그\s?(?:{nouns})|\bthat (?:{nouns})\b|^\W*(?:and|so|now|ok|okay|right)\W+(?:for )?the (?:{nouns})\b"
    )


@functools.cache
def _one() -> str:
    """Return what points to one thing, by the nouns of the installed domains too: "그 집", "that house"."""
    nouns = any_of(spoken("points"))
    return rf"(?:^|\s)(?:{_ONE_KO}|[그이]\s?(?:{nouns}))|\b(?:{_ONE_EN}|that (?:{nouns}))\b"


def ordinal(sheet: Sheet) -> int | None:
    """Return the place that a message names, from 0: "두 번째", "the first one"; None where it names none."""
    return next((number - 1 for number, words in _ORDINALS if number > 0 and sheet.says(words)), None)


_FIRST_KO: Final = (
    r"^\W*(?:(?:그럼|그러면|그리고|그중에?서?|반대로)\s?)?(?:제일|가장|젤)\s?(?:[가-힣]+\s?){{1,2}}"
    r"(?:거|것|건|게|데|곳|쪽|{nouns})(?:은|는|이|가)?\s?(?:(?:어디|뭐|누구|어느\s?(?:거|곳|쪽))\S{{0,5}})?\W*$"
    r"|^\W*(?:그럼\s?)?(?:꼴찌|꼴등|[1일]등|[1일]위)(?:는|은|가)?\W*$"
)
_FIRST_EN: Final = (
    r"^\W*(?:and |then |so |ok |what about |how about )*(?:which (?:one )?(?:is|was|has) )?(?:the )?"
    r"(?:\w+est|(?:most|least) \w+|top|bottom|last|best|worst)(?: (?:one|of (?:them|those|these|all|the (?:two|three))))*(?:['’]s)?\W*$"
)


def asks_first_alone(sheet: Sheet, nouns: str) -> bool:
    """Tell whether a message asks for nothing but the first of what was told: "제일 비싼 데는?", "and the cheapest one?".

    Args:
        sheet: The message.
        nouns: What such a thing is called in Korean, as alternatives of a regular expression.
    """
    return sheet.says(_FIRST_KO.format(nouns=nouns)) or sheet.says(_FIRST_EN)


def is_fresh(sheet: Sheet) -> bool:
    """Tell whether a message says that it begins anew, so that nothing is carried."""
    return sheet.says(_FRESH)


def points_back(sheet: Sheet) -> bool:
    """Tell whether a message goes back to what was spoken of earlier, over what lies between."""
    return sheet.says(_back())


def is_correction(sheet: Sheet) -> bool:
    """Tell whether a message corrects what was asked before."""
    return sheet.says(_CORRECTION)


def corrects(text: str) -> bool:
    """Tell whether a text corrects what was asked before."""
    return _CORRECTS.search(text) is not None


def compares(sheet: Sheet, named: Sequence[Entity] = ()) -> bool:
    """Tell whether a message asks to compare with what stands: "서초구랑 비교해줘", "서구보다 비싸?", "higher than Apple's?".

    Args:
        sheet: The message.
        named: What it names, against which something may be held by the words right beside it.
    """
    return sheet.says(_COMPARED) or any(
        _THAN_AFTER.match(sheet.text, one.end) or _THAN_BEFORE.before(sheet.text, one.start) for one in named if one.end
    )


def adds(sheet: Sheet) -> bool:
    """Tell whether a message adds to what stands and says no more: "거기에 아마존도 넣어줘", "add Apple"."""
    return sheet.says(_ADDS)


_ADDS: Final = r"(?:도|까지|을|를)\s?(?:추가|더하|더해|넣어|포함|끼워|껴서?|붙여)|추가(?:로\s?(?:비교|보여|넣)|해)|^\W*(?:and |also |now |please |can you |could you )*(?:add|include|throw in|put in)\b"
_THAN_BEFORE: Final = Pattern(r"(?:\bthan|\bversus|\bvs\.?|\bagainst|\bcompared (?:to|with)) $", re.IGNORECASE)
_THAN_AFTER: Final = Pattern(r"['’]?s?\s?(?:보다|에\s?비(?:해|하면|교)|대비)")


def carried(now: Ask, before: Ask, *, adds_subjects: bool = False) -> Ask:
    """Return an ask completed by an earlier one: every part that it does not name itself is carried.

    Args:
        now: What the message says; parts that it does not name are empty.
        before: The ask that it edits.
        adds_subjects: Whether its subjects join the earlier ones of their kind, as in a comparison with what stands.
    """
    kinds = {one.kind for one in now.subjects}
    kept = tuple(replace(one, start=0, end=0) for one in before.subjects if adds_subjects or one.kind not in kinds)
    fields = {one.field for one in now.conditions}
    roles = {one.role for one in now.quantities}
    has_period = bool(now.start_date or now.end_date or now.against_date)
    return replace(
        now,
        form=now.form or before.form,
        domain=now.domain or before.domain,
        intent=now.intent or before.intent,
        answerer=now.answerer or before.answerer,
        subjects=_once((*kept, *now.subjects) if adds_subjects else (*now.subjects, *kept)),
        measures=now.measures or before.measures,
        start_date=now.start_date if has_period else before.start_date,
        end_date=now.end_date if has_period else before.end_date,
        against_date=now.against_date if has_period else before.against_date,
        conditions=(*now.conditions, *(one for one in before.conditions if one.field not in fields)),
        order_by=now.order_by or before.order_by,
        descending=now.descending if now.order_by else before.descending,
        count=now.count or before.count,
        quantities=(
            *now.quantities,
            *(replace(one, origin=Origin.CARRIED) for one in before.quantities if one.role not in roles),
        ),
        notes={**before.notes, **now.notes},
    )


def _once(subjects: Sequence[Entity]) -> tuple[Entity, ...]:
    return tuple({(one.kind, one.value, one.label): one for one in subjects}.values())


def last_of(before: Sequence[AskedBefore], domain: str) -> Ask | None:
    """Return the last ask of a domain that was answered or left to be completed, over interposed other subjects."""
    for message in before:
        own = [ask for ask in message.asks if ask.domain == domain]
        if own:
            return own[-1]
    return None


def is_of_last(before: Sequence[AskedBefore], domain: str) -> bool:
    """Tell whether the message just before was of a domain."""
    return bool(before) and any(ask.domain == domain for ask in before[0].asks)


def short(text: str, words_max: int = 6) -> bool:
    """Tell whether a message is short enough to lean on the one before it; words that only ask politely count for none."""
    return len(re.findall(r"\S+", _POLITE.sub(" ", text))) <= words_max


_POLITE: Final = Pattern(
    r"\b(?:please|can you|could you|would you|will you|can i|could i|tell me|show me|say|just|ok(?:ay)?|thanks?"
    r"|in (?:english|korean))\b|(?<![가-힣])(?:혹시|좀|저기|영어로|한국어로|죄송한데|미안한데|다른 (?:질문|얘기)인데)(?![가-힣])",
    re.IGNORECASE,
)
"""Words that make a message longer and ask for nothing more."""
