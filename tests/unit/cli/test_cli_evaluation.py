"""`hapju eval`: one JSON object, exit codes, and what a person reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.app import run

ROUTING: list[dict[str, Any]] = [
    {
        "id": "a",
        "query": "안녕하세요",
        "locale": "ko",
        "expect": {"domain": "general", "intent": "greeting", "next_action": "RESPOND", "policy": "ALLOW"},
        "traits": ["plain"],
    },
    {
        "id": "b",
        "query": "동구 아파트 시세",
        "locale": "ko",
        "expect": {"intent": "LOAN_CONSULT", "next_action": "CLARIFY", "policy": "ALLOW", "must_ask": ["region"]},
        "traits": ["plain"],
    },
]
PLANS: list[dict[str, Any]] = [
    {
        "id": "p",
        "query": "주문 취소해줘",
        "locale": "ko",
        "context": {"is_logged_in": True},
        "expect": {"intent": "cancel_order", "must_include": ["after_sales"], "steps": [], "strategy": "sequential"},
    }
]
FOLLOWUPS: list[dict[str, Any]] = [
    {
        "id": "f",
        "locale": "ko",
        "clock": [3],
        "turns": [
            {"user": "구로구 전세 시세 알려줘", "search_returns": {"market": 4}, "expect": {"reuse": "search"}},
            {"user": "방금 구로구 시세 다시 보여줘", "expect": {"reuse": "use", "intent": "MARKET_INQUIRY"}},
        ],
        "must_not_reuse": False,
    }
]
AMOUNTS: list[dict[str, Any]] = [{"id": "t", "text": "2억 5천만원", "amount_krw": 250_000_000}]


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The services of a command keep their keys in a folder of the test's."""
    monkeypatch.setenv("HAPJU_DATA_DIR", str(tmp_path / "data"))


def written(folder: Path, rows: list[dict[str, Any]]) -> str:
    """Return the path of a file with these rows."""
    path = folder / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return str(path)


def test_routing_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object: the set, rows, accuracy by name, what failed and what was taken for what."""
    code = run(["eval", "routing", written(tmp_path, ROUTING), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (code, told["set"], told["rows"], told["hard_fails"]) == (0, "routing", 2, 0)
    accuracy = {name: one["accuracy"] for name, one in told["scored"].items()}
    assert accuracy == {"policy": 1.0, "intent": 0.5, "domain": 1.0, "next_action": 1.0, "entities": 1.0}
    assert {(one["id"], one["got"], one["want"]) for one in told["misses"]} == {("b", "MARKET_INQUIRY", "LOAN_CONSULT")}
    assert told["scored"]["intent"] == {"right": 1, "of": 2, "accuracy": 0.5}
    assert told["confusion"] == [{"want": "LOAN_CONSULT", "got": "MARKET_INQUIRY", "rows": 1}]
    assert told["by_trait"] == {"plain": {"right": 1, "of": 2, "accuracy": 0.5}}


@pytest.mark.parametrize(
    ("kind", "rows", "metrics"),
    [
        ("plans", PLANS, {"plan": 1.0, "strategy": 1.0}),
        ("followups", FOLLOWUPS, {"reuse": 1.0, "searches_avoided": 1.0, "intent": 1.0}),
        ("amounts", AMOUNTS, {"value": 1.0}),
        ("text", AMOUNTS, {"value": 1.0}),
    ],
)
def test_the_other_kinds(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    rows: list[dict[str, Any]],
    metrics: dict[str, float],
) -> None:
    """Plans after their slots are answered, conversations by their own clock, sums and dates."""
    code = run(["eval", kind, written(tmp_path, rows), "--json"])
    told = json.loads(capsys.readouterr().out)
    accuracy = {name: one["accuracy"] for name, one in told["scored"].items()}
    assert (code, accuracy, told["misses"]) == (0, metrics, [])


def test_a_person_reads_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Accuracy, traits, intents, confusions and each miss with the voters' scores."""
    assert run(["eval", "routing", written(tmp_path, ROUTING)]) == 0
    told = capsys.readouterr().out
    assert all(text in told for text in ("accuracy", "50.00%", "taken for", "1 misses", "keyword=MARKET_INQUIRY"))


@pytest.mark.parametrize(("least", "code"), [("0.5", 0), ("0.51", 1)])
def test_min_decides_the_exit_code(tmp_path: Path, least: str, code: int) -> None:
    """Below --min in any name the command ends with 1."""
    assert run(["eval", "routing", written(tmp_path, ROUTING), "--min", least, "--json"]) == code


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no rows"),
        ("{", "line 1 is no JSON"),
        ("[1]", "line 1 is no JSON object"),
        ('{"id": "x"}', "line 1 has no query, expect"),
        ('{"id": "x", "query": 3, "expect": []}', "not of the kind"),
    ],
)
def test_an_unusable_file_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    """What is wrong is told as JSON, with the line."""
    path = tmp_path / "rows.jsonl"
    path.write_text(text, encoding="utf-8")
    code = run(["eval", "routing", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (code, says in told["error"]["message"]) == (2, True)


def test_a_missing_file_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is a usage error."""
    assert run(["eval", "plans", str(tmp_path / "none.jsonl"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["violations"][0]["field"] == "FILE"
