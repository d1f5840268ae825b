"""Answers on markets hold the figures that plain SQL gives, over all rows and with every condition."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.contract.asks import AskVerdict
from services.contract.flow import Provenance
from services.domains.finance.asks import ANSWERERS, READ
from services.plugin.asks.answering import Found, Outcome
from services.plugin.asks.telling import QueryRow
from services.plugin.findings import Asking, Reading
from services.tool_gateway.query.compiling import compiled
from services.tool_gateway.query.model import QueryArguments
from services.tool_gateway.query.tool import data_sets
from tests.support.seeding import folder_as_of
from tests.unit.domains.finance.test_asks_reading import NOW, sheet_of

# One worker waits for the seed, and not each.
pytestmark = pytest.mark.xdist_group("agents_data")

_BY_ID = {one.id: one for one in ANSWERERS}
_PROVENANCE = Provenance("s", "d", "t", b"{}", datetime(2026, 11, 27, tzinfo=UTC), 1, "q", "f", sample=True)
_OWN = {"dataset_id", "dataset_source", "dataset_sample", "as_of", "row_count", "total"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The sample data as of the tests' day."""
    as_of = datetime(2026, 11, 27, 9, tzinfo=UTC)
    return folder_as_of(tmp_path_factory.getbasetemp(), worker_id, as_of) / "data.db"


@pytest.fixture
def plain(data: Path) -> Iterator[sqlite3.Connection]:
    """The same data for plain SQL."""
    with sqlite3.connect(data) as connection:
        yield connection


def answered(data: Path, question: str, today: date | None = None) -> Outcome:
    """Read a question, on another day where one is given, run the calls of its ask and compute its answer."""
    sheet = sheet_of(question)
    claim = READ(replace(sheet, today=today or sheet.today), [])[0]
    answerer, engine = _BY_ID[claim.ask.answerer], sa.create_engine(f"sqlite:///{data}")
    readings = []
    for call in answerer.calls(claim.ask):
        if call.tool != "query_data":
            continue
        asked = QueryArguments.model_validate_json(json.dumps(dict(call.arguments)))
        with engine.connect() as connection:
            records = [
                dict(one)
                for one in connection.execute(compiled(data_sets()[asked.dataset], asked).statement).mappings()
            ]
        rows = tuple(_row(record) for record in records)
        readings.append(
            Reading("query_data", "query", call.arguments, rows, "s", _PROVENANCE, truncated=False, partial=False)
        )
    asking = Asking(question, "ko", NOW, "Asia/Seoul", "", (), (), ())
    return answerer.answer(claim.ask, Found(tuple(one for one in readings if one.rows), asking))


def _row(record: dict[str, object]) -> QueryRow:
    fields = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in record.items()
        if name not in _OWN
    }
    counts = {"row_count": record["row_count"], "total": record["total"]}
    return QueryRow.model_validate({"fields": fields, **counts, "as_of": _PROVENANCE.as_of_time})


@pytest.mark.parametrize(
    ("question", "today", "base", "span"),
    [
        ("메타 이번 달 얼마나 움직였어", date(2026, 12, 1), "2026-10-31", "지난달"),
        ("메타 이번 주 얼마나 움직였어", date(2026, 11, 30), "2026-11-22", "지난주"),
        ("메타 이번 달 얼마나 움직였어", date(2026, 11, 27), "2026-10-31", "이번 달"),
    ],
)
def test_a_time_that_has_not_begun_is_told_as_the_one_before(
    data: Path, plain: sqlite3.Connection, *, question: str, today: date, base: str, span: str
) -> None:
    """On the first days of a month no close of it is there: the month before is told, by its name."""
    query = "SELECT close FROM us_equity_prices WHERE security_id = 'US:META' AND date <= ? ORDER BY date DESC LIMIT 1"
    (then,), (now,) = (plain.execute(query, (day,)).fetchone() for day in (base, today.isoformat()))
    sentence = answered(data, question, today).answer.sentence
    assert sentence is not None
    assert span in sentence.ko
    assert f"{abs(now / then - 1) * 100:.2f}%" in sentence.ko


def figures(outcome: Outcome, measure: str) -> dict[str, float]:
    """Return the figures that an answer told, by subject."""
    return {one.value: float(one.figures[measure]) for one in outcome.answer.told if measure in one.figures}


_CLOSE = "(select close from {t} p where p.security_id=s.security_id {w} order by date desc limit 1)"
_VALUES = "select value from macro_observations where series_id=? order by date desc"
_FOUR = (
    "(select sum(value) from (select value from equity_financials e where e.security_id=s.security_id "
    "and item='eps' order by period_end desc limit 4))"
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("market", "word", "table"), [("KR", "국내", "kr_equity_prices"), ("US", "미국", "us_equity_prices")]
)
def test_price_over_the_last_four_earnings(
    data: Path, plain: sqlite3.Connection, market: str, word: str, table: str
) -> None:
    """Those under a bound are all and only those that plain SQL finds, each with its figure."""
    close = _CLOSE.format(t=table, w="")
    rows = f"select s.security_id, {close}/{_FOUR} per from securities s where market=? and kind='share'"  # noqa: S608
    sql = f"select security_id, per from ({rows}) where per>0 and per<20"  # noqa: S608
    wanted = dict(plain.execute(sql, (market,)).fetchall())
    told = figures(answered(data, f"{word} 주식 중에 PER 20배 미만 찾아줘"), "per")
    assert told.keys() == wanted.keys()
    assert all(told[one] == pytest.approx(wanted[one]) for one in wanted)


def test_a_year_to_date_counts_from_the_last_close_before_it(data: Path, plain: sqlite3.Connection) -> None:
    """The first of a market by return is the first by plain SQL, and its figure the same."""
    now = _CLOSE.format(t="us_equity_prices", w="")
    then = _CLOSE.format(t="us_equity_prices", w="and date<='2025-12-31'")
    rows = f"select security_id, 100.0*({now}/{then}-1) v from securities s where market='US' and kind='share'"  # noqa: S608
    sql = f"{rows} order by v desc limit 1"
    best, value = plain.execute(sql).fetchone()
    told = figures(answered(data, "미국 주식 중 올해 제일 많이 오른 종목"), "return")
    assert next(iter(told)) == best
    assert told[best] == pytest.approx(value)


def test_year_on_year_takes_the_same_month(data: Path, plain: sqlite3.Connection) -> None:
    """Prices are told by their change over the same month a year before."""
    newest, before = (
        plain.execute(f"{_VALUES} limit 1 offset ?", ("KR_CPI", at)).fetchone()[0]
        for at in (0, 12)
    )  # fmt: skip
    told = figures(answered(data, "한국 소비자물가 전년 대비 상승률"), "yearly")
    assert told["KR_CPI"] == pytest.approx(100 * (newest / before - 1))


def test_a_verdict_begins_with_yes_or_no(data: Path, plain: sqlite3.Connection) -> None:
    """A bound under the newest value is exceeded, one above it is not."""
    value = plain.execute(f"{_VALUES} limit 1", ("KR_USDKRW",)).fetchone()[0]
    over = answered(data, f"환율 {int(value) - 50}원 넘었어?").answer
    under = answered(data, f"환율 {int(value) + 50}원 넘었어?").answer
    assert (over.verdict, under.verdict) == (AskVerdict.YES, AskVerdict.NO)
    assert over.sentence is not None
    assert over.sentence.ko.startswith("네")


def test_a_wrong_premise_is_said_first(data: Path, plain: sqlite3.Connection) -> None:
    """Why a share rose that fell, or fell that rose, is answered by what it did."""
    last, before = (
        row[0]
        for row in plain.execute(
            "select close from kr_equity_prices where security_id='KR:000270' and date<='2026-11-26' "
            "order by date desc limit 2"
        )
    )
    wrong = "올랐어" if last < before else "떨어졌어"
    sentence = answered(data, f"기아 어제 왜 {wrong}?").answer.sentence
    assert sentence is not None
    assert sentence.ko.startswith("질문과 달리")


def test_each_answer_names_its_evidence(data: Path) -> None:
    """What is told rests on rows that are handed over with it."""
    for question in (
        "삼성전자 PBR 얼마야",
        "엔비디아랑 애플 PER 비교",
        "국내 종목 PER 낮은 순으로",
        "카카오 뉴스 있어?",
    ):
        outcome = answered(data, question)
        assert set(outcome.answer.evidence_ids) <= {one.evidence_id for one in outcome.evidence}
        assert outcome.evidence
