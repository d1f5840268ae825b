"""A contract's text that is to be reviewed: what in it is bad for a tenant or buyer, why, and by which article.

the text      what stands in quotes, else behind the colon of the request, else all but the request's own sentences
the answer    how many defects there are and the gravest with its words; each of them with its article as a ground
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Ground, Said, Told
from services.contract.flow import Attachment
from services.domains.realty.agreements.clauses import checklist, is_contract, is_sale
from services.domains.realty.agreements.defects import Defect, defects_of
from services.domains.realty.agreements.passages import Passage, passages_of
from services.domains.realty.asks.papers.files import file_of, place_in, proof_of, spot
from services.domains.realty.asks.papers.statute_calls import Laws, calls_for, cited, laws_in
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered, asking_back
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_REQUEST: Final = (
    r"검토|봐\s?(?:줘|주|달|줄)|보아\s?주|확인|문제|독소|불리|위험|괜찮|살펴|점검|체크|이상한|조심|읽어\s?(?:줘|주|보)|따져|분석"
    r"|\bcheck|\breview|\bwrong\b|\brisk|\bproblem|\bissue|unfair|look (?:at|over|through)|safe to sign|\bsign\b|\bfair\b|\bokay\b|\bok\b|worr|red flags?|anything"
)
_MAKING: Final = (
    r"초안\s?(?:을|좀)?\s?(?:써|만들|작성)|만들어|작성해|써\s?(?:줘|주)|\bdraft (?:a|me|the)|\bwrite (?:a|me|the)"
)
_SUBJECT: Final = r"임차|임대|보증금|월세|차임|전세|세입자|집주인|매도인|매수인|\btenan|landlord|lessee|lessor|deposit|\brent|\blease|\bbuyer|\bseller"
_QUOTED: Final = Pattern(r"(?<!\w)['\"“‘「『](?P<text>.{12,})['\"”’」』](?![A-Za-z0-9])", re.DOTALL)
_BEHIND_COLON: Final = Pattern(r"^[^:\n]{0,60}:\s?(?P<text>.{12,})$", re.DOTALL)
_DECLARES: Final = Pattern(
    r"(?:다|함|음|임|것|부담|불가|금지|까지|년|개월|원|수락)[\s.]*$|\b(?:shall|may|must|will|is|are|waives?|runs|pays?|undertakes|gives|has|have|returns|begins|ends)\b",
    re.IGNORECASE,
)
_ASKING: Final = Pattern(
    r"[?]|(?:줘|주세요|까|나요|죠|부탁(?:해요|드려요|합니다)?|알려줘|달라)[\s.!]*$|^(?:please|can you|is |are |does )",
    re.IGNORECASE,
)
_WHOLE_CHARS: Final = 300
_OTHERS_MAX: Final = 5
_DECLARED_CHARS: Final = 10
_QUOTE: Final = {"ko": 70, "en": 110}


@dataclass(frozen=True, slots=True)
class _Given:
    """A text that is to be reviewed."""

    text: str
    is_part: bool
    file: Attachment | None = None


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: ARG001 - a text stands by itself
    """Return the ask to review a contract that stands in the message; nothing where there is none."""
    given = _given(sheet.text)
    if given is None:
        return (Claim(_wanted(sheet), CERTAIN, is_whole=True),) if _offers_one(sheet) else ()
    found = defects_of(given.text, is_sale=is_sale(given.text))
    articles = dict.fromkeys(name for one in found for name in one.kind.articles)
    ask = Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.REVIEW,
        intent="CONTRACT_REVIEW",
        answerer="contract_review",
        notes={"articles": " ".join(articles)},
    )
    return (Claim(ask, 0.98, is_whole=True),)


_OFFERED: Final = r"계약서|계약(?=\s|을|하)|특약|조항|약관|\bcontract\b|\blease\b|\bclauses?\b|\bagreement\b"
_LOOK: Final = r"검토|봐\s?(?:줘|주|줄|달)|보아\s?주|살펴\s?(?:봐|줘|주)|점검|체크|훑어|\breview|look (?:at|over|through)|\bcheck\b|go over|go through"
_OFFERED_WORDS: Final = 14


def _offers_one(sheet: Sheet) -> bool:
    """Tell whether somebody wants a contract looked at whose text is not in the message."""
    asks_law = sheet.says(
        r"유효|무효|효력|언제|어떻게|무엇을|뭘|뭐를|주의|valid|void|when|\bwhat (?:should|must|do|to|can)\b|how do"
    )
    return (
        sheet.says(_OFFERED)
        and sheet.says(_LOOK)
        and not sheet.says(_MAKING)
        and not asks_law
        and not sheet.numbers
        and short(sheet.text, _OFFERED_WORDS)
    )


def _wanted(sheet: Sheet) -> Ask:
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.REVIEW, intent="CONTRACT_REVIEW")
    return replace(ask, answerer="contract_text_wanted")


def _text_wanted(ask: Ask, found: Found) -> Outcome:
    """Ask for the text of a contract that is to be looked at."""
    del found
    text = Said("계약서 내용", "the text of the contract")
    sentence = Said(
        "봐 드리겠습니다. 계약서나 특약의 내용을 여기에 붙여 넣거나 파일로 보내 주시겠어요? 빠진 조항과 위험한 조항을 근거 조문과 함께 알려 드립니다.",
        "Gladly. Could you paste the text of the contract or its clauses here, or send the file? I then tell what is risky and what is missing, with the articles.",
    )
    return Outcome(asking_back(ask, sentence, text))


def _given(text: str) -> _Given | None:
    """Return the contract in a message; None where it holds none that is to be reviewed."""
    if not re.search(_SUBJECT, text, re.IGNORECASE) or re.search(_MAKING, text, re.IGNORECASE):
        return None
    match = _QUOTED.search(text) or _BEHIND_COLON.match(text)
    inside = match["text"] if match else text
    passages = [one for one in passages_of(inside) if not _ASKING.search(one.text)]
    declared = [one for one in passages if _declares(one) and len(one.text) >= _DECLARED_CHARS]
    asked = text
    for words in [match["text"]] if match else [one.text for one in declared]:
        asked = asked.replace(words, " ")
    wants = re.search(_REQUEST, asked, re.IGNORECASE) is not None
    enough = len(declared) >= 1 if match else len(declared) >= 2
    if not (wants and enough) and not (is_contract(text) and len(declared) >= 3):
        return None
    kept = "\n".join(f"{one.label} {one.text}" if one.label else one.text for one in passages)
    return _Given(kept, is_part=match is not None or len(kept) < _WHOLE_CHARS)


def _declares(one: Passage) -> bool:
    """Tell whether a passage says what holds, as clauses do; English ones name a party and nobody speaks of himself."""
    if one.label or _DECLARES.search(one.text):
        return True
    return _OF_A_PARTY.search(one.text) is not None and _OF_ONESELF.search(one.text) is None


_OF_A_PARTY: Final = Pattern(r"\b(?:tenant|landlord|lessee|lessor|renter|buyer|seller)\b", re.IGNORECASE)
_OF_ONESELF: Final = Pattern(r"\b(?:I|me|my|mine|we|our|us)\b|[?]")


def _calls(ask: Ask) -> Sequence[Call]:
    return calls_for(tuple(ask.notes.get("articles", "").split()))


def _answer(ask: Ask, found: Found) -> Outcome:
    file = file_of(ask, found.asking)
    if file is not None:
        given = _Given(file.text, is_part=False, file=file)
    else:
        given = _given(ask.words) or _Given(ask.words, is_part=True)
    defects = defects_of(given.text, is_sale=is_sale(given.text))
    laws = laws_in(found)
    quotes = [(one.passage.label, one.passage.quoted(), place_in(given.text, one.passage.text)) for one in defects]
    held = proof_of(file, quotes, found.asking)
    pieces = (*((held,) if held is not None else ()), *laws.pieces)
    ids = tuple(piece.evidence_id for piece in pieces)
    grounds = [Ground(_finding(one, given, laws), ids) for one in defects]
    if (lacking := _missing(given)) is not None:
        grounds.append(Ground(lacking))
    answer = answered(
        ask,
        _opening(defects, given, laws, several=len(found.asking.attachments) > 1),
        evidence_ids=ids,
        grounds=tuple(grounds),
        next_steps=_steps(defects),
        cautions=tuple(_cautions(given)),
        told=tuple(Told("clause", one.kind.id, one.passage.quoted()) for one in defects),
    )
    return Outcome(answer, evidence=pieces)


def _opening(defects: Sequence[Defect], given: _Given, laws: Laws, *, several: bool) -> Said:
    of_file = f"{given.file.name}: " if several and given.file is not None else ""
    if not defects:
        return Said(
            f"{of_file}살펴본 조항에서 위험한 것을 찾지 못했습니다(0건).",
            f"{of_file}I found no risky passage in the clauses that you gave.",
        )
    first, rest = defects[0], defects[1:]
    place, law = _place(first.passage, given), cited(first.kind.articles, laws)
    ko = f"{of_file}위험한 조항 {len(defects)}건을 찾았습니다. " + ("가장 무거운 것은 " if rest else "")
    ko += f"{place.ko}“{first.passage.quoted(_QUOTE['ko'])}”입니다. {first.why.ko}{law.ko}."
    passages = "passage" if len(defects) == 1 else "passages"
    en = f"{of_file}I found {len(defects)} risky {passages}. " + ("The gravest is " if rest else "It is ")
    en += f"{place.en}“{first.passage.quoted(_QUOTE['en'])}”: {first.why.en}{law.en}."
    if rest:
        ko += f" 그 밖에 {', '.join(one.kind.name.ko for one in rest[:_OTHERS_MAX])}도 문제가 됩니다."
        en += f" Also: {'; '.join(one.kind.name.en for one in rest[:_OTHERS_MAX])}."
    return Said(ko, en)


def _finding(one: Defect, given: _Given, laws: Laws) -> Said:
    law, place, quote = cited(one.kind.articles, laws), _place(one.passage, given), one.passage.quoted()
    return Said(
        f"{one.kind.name.ko}: {place.ko}“{quote}” {one.why.ko}{law.ko}.",
        f"{one.kind.name.en[:1].upper()}{one.kind.name.en[1:]}: {place.en}“{quote}” — {one.why.en}{law.en}.",
    )


def _place(passage: Passage, given: _Given) -> Said:
    return spot(given.file, place_in(given.text, passage.text), passage.label)


def _missing(given: _Given) -> Said | None:
    """Return what a whole contract does not speak of; None for a part of one."""
    if given.is_part:
        return None
    kind = "sale" if is_sale(given.text) else "lease"
    lacking = [one for one in checklist().clauses if kind in one.kinds and not one.words.search(given.text)]
    if not lacking:
        return None
    return Said(
        f"빠진 것으로 보이는 조항: {', '.join(one.ko for one in lacking)}.",
        f"Seems to be missing: {', '.join(one.en for one in lacking)}.",
    )


def _steps(defects: Sequence[Defect]) -> tuple[Said, ...]:
    if not defects:
        return ()
    return (
        Said(
            "서명하기 전에 위 조항을 빼거나 고쳐 달라고 요청하세요.",
            "Ask to have these passages taken out or changed before you sign.",
        ),
    )


def _cautions(given: _Given) -> Sequence[Said]:
    part = Said(
        "적어 주신 조항만 보았으며, 전체를 붙여 넣으시면 빠진 조항도 확인합니다.",
        "Only what you gave was read; paste the whole contract to learn what it lacks.",
    )
    expert = Said("서명 전에 전문가의 확인을 받으세요.", "Have an expert look before you sign.")
    return (part, expert) if given.is_part else (expert,)


ANSWERERS: Final = (
    Answerer("contract_review", ("realty.search",), _answer, _calls),
    Answerer("contract_text_wanted", ("realty.analysis", "realty.search"), _text_wanted),
)
