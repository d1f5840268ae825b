"""A contract that came as a file: reviewed as one that is pasted, and one clause of it told when it is asked for.

no words, or words that want it looked at      each contract is reviewed          REVIEW
"제3조는 어때?", "clause 3?", "the second one"   that clause, and what is in it     REVIEW
"수선비는 누가 내?" with the file              the clauses that speak of it       FACT
a file that is no contract                     said, where a contract is wanted

A file stays at hand for the messages after it, and so does a contract that was pasted; there only its clauses are asked
for, in words that name one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Ground, Said
from services.contract.flow import Attachment
from services.domains.realty.agreements.clauses import is_contract, is_sale
from services.domains.realty.agreements.defects import Defect, defects_of
from services.domains.realty.agreements.sections import ContractSection, sections_of
from services.domains.realty.asks.papers.files import file_of, no_contract, proof_of, spot
from services.domains.realty.asks.papers.statute_calls import calls_for, cited, laws_in
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.edits import ordinal, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.text.ko.morphemes import morphemes

_WANTS: Final = (
    r"검토|봐\s?(?:줘|주|달|줄|요)|보아\s?주|확인|문제|독소|불리|위험|괜찮|살펴|점검|체크|이상한|조심|읽어|따져|분석|어때|어떤가|어떻|서명|도장|사인|계약해도|빠진|요약|정리|설명"
    r"|\bcheck|\breview|\bwrong\b|\brisk|\bproblem|\bissue|unfair|look|\bsafe\b|\bsign\b|\bfair\b|\bokay\b|\bok\b|worr|red flags?|anything|missing|think|explain|summar"
)
_CONTRACT: Final = r"계약서|계약|특약|조항|약관|\bcontract\b|\blease\b|\bclauses?\b|\bagreement\b"
_POINTS: Final = r"이거|이것|이건|이걸|요거|이\s?(?:파일|문서|서류)|첨부|파일|보낸|올린|위에|여기|\bthis\b|\bit\b|\battach|\bfile\b|\bdocument\b|\bhere\b"
_CLAUSE: Final = r"(?<![0-9법])(?:제\s?)?(?P<ko>[0-9]{1,2})\s?(?:조(?!\s?(?:원|[0-9]|억|만))(?:항)?|번\s?조항)|(?:clause|article|section)\s(?P<en>[0-9]{1,2})\b"
_LAW: Final = r"보호법|민법|시행령|법률|법\s?제?\s?[0-9]+\s?조|\bact\b|\bcivil code\b"
_ASKED: Final = r"[?]|누가|언제|얼마|어디|무엇|뭐|뭔|몇|어떻게|되나|하나요|인가|까요|알려|있나|있어|\bwho\b|\bwhen\b|\bhow\b|\bwhat\b|\bwhere\b|\bwhich\b|\bdoes\b|\bis there\b|\bcan\b|\bmust\b"
_FOLLOW_WORDS: Final = 14
_SHOWN_MAX: Final = 3
_QUOTE: Final = {"ko": 180, "en": 320}
_MARKED: Final = r"(?<![가-힣])(?P<noun>[가-힣]{2,6})(?:은|는|이|가|을|를|의|에|도|에서|에는|에도|에 대해)(?![가-힣])"
_STOP: Final = (
    r"계약|계약서|조항|특약|파일|첨부|내용|문서|이것|여기|누구|언제|얼마|무엇|경우|부분|질문|관련"
    r"|this|that|does|what|when|where|which|whom|with|from|have|contract|lease|clause|agreement|file|attached|there|about|must|shall|will|tell|much|many|long"
)


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks that rest on files, or on a contract that is at hand; nothing where none is spoken of."""
    now = [file for file in sheet.attached if not file.earlier]
    contracts = [file for file in now if is_contract(file.text)]
    if clause := _clause_wanted(sheet, before, contracts):
        return (clause,)
    if not now:
        return ()
    if contracts and (wanted := _topic(sheet, contracts)) is not None:
        return (wanted,)
    if not _is_wanted(sheet):
        return ()
    if contracts:
        return tuple(_review(sheet, file, at) for at, file in enumerate(contracts))
    return (_not_a_contract(sheet, now),) if sheet.says(_CONTRACT) else ()


def _is_wanted(sheet: Sheet) -> bool:
    """Tell whether a file is to be looked at: nothing else is said, or words that look and name no other matter."""
    if not sheet.text.strip():
        return True
    pointing = sheet.says(_CONTRACT) or sheet.says(_POINTS)
    return (pointing and sheet.says(_WANTS)) or (short(sheet.text, 6) and (pointing or sheet.says(_WANTS)))


def _review(sheet: Sheet, file: Attachment, at: int) -> Claim:
    found = defects_of(file.text, is_sale=is_sale(file.text))
    ask = Ask(
        ask_id=f"file{at}",
        words=sheet.text or file.name,
        end=len(sheet.text),
        form=AskForm.REVIEW,
        intent="CONTRACT_REVIEW",
        answerer="contract_review",
        notes={"articles": _articles(found)},
        attachments=(file.digest,),
    )
    return Claim(ask, 0.98, is_whole=True)


def _not_a_contract(sheet: Sheet, files: Sequence[Attachment]) -> Claim:
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.REVIEW, intent="CONTRACT_REVIEW")
    ask = replace(ask, answerer="contract_clause", attachments=tuple(file.digest for file in files))
    return Claim(ask, 0.98, is_whole=True)


def _clause_wanted(sheet: Sheet, before: Sequence[AskedBefore], now: Sequence[Attachment]) -> Claim | None:
    """Return the ask for one clause of the contract at hand, by its number or by its place in the last findings."""
    if sheet.says(_LAW) or not (now or short(sheet.text, _FOLLOW_WORDS)):
        return None
    file = now[0] if now else next((one for one in sheet.attached if is_contract(one.text)), None)
    pasted = "" if file is not None else _pasted(before)
    text = file.text if file is not None else pasted
    if not text:
        return None
    if (match := sheet.find(_CLAUSE)) is not None:
        wanted = {"clause": match["ko"] or match["en"]}
        shown = [one for one in sections_of(text) if str(one.number) == wanted["clause"]][:1]
    elif not now and (place := _place_told(sheet, before)):
        wanted = {"quote": place}
        shown = [one for one in sections_of(text) if _holds(one, place)][:1]
    elif not now and (words := _words(sheet)) and sheet.says(_CONTRACT):
        wanted = {"about": " ".join(words)}
        shown = list(_about(text, words))
    else:
        return None
    found = [one for section in shown for one in _defects(section, text)]
    return _of_clause(sheet, AskForm.REVIEW, file, {**wanted, "pasted": pasted, "articles": _articles(found)})


def _topic(sheet: Sheet, contracts: Sequence[Attachment]) -> Claim | None:
    """Return the ask for what a contract says of something; None where the words are of something else."""
    words = _words(sheet)
    of_file = sheet.says(_CONTRACT) or sheet.says(_POINTS)
    if not words or not sheet.says(_ASKED) or (sheet.numbers and not of_file) or sheet.of_kind("region"):
        return None
    if sheet.says(r"검토|위험|독소|불리|문제|괜찮|\breview|\brisk|unfair|\bproblem|\bwrong\b|safe to sign|\bissue"):
        return None
    for file in contracts:
        if shown := _about(file.text, words):
            found = [one for section in shown for one in _defects(section, file.text)]
            return _of_clause(
                sheet, AskForm.FACT, file, {"about": " ".join(words), "pasted": "", "articles": _articles(found)}
            )
    return None


def _of_clause(sheet: Sheet, form: AskForm, file: Attachment | None, notes: dict[str, str]) -> Claim:
    ask = Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=form,
        intent="CONTRACT_REVIEW",
        answerer="contract_clause",
        notes={key: value for key, value in notes.items() if value},
        attachments=(file.digest,) if file is not None else (),
    )
    return Claim(ask, 0.98, is_whole=True)


def _pasted(before: Sequence[AskedBefore]) -> str:
    """Return the text of the contract that was pasted last; empty where none was."""
    asks = (ask for message in before for ask in message.asks if ask.form is AskForm.REVIEW and not ask.attachments)
    return next((ask.notes.get("pasted") or ask.words for ask in asks if is_contract(ask.words)), "")


def _place_told(sheet: Sheet, before: Sequence[AskedBefore]) -> str:
    """Return the words of the finding that a message points to by its place; empty where it points to none."""
    told, place = told_last(before, "clause"), ordinal(sheet)
    return told[place].label.rstrip("…") if place is not None and place < len(told) else ""


def _holds(section: ContractSection, quote: str) -> bool:
    return " ".join(quote.split())[:40] in section.text


def _words(sheet: Sheet) -> tuple[str, ...]:
    """Return the nouns of a message that say what is asked about."""
    nouns = [one.surface for one in morphemes(sheet.text) if one.tags[0] in {"NNG", "NNP"} and len(one.surface) > 1]
    # A noun that is also a verb's stem ("해지는") shows by its particle.
    nouns += [match["noun"] for match in re.finditer(_MARKED, sheet.text)]
    english = [word.rstrip("s") for word in re.findall(r"[a-z]{4,}", sheet.text.lower())]
    return tuple(dict.fromkeys(word for word in (*nouns, *english) if not re.fullmatch(_STOP, word)))


def _about(text: str, words: Sequence[str]) -> tuple[ContractSection, ...]:
    """Return the clauses that speak of some words the most, the first first."""
    weighed = [(one.weight(words), one) for one in sections_of(text)]
    most = max((weight for weight, _ in weighed), default=0)
    return tuple(one for weight, one in weighed if weight == most)[:_SHOWN_MAX] if most else ()


def _defects(section: ContractSection, text: str) -> tuple[Defect, ...]:
    return defects_of(f"{section.label} {section.text}", is_sale=is_sale(text))


def _articles(found: Sequence[Defect]) -> str:
    return " ".join(dict.fromkeys(name for one in found for name in one.kind.articles))


def _calls(ask: Ask) -> Sequence[Call]:
    return calls_for(tuple(ask.notes.get("articles", "").split()))


def _answer(ask: Ask, found: Found) -> Outcome:
    file = file_of(ask, found.asking)
    text = file.text if file is not None else ask.notes.get("pasted", "")
    if not is_contract(text):
        return Outcome(declined(ask, no_contract(found.asking.attachments)))
    shown = _shown(ask, text)
    if not shown:
        return Outcome(declined(ask, _absent(ask, text)))
    laws = laws_in(found)
    proof = proof_of(file, [(one.label, one.text, one.start) for one in shown], found.asking)
    pieces = (*((proof,) if proof is not None else ()), *laws.pieces)
    ids = tuple(piece.evidence_id for piece in pieces)
    grounds = []
    for section in shown:
        for one in _defects(section, text):
            law = cited(one.kind.articles, laws)
            name = one.kind.name
            grounds.append(
                Ground(Said(f"{name.ko}: {one.why.ko}{law.ko}.", f"{_begun(name.en)}: {one.why.en}{law.en}."), ids)
            )
    sentence = _sentence(ask, shown, file, is_risky=bool(grounds))
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=tuple(grounds)), evidence=pieces)


def _shown(ask: Ask, text: str) -> tuple[ContractSection, ...]:
    if number := ask.notes.get("clause"):
        return tuple(one for one in sections_of(text) if str(one.number) == number)[:1]
    if quote := ask.notes.get("quote"):
        return tuple(one for one in sections_of(text) if _holds(one, quote))[:1]
    return _about(text, ask.notes.get("about", "").split())


def _absent(ask: Ask, text: str) -> Said:
    numbers = [one.number for one in sections_of(text) if one.number]
    if "clause" in ask.notes and numbers:
        asked, last = ask.notes["clause"], max(numbers)
        return Said(
            f"이 계약서에는 제{asked}조가 없습니다. 제1조부터 제{last}조까지 있습니다.",
            f"This contract has no clause {asked}; its clauses go up to {last}.",
        )
    return Said(
        "이 계약서에서 그 내용을 다룬 조항을 찾지 못했습니다.",
        "I found no clause of this contract that speaks of that.",
    )


def _sentence(ask: Ask, shown: Sequence[ContractSection], file: Attachment | None, *, is_risky: bool) -> Said:
    ko = " ".join(f"{spot(file, one.start, one.label).ko}“{_cut(one.text, _QUOTE['ko'])}”" for one in shown)
    en = " ".join(f"{spot(file, one.start, one.label).en}“{_cut(one.text, _QUOTE['en'])}”" for one in shown)
    if is_risky:
        return Said(f"위험한 조항입니다. {ko}", f"This is risky: {en}")
    if ask.form is AskForm.FACT:
        return Said(f"계약서에는 이렇게 적혀 있습니다. {ko}", f"The contract says: {en}")
    return Said(f"위험한 내용을 찾지 못했습니다. {ko}", f"I found nothing risky in it: {en}")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _begun(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


ANSWERERS: Final = (Answerer("contract_clause", ("realty.search",), _answer, _calls),)
