"""How sums are told and what they rest on: lines, labels, what was given, rules and acts."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskForm, AskInput, AskQuantity, Ground, Origin, Said
from services.contract.flow import Evidence, Provenance
from services.domains.realty.asks.sums import ADDED, BEARING, MAN, is_implausible
from services.domains.realty.brackets import Title
from services.domains.realty.calculators import INPUTS, MONTHS
from services.plugin.asks.answering import Call, Found, Outcome, asking_back
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled, listed, percent, proof, query, rows_of, where, won

ALONE: Final = ("realty.analysis", "realty.search")
"""Who answers what rests on the question alone."""
SEARCH: Final = ("realty.search",)
"""Who answers what needs rows."""
ACT: Final = "주택임대차보호법"
DECREE: Final = "주택임대차보호법 시행령"
_GIVEN: Final = Said("질문에 적어 주신 내용", "What your question gives")
_GIVEN_SCHEMA: Final = "hapju.realty.question.v1"
_RULE_SCHEMA: Final = "hapju.realty.rule.v1"
_YES_NO: Final = frozenset({AskForm.VERDICT})


def number_of(ask: Ask, role: str) -> Decimal | None:
    """Return the value of a role; sums of a month count twelve times, years as months."""
    for one in ask.quantities:
        value = Decimal(one.value) if one.role else Decimal(0)
        if one.role == role:
            return value * MONTHS if role in {"months", "months_to", "left", "grace"} and one.unit == "years" else value
        if role.endswith("_year") and one.role == f"{role.removesuffix('_year')}_month":
            return value * MONTHS
    return None


def unclear(ask: Ask) -> Outcome | None:
    """Return a question back where a number that may bear on the ask has no role; None where all are bound."""
    loose = [one for one in ask.quantities if (not one.role and one.unit in BEARING) or is_implausible(one)]
    if not loose:
        return None
    words = listed([Said(f"‘{one.words}’", f"“{one.words}”") for one in loose])
    sentence = filled(
        "{words:이/가} 무엇을 뜻하는지 알려 주시면 계산하겠습니다.",
        "Please tell me what {words} stands for, so that I can compute it.",
        words=words,
    )
    return Outcome(asking_back(ask, sentence, sentence))


def wanting(ask: Ask, *roles: str) -> Outcome:
    """Return a question back for the inputs that are missing."""
    names = listed([INPUTS[role].label for role in roles])
    known = _known(ask)
    sentence = filled(
        "계산하려면 {names:이/가} 더 필요합니다. {names:을/를} 알려 주세요.",
        "Could you tell me the {names}? I need that to compute it.",
        names=names,
    )
    answer = asking_back(ask, sentence, *(INPUTS[role].label for role in roles))
    return Outcome(replace(answer, grounds=known))


def _known(ask: Ask) -> tuple[Ground, ...]:
    line = given_line(ask)
    return (Ground(line),) if line is not None else ()


def given_line(ask: Ask, unused: Iterable[str] = ()) -> Said | None:
    """Return what was given and from where, in one line; None where nothing was."""
    kept = [one for one in ask.quantities if one.role and one.role not in set(unused)]
    if not kept:
        return None
    parts = listed([_quantity_said(one) for one in kept])
    return Said(f"말씀하신 값: {parts.ko}", f"As you said: {parts.en}")


def unused_line(ask: Ask, used: Iterable[str]) -> Said | None:
    """Return which numbers of the question were not used; None where all were."""
    roles = set(used)
    spare = [
        one
        for one in ask.quantities
        if one.role and one.role not in roles and f"{one.role.removesuffix('_month')}_year" not in roles
    ]
    if not spare:
        return None
    words = listed([_quantity_said(one) for one in spare])
    return Said(f"이 계산에 쓰지 않은 값: {words.ko}", f"Not used here: {words.en}")


def told_lines(ask: Ask, used: Iterable[str]) -> tuple[Said | None, Said | None]:
    """Return what was given and used, and what was given and not: each number is told once."""
    kept = set(used)
    spare = {
        one.role
        for one in ask.quantities
        if one.role not in kept and f"{one.role.removesuffix('_month')}_year" not in kept
    }
    return given_line(ask, spare), unused_line(ask, kept)


_LABELS: Final = {
    "raised_to": Said("올리려는 금액", "the raised sum"),
    "raise_by": Said("인상액", "the raise"),
    "raise_percent": Said("인상률", "the raise"),
    "rate_to": Said("바뀐 금리", "the new rate"),
    "stress": Said("스트레스 금리", "the stress rate"),
    "prepaid": Said("먼저 갚을 돈", "what is repaid first"),
    "spare_month": Said("한 달에 낼 수 있는 돈", "what you can pay a month"),
    "spare_year": Said("한 해에 낼 수 있는 돈", "what you can pay a year"),
    "months_to": Said("견줄 기간", "the other term"),
    "grace": Said("거치 기간", "the interest-only time"),
    "repaid_year": Said("한 해에 갚을 돈", "what is repaid a year"),
    "repaid_month": Said("한 달에 갚을 돈", "what is repaid a month"),
    "rate_rise": Said("금리 상승폭", "the rise of the rate"),
    "rate_fall": Said("금리 하락폭", "the fall of the rate"),
    "deposit_to": Said("바꿀 보증금", "the new deposit"),
    "deposit_by": Said("보증금 변동액", "the change of the deposit"),
    "rent_by": Said("월세 변동액", "the change of the rent"),
    "elapsed": Said("지난 기간", "the time passed"),
    "left": Said("남은 기간", "the time left"),
    "sold": Said("파는 값", "the selling price"),
    "other_month": Said("다른 대출의 월 상환액", "monthly payments of other debts"),
    "income_month": Said("월 소득", "monthly income"),
    "fee": Said("요구받은 보수", "the fee asked for"),
    "age": Said("나이", "age"),
    "assets": Said("자산", "assets"),
    "children": Said("자녀", "children"),
    "base": Said("기준금리", "base rate"),
    "per_pyeong": Said("평당 가격", "price per pyeong"),
    "gross_yield": Said("수익률", "yield"),
    "interest_month": Said("월 이자", "interest a month"),
    "paid_month": Said("매달 갚는 돈", "what is repaid a month"),
    "borrowed": Said("빌리는 돈", "what is borrowed"),
    "borrowed_2": Said("다른 쪽에서 빌리는 돈", "what is borrowed for the other"),
    "deposit_2": Said("다른 쪽 보증금", "the other deposit"),
    "rent_2": Said("다른 쪽 월세", "the other rent"),
    "upkeep": Said("관리비", "upkeep"),
    "rate_2": Said("다른 쪽 금리", "the other rate"),
    "upkeep_2": Said("다른 쪽 관리비", "the other upkeep"),
    "married": Said("혼인 기간", "years married"),
    "share": Said("빌리는 비율", "the share lent"),
}


def _quantity_said(one: AskQuantity) -> Said:
    label = _label(one.role)
    value = value_said(Decimal(one.value), one.unit)
    # A sum of several is told with its parts as they were said.
    parts = f"({one.words})" if ADDED in one.words else ""
    return Said(f"{label.ko} {value.ko}{parts}", f"{label.en} {value.en}{' ' + parts if parts else ''}")


def _label(role: str) -> Said:
    return _LABELS[role] if role in _LABELS else INPUTS[role].label


def value_said(value: Decimal, unit: str) -> Said:
    """Return a value with its unit."""
    if unit == "krw":
        return money(value)
    if unit == "percent":
        return percent(value, 2)
    if unit == "percentage_point":
        return Said(f"{value.normalize():f}%p", f"{value.normalize():f} percentage points")
    names = {
        "years": ("년", " years"),
        "months": ("개월", " months"),
        "m2": ("㎡", " m²"),
        "age": ("세", ""),
        "pyeong": ("평", " pyeong"),
    }
    ko, en = names.get(unit, ("", ""))
    return Said(f"{value.normalize():f}{ko}", f"{value.normalize():f}{en}")


def years_said(months: Decimal) -> Said:
    """Return a term in years, in months where it is not whole years."""
    if months % 12 == 0:
        return Said(f"{int(months) // 12}년", f"{int(months) // 12} years")
    return Said(f"{int(months)}개월", f"{int(months)} months")


def money(value: Decimal) -> Said:
    """Return a sum to the last won; in English by millions where that is exact."""
    exact, rounded = exact_won(value), won(value)
    whole = int(value)
    is_short = whole % MAN == 0 and (whole % (10**7) == 0 if whole >= 10**9 else True)
    return Said(exact.ko, rounded.en if is_short and whole >= 10**6 else exact.en)


def inputs_of(ask: Ask, assumed: Mapping[str, Decimal] | None = None) -> tuple[AskInput, ...]:
    """Return the inputs of an answer by origin."""
    given = [
        AskInput(one.role, _label(one.role), one.value, one.unit, one.origin) for one in ask.quantities if one.role
    ]
    more = [
        AskInput(role, INPUTS[role].label, f"{value.normalize():f}", INPUTS[role].unit, Origin.ASSUMED)
        for role, value in (assumed or {}).items()
    ]
    return (*given, *more)


def own_evidence(ask: Ask, found: Found) -> Evidence:
    """Return the question's own numbers as evidence, so that each figure rests on something that can be looked at."""
    document = {one.role: one.value for one in ask.quantities if one.role}
    return _evidence(found, ("contract", _GIVEN_SCHEMA), _GIVEN, ask.words, document)


def rule_evidence(found: Found, title: Title, document: Mapping[str, object]) -> Evidence:
    """Return a rule that is shipped as dated data as evidence."""
    return _evidence(found, ("legal", _RULE_SCHEMA), title.said, title.said.of(found.asking.locale), document)


def _evidence(
    found: Found, kind: tuple[str, str], title: Said, excerpt: str, document: Mapping[str, object]
) -> Evidence:
    asking = found.asking
    rows = json.dumps([dict(document)], ensure_ascii=False, separators=(",", ":"), default=str).encode()
    digest = hashlib.sha256(rows + excerpt.encode()).hexdigest()
    source = title.of(asking.locale)
    provenance = Provenance(source, "question", "", b"{}", asking.now, 1, "", digest, sample=False)
    return Evidence(f"ev-{digest[:16]}", kind[0], source, excerpt[:300], rows, kind[1], provenance)


def law_calls(*articles: tuple[str, str]) -> list[Call]:
    """Return the calls that read articles of law: statute and number."""
    return [
        query(
            "law_articles",
            ("statute_ko", "statute_en", "article", "title_ko", "title_en", "summary_ko", "summary_en"),
            mode="rows",
            filters=[where("statute_ko", statute), where("article", article)],
            limit=1,
        )
        for statute, article in articles
    ]


def law_proofs(found: Found) -> tuple[Evidence, ...]:
    """Return the articles that were read as evidence, each under its citation."""
    return tuple(
        proof(one, cited(rows[0].named("statute"), rows[0].text("article")), found.asking.locale, "legal")
        for one in found.readings
        if one.arguments.get("dataset") == "law_articles" and (rows := rows_of([one]))
    )


def law_said(found: Found) -> Said:
    """Return the articles that were read in brackets; empty where none was."""
    rows = rows_of(found.readings, "law_articles")
    if not rows:
        return Said("", "")
    names = listed([cited(row.named("statute"), row.text("article")) for row in rows])
    return Said(f"({names.ko})", f" ({names.en})")


def cited(statute: Said, article: str) -> Said:
    """Return how an article is cited."""
    number, _, branch = article.partition("-")
    return Said(f"{statute.ko} 제{number}조" + (f"의{branch}" if branch else ""), f"{statute.en}, Article {article}")


def done(answer: AskAnswer, *evidence: Evidence) -> Outcome:
    """Return an answer that rests on some pieces of evidence."""
    ids = tuple(dict.fromkeys(one.evidence_id for one in evidence))
    return Outcome(replace(answer, evidence_ids=ids), evidence=tuple(evidence))


def reckoned(answer: AskAnswer, ask: Ask, found: Found, *lines: Said | None) -> Outcome:
    """Return an answer that is reckoned from the question's own numbers: with what was given, and lines on how."""
    told = replace(answer, inputs=inputs_of(ask), grounds=grounds(given_line(ask), *lines))
    return done(told, own_evidence(ask, found))


def grounds(*lines: Said | None) -> tuple[Ground, ...]:
    """Return lines behind an answer; None is left out."""
    return tuple(Ground(one) for one in lines if one is not None)


TOO_MUCH: Final = (
    r"위반|불법|위법|넘(?:나|어|는|은|습|긴|겼)|초과|과하|과한|과다|비싼|비싸|많은\s?(?:거|것|건|편)|바가지|덤터기|illegal|unlawful|against the law|exceed"
    r"|too (?:much|high)|excessive|overcharg|rip-?off|break|\b(?:over|above|beyond) (?:the|that|its|what)\b"
)
"""Words that ask whether a sum is beyond what is allowed, so that "yes" means that it is."""


def is_verdict(sheet: Sheet) -> bool:
    """Tell whether the words ask for yes or no."""
    return sheet.wants(*_YES_NO)
