"""Honest answers to what no data holds: shares and indices that are not covered, and what will be."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.finance.asks.absent import ENDED, absent_names
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.levels.changes import change_said
from services.domains.finance.asks.levels.outcomes import series_of, shares_of, told_of
from services.plugin.asks.answering import Call, Found, Outcome, asking_back, declined
from services.plugin.asks.telling import day_said, filled, listed, query, rows_of, sentences, where

_HELD: Final = Said(
    "자료에는 미국 13종목과 국내 10종목의 주가와 재무, 한국과 미국의 거시 지표가 있습니다.",
    "The data has 13 US and 10 Korean shares with their accounts, and macro series of both countries.",
)


_TELLING: Final = 3
"""From so many characters on the words of a class say which it is."""


def missing_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of when the data of an index ended, and how many shares there are."""
    keys = ask.notes.get("missing", "").split("|")
    ended = [key for key, _, _ in ENDED if key in keys]
    calls = [query("share_prices", ("last_day",), filters=[where("security_id", one)]) for one in ended]
    return [*calls, *(share_calls(ask, ("return",)) if _is_beside(ask) else ())]


def _is_beside(ask: Ask) -> bool:
    """Tell whether what is not held is what shares were to be held against."""
    return "beside" in ask.notes


def missing(ask: Ask, found: Found) -> Outcome:
    """Return that the data does not hold what is named, first; then what it has instead."""
    names = absent_names(ask)
    names += [Said(one.label, one.label) for one in ask.subjects if one.attributes.get("covered") == "false"]
    if ask.notes.get("preferred"):
        shares = [one.label for one in ask.subjects if one.kind == "security"]
        words = ask.notes["preferred"]
        own = f"({words})" if len(words) >= _TELLING and words != "true" else ""
        names = [
            Said(
                f"{name}의 다른 종류 주식{own}과 {name}에 투자하는 상품",
                f"other classes of {name} {own}".strip() + ", or funds on it",
            )
            for name in shares
        ] or [Said("다른 종류의 주식", "other classes of shares")]
    last = next((row.text("last_day") for row in rows_of(found.readings) if row.text("last_day")), "")
    names = [one for one in names if not any(one is not other and one.ko in other.ko for other in names)]
    what = listed(names) if names else Said("그 종목", "that share")
    if _is_beside(ask):
        return _held_against(ask, found, what)
    if last and len(names) == 1:
        sentence = filled(
            "{what} 자료는 {last}까지만 있어, 그 뒤의 값은 제공하는 자료에 없습니다.",
            "The data on {what} ends on {last}, so I do not have its later levels.",
            what=what, last=day_said(last),
        )  # fmt: skip
    else:
        sentence = filled(
            "{what:은/는} 제공하는 자료에 없어 답할 수 없습니다.",
            "The data does not include {what}, so I cannot tell.",
            what=what,
        )
    keys = ask.notes.get("missing", "").split("|")
    return Outcome(declined(ask, sentence, next_steps=(_HELD_OF.get(keys[0], _HELD),)))


_HELD_OF: Final = {
    "채권": Said(
        "자료에는 미국 국채 2년물과 10년물의 금리가 있습니다.",
        "The data has the yields of 2-year and 10-year US Treasuries.",
    ),
    "다른 중앙은행": Said(
        "자료에는 한국은행 기준금리와 미국 연방기금금리가 있습니다.",
        "The data has the base rate of the Bank of Korea and the US federal funds rate.",
    ),
    "예금 금리": Said(
        "이자를 셈하는 것은 금리를 말씀해 주시면 해 드립니다.", "Name a rate, and I can reckon the interest."
    ),
    **dict.fromkeys(
        ("엔화", "유로", "위안", "다른 통화"),
        Said("자료에는 원/달러 환율이 있습니다.", "The data has the won-dollar rate."),
    ),
}
"""What the data has that is nearest to what it has not, by the key of that."""


def _held_against(ask: Ask, found: Found, what: Said) -> Outcome:
    """Return that what shares are held against is not in the data, and how they did by themselves."""
    held = Held(ask, found)
    figures = [one for subject in shares_of(ask) if (one := held.share("return", subject)) is not None]
    first = filled(
        "{what:은/는} 제공하는 자료에 없어 비교해 드릴 수 없습니다.",
        "The data does not include {what}, so I cannot compare.",
        what=what,
    )
    pieces = held.evidence() if figures else ()
    ids = tuple(one.evidence_id for one in pieces)
    sentence = sentences(first, *(change_said(one) for one in figures))
    return Outcome(declined(ask, sentence, evidence_ids=ids, told=told_of(figures)), evidence=pieces)


def none_told(ask: Ask, found: Found) -> Outcome:
    """Return that no share, or but one, was told of in this conversation, and ask which is meant."""
    del found
    if ask.subjects:
        sentence = filled(
            "이 대화에서 알려 드린 종목은 {name} 하나입니다. 어느 종목과 견줄까요?",
            "Only {name} has been told of in this conversation. Which other shares shall I hold it against?",
            name=ask.subjects[0].label,
        )  # fmt: skip
        return Outcome(asking_back(ask, sentence, Said("종목", "the share")))
    sentence = Said(
        "이 대화에서 알려 드린 종목이 없습니다. 어느 종목을 말씀하시나요?",
        "No shares have been told of in this conversation. Which one do you mean?",
    )
    return Outcome(asking_back(ask, sentence, Said("종목", "the share")))


def forecast_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of what stands now."""
    return [*(share_calls(ask, ("price",)) if shares_of(ask) else []), *series_calls(series_of(ask), ask)]


def forecast(ask: Ask, found: Found) -> Outcome:
    """Return that nothing here tells what will be, and what stands now."""
    held = Held(ask, found)
    figures = [one for subject in shares_of(ask) if (one := held.share("price", subject)) is not None]
    figures += [one for subject in series_of(ask) if (one := held.level(subject)) is not None]
    lines = [
        filled(
            "지금 아는 값은 {name} {value}({when})입니다.",
            "What is known is {name} at {value} ({when}).",
            name=one.name,
            value=one.said,
            when=one.when,
        )
        for one in figures[:2]
    ]
    first = Said(
        "앞으로의 움직임은 예측하지 않으며, 자료로도 알 수 없습니다.",
        "I do not predict what will happen, and the data cannot tell.",
    )
    pieces = held.evidence()
    ids = tuple(one.evidence_id for one in pieces)
    return Outcome(declined(ask, sentences(first, *lines), evidence_ids=ids), evidence=pieces)
