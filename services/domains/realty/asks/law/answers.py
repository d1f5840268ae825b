"""What the law of leases says: verdicts, procedures, deadlines and articles, by situation (law.yaml)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskedBefore, AskForm, AskVerdict, Ground, Said
from services.contract.flow import Evidence
from services.domains.realty.asks.law.several import LawRequest, requests_of
from services.domains.realty.asks.law.situations import ALIKE, SURE, Situation, situations, situations_of
from services.domains.realty.asks.law.stated import states_a_fact
from services.domains.realty.asks.law.term_left import in_time
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered
from services.plugin.asks.edits import is_of_last, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, day_said, proof, query, rows_of, sentences, where
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY

_SPOKEN: Final = (
    r"집\s?주인|건물주|연장|만기|중개사|부동산|등기|근저당|저당|상가|가게|권리금|취득세|양도|종부세|종합부동산|세액\s?공제|허가|매도인|하자|다운\s?계약|업\s?계약|대항력|주소|신고|임대인|세입자|임차인|전[세센셋]|월[세센셋]|보증금|임대차|계약|갱신|전입|확정일자|집|관리비|충당금|경매|복비|중개|보일러|싱크대|도배|벽지|장판|누수|곰팡이|퇴거|원상\s?복구|방\s?(?:을\s)?빼|landlord|tenant|lease|deposit|rent|flat|apartment|home|house|renew"
    r"|sublet|fixed date|move-in|boiler|owner|sign|\bshop|agent|realtor|register|address|\btax|seller|permit|down payment|earnest"
)
_ARTICLE: Final = (
    r"몇\s?조|어느\s?(?:법|조)|무슨\s?법|근거\s?(?:법|조문)|which (?:article|law)|what (?:article|law)|under what law"
)
_PARTY: Final = r"집\s?주인|임대인|세입자|임차인|\blandlord|\btenant|\blease\b"
_OF_A_LEASE: Final = 0.96
"""The score of a situation whose parties are those of a lease: nothing that a shop sells has them."""
_ONE_DAY: Final = r"며칠|몇\s?월\s?며칠|날짜|(?:which|what) (?:date|day)"
"""Words that ask for a day and no steps."""
_AGENTS: Final = ("realty.search",)
_FIELDS: Final = (
    "article_id",
    "statute_ko",
    "statute_en",
    "article",
    "title_ko",
    "title_en",
    "summary_ko",
    "summary_en",
)


_BARE_WORDS: Final = 2
_HOW_MUCH: Final = frozenset({AskForm.LEVEL, AskForm.AMOUNT})


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of law: one for each sentence that tells a situation, else one for the whole message."""
    if before and is_of_last(before, "realty") and short(sheet.text, 8) and sheet.says(_ARTICLE):
        last = next((one for one in before[0].asks if one.notes.get("articles")), None)
        if last is not None:
            ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.FACT, intent="LEGAL_CONSULT")
            return (Claim(replace(ask, answerer="law_articles", notes={"articles": last.notes["articles"]}), 0.9),)
    told, nearness = situations_of(sheet)
    if (added := _added(sheet, before, nearness)) is not None:
        return (added,)
    if several := requests_of(sheet, told):
        unread = next((one.clause.text for one in several if not one.told), "")
        return [one_of_several(one, unread) for one in several if one.told]
    # "이번 달은?" goes on from what stands: what a word or two are like is no situation of law.
    alike = nearness >= ALIKE and not short(sheet.text, _BARE_WORDS)
    # Behind a question on a lease what it is about is not said again: "can I get back what I paid?".
    goes_on = nearness >= SURE and is_of_last(before, "realty")
    is_of_law = sheet.says(_SPOKEN) or alike or goes_on
    if not told or not is_of_law or (nearness < SURE and _is_of_sums(told[0], sheet)):
        return ()
    means = set(sheet.forms) == {AskForm.DEFINE} and sheet.says(_MEANS)
    if means and told[0].form is not AskForm.DEFINE and nearness < ALIKE:
        # What a word means is the glossary's.
        return ()
    return (_claim(told, nearness, sheet),)


def _added(sheet: Sheet, before: Sequence[AskedBefore], nearness: float) -> Claim | None:
    """Return the claim on a message that goes on from the question of law before it, read together with that.

    A statement adds to what was asked, "계약은 지난달에 끝났어요", and a question that tells no situation by itself is
    one in that situation: "이사 가도 되나요?".
    """
    last = before[0].asks[-1] if before and before[0].asks else None
    if last is None or last.answerer != "realty.law" or not short(sheet.text, _ADDED_WORDS_MAX) or short(sheet.text, 1):
        return None
    names = any(one.value and one.value != one.words and one.kind not in _OF_SITUATIONS for one in sheet.entities)
    if names or not states_a_fact(sheet.text) or (nearness >= SURE and sheet.forms):
        return None
    whole = f"{_without_replaced(last.notes.get(_SO_FAR, last.words), sheet)} {sheet.text}"
    told, near = situations_of(Sheet(whole, sheet.language, sheet.today, ()))
    if near < SURE or len(whole) > _SO_FAR_MAX:
        return None
    claim = _claim(told, SURE, sheet)
    return replace(claim, ask=replace(claim.ask, notes={**claim.ask.notes, _SO_FAR: whole}))


def _without_replaced(text: str, sheet: Sheet) -> str:
    """Return what was told before with the span that a message names anew in its place: "두 달 밀리면요?" behind one month."""
    said = Sheet(text, sheet.language, sheet.today, ()).numbers
    for new in sheet.numbers:
        same = [one for one in said if one.unit == new.unit]
        if len(same) == 1:
            return f"{text[: same[0].start]}{sheet.text[new.start : new.end]}{text[same[0].end :]}"
    return text


_ADDED_WORDS_MAX: Final = 10
_OF_SITUATIONS: Final = frozenset({AMOUNT, AREA, PERIOD, QUANTITY, "deal_type", "property_type"})
"""Kinds of what a situation may have; a message that names anything else is about that."""
_SO_FAR: Final = "so_far"
"""What a conversation has told of a situation until now."""
_SO_FAR_MAX: Final = 300


def _is_of_sums(told: Situation, sheet: Sheet) -> bool:
    """Tell whether a message only states a sum, or asks how much: the law has no verdict on what sounds alike."""
    states = not sheet.forms and any(one.unit == "krw" for one in sheet.numbers)
    asks = bool(sheet.forms) and set(sheet.forms) <= _HOW_MUCH
    return states or (asks and told.form is AskForm.VERDICT)


def _claim(told: Sequence[Situation], nearness: float, sheet: Sheet) -> Claim:
    """Return the claim on a question that tells a situation, or may tell either of two."""
    judged = AskForm.VERDICT in sheet.forms and not _plain(sheet)
    told = tuple(dict.fromkeys(in_time(one, sheet, judged=judged) for one in told))
    found = told[0]
    end = sheet.periods[0][1].isoformat() if found.window and sheet.periods else ""
    ask = Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=_form(found, sheet) if len(told) == 1 else _form_of_either(sheet),
        intent="LEGAL_CONSULT",
        answerer="law",
        end_date=end,
        notes={
            "situation": " ".join(one.id for one in told),
            "articles": " ".join(dict.fromkeys(name for one in told for name in one.articles)),
            **_plain(sheet),
        },
    )
    if nearness >= ALIKE and len(sheet.clauses) == 1:
        return Claim(ask, CERTAIN, is_whole=True)
    is_term = found.form is AskForm.DEFINE and nearness >= SURE
    if is_term or (sheet.says(_PARTY) and not sheet.numbers):
        return Claim(ask, _OF_A_LEASE)
    return Claim(ask, 0.95 if nearness >= SURE else 0.93)


def one_of_several(one: LawRequest, unread: str = "") -> Claim:
    """Return the claim on one of several requests, at its place in the message; none of them has all of it."""
    claim = _claim(one.told, one.nearness, one.sheet)
    notes = {**claim.ask.notes, **({"unread": unread} if unread else {})}
    placed = replace(claim.ask, start=one.clause.start, end=one.clause.end, notes=notes)
    return Claim(placed, min(claim.score, _OF_A_LEASE))


_MEANS: Final = r"뭐|뭔|뜻|의미|무슨|개념|설명|\bwhat (?:is|are|does|exactly)\b|\bdefin|\bexplain"
_WHICH: Final = r"몇\s?(?:번|회|년|달|개월|일|퍼센트|%)|누구|누가|얼마|언제(?!든|라도|나)|어디|[나까]요?,?\s[가-힣\s]{2,14}[나까]요?\W*$|how (?:many|much|long|often|early)|(?:^|[.?!,;]\s|\band )(?:who|where)\b|\bwhen (?:do|does|did|must|should|can|may|will|would|is|are|was|has|have)\b|\b(?:by|since|until|till) when\b|\bwhen\W*$"
_JUDGED: Final = r"(?:수\s?있는|도\s?(?:되|돼|괜찮)은?는?|야\s?(?:하|되)는)\s?(?:거|건|것|걸)"
"""A question of may and must that ends on what it is: "해지할 수 있는 거예요?"."""
_NO_VERDICT: Final = frozenset({AskForm.FACT, AskForm.LEVEL, AskForm.PROCEDURE})


def _plain(sheet: Sheet) -> dict[str, str]:
    """Return a note where a question asks who, when or how and no yes or no: none stands before its answer."""
    judges = AskForm.VERDICT in sheet.forms or sheet.says(_JUDGED)
    asks_else = _NO_VERDICT & set(sheet.forms) and not judges
    return {"plain": "1"} if asks_else or sheet.says(_WHICH) else {}


def _form(found: Situation, sheet: Sheet) -> AskForm:
    """Return the form of an answer: a verdict where one is asked and there is one, else what the words or the situation say."""
    judges = bool(found.verdict)
    asked = set(sheet.forms)
    if judges and (AskForm.PROCEDURE not in asked or not found.steps):
        is_fact = AskForm.FACT in asked and AskForm.VERDICT not in asked and found.form is not AskForm.VERDICT
        return AskForm.FACT if is_fact else AskForm.VERDICT
    if found.steps and AskForm.PROCEDURE in asked:
        return AskForm.PROCEDURE
    asks_one_fact = found.form is AskForm.PROCEDURE and sheet.says(_ONE_DAY)
    return AskForm.FACT if asks_one_fact else found.form


def _form_of_either(sheet: Sheet) -> AskForm:
    """Return the form of an answer that tells what holds in either of two situations."""
    return AskForm.FACT if "plain" in _plain(sheet) else AskForm.VERDICT


def _calls(ask: Ask) -> Sequence[Call]:
    ids = tuple(ask.notes.get("articles", "").split())
    return [query("law_articles", _FIELDS, mode="rows", filters=[where("article_id", ids, "in")], limit=10)]


def _answer(ask: Ask, found: Found) -> Outcome:
    known = {one.id: one for one in situations()}
    first, *either = (known[name] for name in ask.notes["situation"].split())
    pieces = _pieces(found)
    ids = tuple(piece.evidence_id for piece in pieces)
    rows = {row.text("article_id"): row for row in rows_of(found.readings)}
    named = [name for one in (first, *either) for name in one.articles[: 1 if either else 2]]
    verdict, sentence = _told_either(ask, first, either[0]) if either else _told(ask, first)
    told = () if either or ask.form is AskForm.FACT else first.steps
    steps = [Ground(Said(f"{at}. {one.ko}", f"{at}. {one.en}"), ids[:1]) for at, one in enumerate(told, start=1)]
    cited = [_cited(rows[name], ids) for name in ask.notes["articles"].split() if name in rows]
    cautions = () if either else tuple(Said(one.ko, one.en) for one in first.cautions)
    answer: AskAnswer = answered(
        ask,
        sentences(sentence, _rests_on([rows[name] for name in dict.fromkeys(named) if name in rows])),
        evidence_ids=ids,
        grounds=(*steps, *cited),
        cautions=(*_unread(ask), *cautions, _GENERAL),
    )
    return Outcome(replace(answer, verdict=verdict), evidence=pieces)


def _unread(ask: Ask) -> tuple[Said, ...]:
    """Return which request beside it was not understood, where there is one."""
    text = ask.notes.get("unread", "")
    if not text:
        return ()
    return (
        Said(
            f"‘{text}’는 무엇을 물으시는지 읽지 못해 답하지 못했습니다. 그것만 따로 물어봐 주세요.",
            f"I could not read what “{text}” asks, so it is not answered; please ask it by itself.",
        ),
    )


def _told(ask: Ask, one: Situation) -> tuple[AskVerdict | None, Said]:
    """Return the verdict on what is asked, none where none is, and what the law says to it."""
    verdict = one.verdict_on(ask.words) if ask.form is AskForm.VERDICT and "plain" not in ask.notes else None
    lead = _LEADS[verdict] if verdict is not None else Said("", "")
    ko, en = one.core()
    window = _window(ask, one.window)
    return verdict, Said(
        f"{lead.ko}{ko}".replace("{window}", window.ko), f"{lead.en}{en}".replace("{window}", window.en)
    )


def _told_either(ask: Ask, one: Situation, other: Situation) -> tuple[AskVerdict | None, Said]:
    """Return what holds in either of two situations, each by a question that people ask of it; a verdict only of both."""
    judges = ask.form is AskForm.VERDICT
    both = {each.verdict_on(ask.words) for each in (one, other)}
    verdict = (both.pop() if len(both) == 1 else None) or AskVerdict.DEPENDS if judges else None
    lead = _LEADS[verdict] if verdict is not None else Said("", "")
    (one_ko, one_en), (other_ko, other_en) = (_said_of(each, _window(ask, each.window)) for each in (one, other))
    return verdict, Said(
        f"{lead.ko}두 가지로 읽히는 물음이어서 둘 다 말씀드립니다. {one_ko} {other_ko}",
        f"{lead.en}Your question may mean either of two things. {one_en} {other_en}",
    )


def _said_of(one: Situation, window: Said) -> tuple[str, str]:
    """Return what a situation is, by a question that people ask of it, and the first sentence that the law says to it."""
    ko, en = one.opening()
    asked_ko, asked_en = one.asked()
    return (
        f"“{asked_ko}”라면 {ko}".replace("{window}", window.ko),
        f"If it is “{asked_en}”: {en[:1].lower()}{en[1:]}".replace("{window}", window.en),
    )


_LEADS: Final = {
    AskVerdict.YES: Said("네. ", "Yes. "),
    AskVerdict.NO: Said("아니요. ", "No. "),
    AskVerdict.DEPENDS: Said("경우에 따라 다릅니다. ", "It depends. "),
}


def _rests_on(rows: Sequence[QueryRow]) -> Said | None:
    """Return the sentence that names the articles; None without any."""
    if not rows:
        return None
    named = [
        _number_said(row, with_statute=row.text("statute_ko") != (rows[0].text("statute_ko") if at else ""))
        for at, row in enumerate(rows)
    ]
    return Said(f"({', '.join(one.ko for one in named)})", f"({', '.join(one.en for one in named)})")


def _number_said(row: QueryRow, *, with_statute: bool) -> Said:
    number, _, branch = row.text("article").partition("-")
    ko = f"제{number}조" + (f"의{branch}" if branch else "")
    statute = (f"{row.text('statute_ko')} ", f"{row.text('statute_en')} ") if with_statute else ("", "")
    return Said(f"{statute[0]}{ko}", f"{statute[1]}art. {row.text('article')}")


_GENERAL: Final = Said(
    "일반적인 설명이며, 구체적인 사정에 따라 결과가 달라질 수 있습니다.",
    "This is general information; the outcome depends on the facts of the case.",
)


def _window(ask: Ask, kind: str) -> Said:
    """Return the days of a renewal's request, or the last one of a tenant's notice, where the lease's end is named."""
    if not ask.end_date:
        return Said("", "")
    end = date.fromisoformat(ask.end_date)
    first, last = day_said(_months_before(end, 6)), day_said(_months_before(end, 2))
    if kind == "notice":
        return Said(f"({last.ko}까지)", f" (by {last.en})")
    return Said(f"({first.ko}부터 {last.ko}까지)", f" (from {first.en} to {last.en})")


def _months_before(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    first = date(index // 12, index % 12 + 1, 1)
    following = date((index + 1) // 12, (index + 1) % 12 + 1, 1)
    return min(first + timedelta(days=day.day - 1), following - timedelta(days=1))


def _pieces(found: Found) -> tuple[Evidence, ...]:
    titles = Said("법 조문", "Articles of law")
    return tuple(proof(one, titles, found.asking.locale, "legal") for one in found.readings)


def _cited(row: QueryRow, ids: tuple[str, ...]) -> Ground:
    article = _article_said(row)
    return Ground(
        Said(f"{article.ko}: {_polite(row.text('summary_ko'))}", f"{article.en}: {row.text('summary_en')}"), ids[:1]
    )


def _article_said(row: QueryRow) -> Said:
    number, _, branch = row.text("article").partition("-")
    ko = f"제{number}조" + (f"의{branch}" if branch else "")
    return Said(
        f"{row.text('statute_ko')} {ko}({row.text('title_ko')})",
        f"{row.text('statute_en')} art. {row.text('article')} ({row.text('title_en')})",
    )


def _polite(text: str) -> str:
    """Return a summary in the register of the answer: "한다." becomes "합니다."."""
    return re.sub(r"([가-힣])다\.$", lambda match: _ENDINGS.get(match[1], f"{match[1]}다고 정합니다."), text.strip())


_ENDINGS: Final = {
    "한": "합니다.",
    "는": "는다고 정합니다.",
    "된": "됩니다.",
    "있": "있습니다.",
    "없": "없습니다.",
    "이": "입니다.",
    "본": "봅니다.",
    "진": "집니다.",
    "둔": "둡니다.",
    "친": "칩니다.",
    "난": "납니다.",
    "긴": "깁니다.",
    "킨": "킵니다.",
}


def _articles(ask: Ask, found: Found) -> Outcome:
    pieces = _pieces(found)
    ids = tuple(piece.evidence_id for piece in pieces)
    rows = {row.text("article_id"): row for row in rows_of(found.readings)}
    named = [_article_said(rows[name]) for name in ask.notes["articles"].split() if name in rows]
    ko, en = ", ".join(one.ko for one in named[:2]), ", ".join(one.en for one in named[:2])
    return Outcome(answered(ask, Said(f"근거는 {ko}입니다.", f"It rests on {en}."), evidence_ids=ids), evidence=pieces)


ANSWERERS: Final = (Answerer("law", _AGENTS, _answer, _calls), Answerer("law_articles", _AGENTS, _articles, _calls))
