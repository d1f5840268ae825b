"""Types effects: what a move of one thing does to another."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskForm
from services.domains.finance.asks.absent import things_not_held
from services.domains.finance.asks.drafting import draft
from services.domains.finance.asks.named import entity_of, numbers_of, series_named
from services.domains.finance.asks.typed.sums import CHANGE_MONEY, INVEST, share_count
from services.domains.finance.asks.vocabulary import FALL, RISE, SERIES, SHARE_WORDS
from services.domains.finance.planning import sector_shares
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.text.ko.morphemes import morphemes
from services.text.negation import is_negated

EFFECT: Final = r"(?:에|에게|한테)(?:는|도)?\s?(?:더\s?)?(?:안\s?)?(?:좋|나쁘|나쁜|나쁠)|영향|파급|관계|경로|호재|악재|좋아\s?나빠|유리|불리|득|실일까|미치|\baffect|\bimpact|\binfluence|happens? to|(?:good|bad|better|worse) (?:or bad )?(?:for|news)|push(?:es)? up|\bhelp|\bhurt|what does .* mean for|weigh on|\bdo to\b|\blift|relation|\bpaths?\b|\blink"
_BECOMES: Final = r"어떻게\s?(?:돼|되|움직)|어떤가"
"""Words that ask for an effect behind a condition or of one thing on another, and for a mere figure else."""
IF: Final = r"(?:오르|올라가|올리|내려가|내리|인상되?|인하되?|(?<!비교)(?<!에 비)(?<!에비)하|되|떨어지|높아지|낮아지|강해지|약해지|커지|줄|늘|약세|강세|상승하|하락하|벌어지|좁아지|뛰|빠지|넘으|넘어가|넘어서|웃돌|밑돌|돌파하)[이]?면|약세면|강세면|\bif\b|\bwhen\b|\bas\b .*(?:rise|fall|climb)|[가-힣]+(?:인상|인하|약세|강세|상승|하락)(?:은|는|이|가|로|시)"


_HOLDS: Final = (
    r"(?:동결|유지|그대로)(?:하|되|이|두|가)?\s?(?:면|라면|다면|(?:할|될)\s?경우)"
    r"|\bif\b[^.?!]{0,40}(?:unchanged|on hold|\bstays? (?:put|the same|where)|\bholds? (?:rates|steady|still)|doesn['’]?t (?:move|change))"
)


def holds(sheet: Sheet) -> bool:
    """Tell whether a message supposes that something does not move."""
    return sheet.says(_HOLDS)


def _series(sheet: Sheet) -> list[Entity]:
    """Return the series that are named; a bare rate beside the Federal Reserve's is that one."""
    series = list(series_named(sheet, wide=True, economy=True))
    is_us = any(one.value == "FEDFUNDS" for one in series)
    return [one for one in series if not (is_us and one.value == "KR_BASE_RATE" and one.words in _BARE_RATES)]


_BARE_RATES: Final = frozenset({"금리", "rate", "rates", "interest rates", "interest rate"})


def type_effect(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type what a move of one thing does to another."""
    if (
        not (sheet.says(EFFECT) or holds(sheet) or (sheet.says(IF) and sheet.says(f"{RISE}|{FALL}|{_BECOMES}")))
        or sheet.says(INVEST)
        or sheet.says(CHANGE_MONEY)
        or sheet.says(r"worth|몇\s?주|얼마어치|값어치|how many shares|\bcost\b")
        # "When was it highest?" asks for a day.
        or (sheet.superlative is not None and sheet.says(r"^\W*when\b|언제"))
    ):
        return ()
    # A level that is passed is no sum of money: "환율이 1400원 넘으면".
    numbers = [one for one in numbers_of(sheet) if one.bound in {"", "about"}]
    if any(one.unit in {"krw", "years", "shares"} for one in numbers) or share_count(sheet, numbers):
        return ()
    series = _series(sheet)
    leased = _leased(sheet) if series and not any(one.value == HOUSE_PRICES for one in series) else None
    # What no data holds is an end too: no path is known to it, and none of the other end stands for it.
    absent = [one for one in things_not_held(sheet) if not is_negated(sheet.text, one.start, one.end)]
    parts = [*series, *shares, *([leased] if leased is not None else [])]
    parts = sorted([*parts, *(absent if parts else [])], key=lambda one: one.start)
    source, target = _ends(sheet, parts)
    if source is None and target is None:
        return ()
    sector = sector_shares(sheet.text, on=True) if target is None else ()
    crowd = target is None and sheet.says(rf"{SHARE_WORDS}|성장주|기술주|수출주|equities")
    if source is not None and target is None and not (sector or crowd):
        target = _unknown_end(sheet, source)
    way = "hold" if holds(sheet) else "down" if source is not None and _falls(sheet, source) else "up"
    notes = {
        "way": way,
        "from": source.value if source else "",
        "to": target.value if target else "shares" if crowd or sector else "",
        **({"sector": ",".join(sector)} if sector else {}),
    }
    if leased is not None and leased in (source, target):
        notes["instead"] = "leases"
    score = 0.95 if source and (target or sector or crowd) else 0.9
    others = [one for one in shares if one not in (source, target)] if target in shares else []
    named = sorted((one for one in (target, *others) if one is not None), key=lambda one: one.start)
    targets: Sequence[Entity | None] = named or (None,)
    return tuple(
        Claim(
            draft(
                sheet,
                AskForm.EFFECT,
                "effect",
                [_labelled(one, sheet) for one in (source, end) if one is not None],
                notes={**notes, "to": end.value} if end is not None else notes,
            ),
            score,
        )
        for end in targets
    )


def _labelled(one: Entity, sheet: Sheet) -> Entity:
    return replace(one, label=SERIES[one.value].name.of(sheet.language)) if one.value in SERIES else one


_END_NAMED: Final = (
    r"(?P<name>[가-힣A-Za-z&]{2,10}?)(?:은|는|이|가|에는?|에도|한테는?|쪽은)\s?(?:또\s?|더\s?)?"
    r"(?:어떻게|어떤|어때|무슨|영향|좋|나쁘|나빠|괜찮|유리|불리|득|호재|악재|오르|올라|내리|내려|떨어|뛰|빠지)"
    r"|\b(?:happens? to|do to|affects?|impacts?|influences?|hurts?|helps?|mean for|(?:good|bad|better|worse) for)\s(?:the\s)?(?P<called>[A-Za-z&-]{3,})"
)
"""What a move is asked to work on, whatever it is."""
_NOBODY: Final = r"(?:그것|이것|그게|이게|결과|상황|영향|반응|앞으로|나중|다음|그러면|그럼|보통|대체로|시장|증시|경제|정말|실제로|me|you|us|them|it|that|this|what|which|prices?)"


def _unknown_end(sheet: Sheet, source: Entity) -> Entity | None:
    """Return what a move is asked to work on where nothing of that name is known: no path to it can be told."""
    for match in sheet.find_all(_END_NAMED):
        group = "name" if match["name"] else "called"
        start, end = match.span(group)
        # A name that is only taken over as it stands is nobody's.
        known = [one for one in sheet.entities if one.end and one.value != one.words]
        taken = any(one.start < end and start < one.end for one in (source, *known))
        if taken or re.fullmatch(_NOBODY, match[group]) or not any(one.is_content for one in morphemes(match[group])):
            continue
        return Entity("not_held", match[group], match[group], match[group], start, end)
    return None


HOUSE_PRICES: Final = "KR_HOUSE_PRICE_INDEX"
"""What stands for homes among the relations, leases too."""


def _leased(sheet: Sheet) -> Entity | None:
    """Return what stands for jeonse and rents, where a message names them; relations know no leases of their own."""
    said = sheet.find(
        r"전세(?!가율|\s?비율)(?:가격|가|값|금|\s?시세)?|월세|임대료|\bjeonse(?![- ](?:to-sale |price )?ratio)(?: prices| deposits)?|\brents?\b"
    )
    return entity_of(SERIES[HOUSE_PRICES], sheet, said[0], said.start(), said.end()) if said is not None else None


def _ends(sheet: Sheet, parts: Sequence[Entity]) -> tuple[Entity | None, Entity | None]:
    """Return where a path begins and where it ends: the condition's subject, and the one that is asked about."""
    if not parts:
        return None, None
    if len(parts) == 1:
        is_source = parts[0].kind == "series" and not sheet.says(
            r"에\s?(?:영향을\s?)?(?:주는|미치는)\s?(?:것|건|지표|요인)|what (?:affects|drives|moves)"
        )
        return (parts[0], None) if is_source else (None, parts[0])
    backwards = (
        sheet.says(r"\b(?:if|when)\b")
        and (condition := sheet.find(r"\b(?:if|when)\b"))
        and condition.start() > parts[0].end
    )
    first, last = (parts[-1], parts[0]) if backwards else (parts[0], parts[-1])
    if first.kind == "security" and last.kind == "series":
        return last, first
    return first, last


_VERB_REACH: Final = 14
"""How far behind its subject the verb of a condition stands at most."""


def _falls(sheet: Sheet, source: Entity) -> bool:
    """Tell whether the condition says that its subject falls; a weak won is a high dollar."""
    # A level that is passed stands between the two: "환율이 1,600원 아래로 내려가면".
    levels = sum(one.end - one.start for one in sheet.numbers if source.end <= one.start < source.end + _VERB_REACH)
    text = sheet.text[max(0, source.start - 12) : source.end + levels + _VERB_REACH]
    sub = replace(sheet, text=text)
    down = sub.find(FALL)
    up = sub.find(RISE)
    falls = down is not None and (up is None or down.start() < up.start())
    if source.value == "KR_USDKRW" and sub.says(r"원화|\bwon\b"):
        falls = not falls if (down or up) else falls
    return falls
