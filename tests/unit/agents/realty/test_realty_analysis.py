"""realty.analysis over what earlier steps found: each part, what it cites, and what it says is missing."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from services.agents.outcome import SAMPLE, result_of
from services.contract.flow import AgentResult, AgentStatus
from services.domains.realty.agents.analysis import AGENT, analyse
from services.domains.realty.agreements.statutes import conversion_rates, rise_cap_percent
from services.domains.realty.tools.legal_search import LegalSearchRow
from services.plugin.findings import Findings
from tests.unit.agents.realty.realty_rows import CONVERSION, RISE, RISE_ACT, TERM, article, asking, home, result

MARKET = result(
    "market_data",
    "market",
    home("가온", "sale", 84.0, 1_000_000_000, 30),
    home("가온", "jeonse", 84.0, 800_000_000, 20),
    home("나루", "sale", 59.0, 600_000_000, 10),
    home("나루", "jeonse", 59.0, 420_000_000, 10),
    home("나루", "monthly_rent", 59.0, 100_000_000, 4, rent=1_500_000),
)


def figures(found: Findings) -> dict[str, Decimal]:
    """Returns the metrics by name."""
    return {metric.name: Decimal(metric.value) for metric in found.metrics}


def law(*rows: dict[str, Any]) -> tuple[Any, ...]:
    """Returns a search's result that holds articles."""
    return (result("legal_search", "legal", *rows),)


def row_of(document: dict[str, Any]) -> LegalSearchRow:
    """Returns an article as the agent reads it."""
    return LegalSearchRow.returned(document)


def test_caps_are_read_from_the_words_of_the_law() -> None:
    """The cap of a rise and the rates of conversion are what the row's words say, None where they say none."""
    assert (rise_cap_percent(row_of(RISE)), rise_cap_percent(row_of(TERM))) == (5, None)
    assert rise_cap_percent(row_of(article("민법", "1", "백분의 오를 넘지 못한다."))) == 5
    assert (conversion_rates(row_of(CONVERSION)), conversion_rates(row_of(RISE))) == ((10, 2), None)


def test_a_rise_beyond_the_cap_is_told_with_its_articles() -> None:
    """A rise of a tenth is beyond the cap, with the highest sum and the excess, citing the act and the decree."""
    found = analyse((), asking("월세 200만원을 220만원으로 올려달래요", prior=law(RISE_ACT, RISE)))
    assert figures(found) == {
        "rise_change": 10,
        "rent_before": 2_000_000,
        "rent_after": 2_200_000,
        "rise_cap": 5,
        "rise_highest": 2_100_000,
        "rise_excess": 100_000,
    }
    assert "(주택임대차보호법 제7조, 주택임대차보호법 시행령 제8조)" in found.summary
    assert found.coverage == 1.0


def test_without_the_article_nothing_is_said_of_the_cap() -> None:
    """Without a row of law the rise is computed, no article and no cap is named, and the result is limited."""
    found = analyse((), asking("월세 200만원을 220만원으로 올려달래요"))
    text = " ".join((found.summary, *found.cautions))
    assert "제" not in found.summary
    assert "5%" not in text
    assert "rise_cap" not in figures(found)
    assert result_of(AGENT, "s2", "ko", (), found).status is AgentStatus.LIMITED


@pytest.mark.parametrize("locale", ["ko", "en"])
def test_an_article_is_cited_only_where_a_row_holds_it(locale: str) -> None:
    """With the act's article alone, the decree's is not cited, in either language."""
    found = analyse((), asking("월세 200만원을 205만원으로 올려달래요", locale=locale, prior=law(RISE_ACT)))
    assert ("제7조" if locale == "ko" else "Article 7") in found.summary
    assert "시행령" not in found.summary
    assert "Decree" not in found.summary


def test_a_deposit_is_converted_at_the_cap() -> None:
    """100 million at the lower of 10 % and the base rate plus 2 % is told beside the rate of the question."""
    question = "보증금 1억을 월세로 돌리면 얼마인가요? 전환율 6%, 기준금리 2.5%"
    found = analyse((), asking(question, prior=law(CONVERSION)))
    assert figures(found)["conversion_rate_cap"] == Decimal("4.5")
    assert (figures(found)["converted_rent_asked"], figures(found)["converted_rent_cap"]) == (500_000, 375_000)


def test_market_and_risk_rest_on_the_rows() -> None:
    """Spread, jeonse ratio and score are those of the rows, every term is told, and the evidence is the search's."""
    found = analyse((), asking("강남구 아파트 시세랑 위험", "COMPREHENSIVE", prior=(MARKET,)))
    ratio = (Decimal("0.8") * 20 + Decimal("0.7") * 10) / 30 * 100
    assert figures(found)["jeonse_ratio"] == ratio.quantize(Decimal("0.1"))
    for term in ("jeonse_ratio", "dangers", "sale_spread", "thin_market"):
        assert f"risk_points_{term}" in figures(found)
    assert "위험 점수는 100점 만점에" in found.summary
    assert {piece.evidence_id for piece in found.evidence} == {"ev-market_data"}
    told = result_of(AGENT, "s2", "ko", (), found)
    assert (told.status, SAMPLE.ko in told.cautions) == (AgentStatus.ANSWERED, True)
    assert told.confidence == pytest.approx(0.8)


def test_a_price_stands_in_its_market() -> None:
    """A price of the question is placed among the deals of the rows."""
    found = analyse((), asking("강남구 아파트 매매가 9억이면 비싼 편인가요?", "MARKET_INQUIRY", prior=(MARKET,)))
    assert figures(found)["from_mean_change"] == Decimal("0.0")  # the mean of 30 x 10 and 10 x 6 hundred million
    assert figures(found)["share_below"] == Decimal("25.0")


def test_a_yield_of_the_market() -> None:
    """The yield of the complex with a sale and a rent: 18 million of 500 million."""
    found = analyse((), asking("이 시세로 투자 수익률 계산해줘", "MARKET_INQUIRY", prior=(MARKET,)))
    assert figures(found)["rental_yield_mean"] == Decimal("3.6")


def test_a_contract_is_reviewed_with_the_law_that_was_found() -> None:
    """A short term is told with the article on the term where a row holds it."""
    text = (
        "임대차 계약서를 검토해 주세요. 제1조 임대인 갑과 임차인 을은 보증금 1억원에 임대차 계약을 맺는다. "
        "임대차 기간은 1년으로 한다. 보증금은 계약이 끝나면 반환한다."
    )
    with_law = analyse((), asking(text, "CONTRACT_REVIEW", prior=law(TERM)))
    without = analyse((), asking(text, "CONTRACT_REVIEW"))
    assert "임차인은 2년을 주장할 수 있습니다(주택임대차보호법 제4조)." in with_law.summary
    assert "임차인은 2년을 주장할 수 있습니다." in without.summary
    assert figures(without)["term_months"] == 12


def earlier(found: Findings) -> AgentResult:
    """Returns what an earlier flow's analysis found."""
    return replace(result_of(AGENT, "s2", "ko", (), found), reused_flow_run_id="f1")


def test_a_contract_that_was_given_before_is_reviewed_again() -> None:
    """A later question without its text is answered from the held contract, by the same figures and evidence."""
    text = (
        "제1조 임대인 갑과 임차인 을은 보증금 1억원에 임대차 계약을 맺는다. 임대차 기간은 1년으로 한다. "
        "임차인은 갱신요구권을 포기한다. 보증금은 계약이 끝나면 반환한다."
    )
    first = analyse((), asking(f"이 계약서 검토해줘. {text}", "CONTRACT_REVIEW"))
    again = analyse((), asking("방금 그 계약서에서 위험한 것만 짚어줘", "CONTRACT_REVIEW", prior=(earlier(first),)))
    assert figures(first)["risky_clause_count"] == 2
    assert figures(again) == figures(first)
    assert [one.evidence_id for one in again.evidence] == [one.evidence_id for one in first.evidence]
    other = analyse((), asking("위험도 분석해줘", "RISK_ANALYSIS", prior=(earlier(first),)))
    assert "risky_clause_count" not in figures(other)


@pytest.mark.parametrize(
    ("question", "locale"),
    [
        ("계약서에 ‘임차인은 계약갱신요구권을 포기한다’고 되어 있는데 검토해줘", "ko"),
        ('Please check this clause of my lease: "Tenant shall waive the right to renew."', "en"),
    ],
)
def test_a_clause_that_is_quoted_is_reviewed_by_itself(question: str, locale: str) -> None:
    """Its risky words are told; nothing is said to be missing, because the rest of the contract is not known."""
    found = analyse((), asking(question, "CONTRACT_REVIEW", locale=locale))
    assert figures(found) == {"risky_clause_count": 1}
    assert found.coverage == 1
    whole = "계약서 전체" if locale == "ko" else "whole contract"
    assert any(whole in caution for caution in found.cautions)


def test_an_apostrophe_quotes_nothing() -> None:
    """A contract that is only spoken of is asked for."""
    found = analyse((), asking("Check my landlord's lease, it's what the agent's office sent", "CONTRACT_REVIEW"))
    assert found.coverage == 0


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("강남구 시세랑 위험 분석해줘", "COMPREHENSIVE"),
        ("위험도 분석해줘", "RISK_ANALYSIS"),
        ("계약서 검토해줘", "CONTRACT_REVIEW"),
        ("대출 얼마까지 가능해?", "LOAN_CONSULT"),
        ("어떻게 해야 해?", "LEGAL_CONSULT"),
    ],
)
@pytest.mark.parametrize("locale", ["ko", "en"])
def test_without_rows_nothing_is_judged(question: str, intent: str, locale: str) -> None:
    """Without rows, sums or a text the result is INSUFFICIENT_DATA, and its summary holds no digit and no article."""
    found = analyse((), asking(question, intent, locale=locale))
    told = result_of(AGENT, "s2", locale, (), found)
    assert (told.status, told.reason, told.metrics, told.confidence) == (
        AgentStatus.INSUFFICIENT_DATA,
        "NO_ROWS",
        (),
        0.0,
    )
    assert [mark for mark in told.summary if mark.isdigit()] == []


def test_rows_of_another_schema_are_let_be() -> None:
    """Evidence that holds other rows, or rows that cannot be read, is as if it were not there."""
    broken = result("market_data", "market", {"price_mean_krw": 1})
    other = result("macro_series", "macro", {"value": 3})
    found = analyse((), asking("위험도 분석해줘", "RISK_ANALYSIS", prior=(broken, other)))
    assert found.coverage == 0


def test_every_metric_rests_on_evidence_of_the_result() -> None:
    """Each figure names evidence, and the result holds it."""
    prior = (MARKET, *law(RISE_ACT, RISE, CONVERSION))
    question = "보증금 2억, 월세 100만원을 120만원으로 올려달래요. 근저당이 있는데 위험한가요?"
    found = analyse((), asking(question, "RISK_ANALYSIS", prior=prior))
    held = {piece.evidence_id for piece in found.evidence}
    assert found.metrics
    for metric in found.metrics:
        assert metric.evidence_ids
        assert set(metric.evidence_ids) <= held, metric.name
