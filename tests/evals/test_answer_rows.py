"""The project's own whole questions: well formed, of every form, in both languages, and judged as their tool judges."""

import importlib.util
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.catalog.loader import catalog
from services.catalog.spoken import utterances
from services.cli.app import run
from services.cli.evaluation.answers.verdicts import judged
from services.text.normalise import normalise

ANSWERS = Path(__file__).parent / "answers"
TOOL = Path(__file__).parents[3] / "shared" / "tools" / "eval_answers.py"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for path in sorted(ANSWERS.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()
]
FORMS = {
    *("level", "fact", "change", "compare", "rank", "list", "verdict", "amount", "effect", "cause", "procedure"),
    *("review", "draft", "define", "recommend", "advice", "status", "act"),
}
UNITS = {"krw", "usd", "percent", "number"}
KEYS = {"any", "or", "sql", "sql_any", "unit", "tol", "signed", *UNITS}


def checks_of(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every check of a row, with those that an alternative holds."""
    parts = (row, *row.get("turn_checks", {}).values())
    left = [
        one for part in parts for name in ("opening", "answer", "never", "never_opening") for one in part.get(name, ())
    ]
    while left:
        check = left.pop()
        left += check.get("or", ())
        yield check


def test_rows_are_whole() -> None:
    """Ids are unique; each row says why, and how long its answer may be."""
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids)) >= 300
    assert [row["id"] for row in ROWS if not (row["why"] and row["max_chars"] and row["turns"])] == []
    talks = [row for row in ROWS if row["id"].startswith("to-")]
    assert all(3 <= len(row["turns"]) <= 6 for row in talks)
    assert len(talks) >= 60


def test_every_form_is_asked_for_in_both_languages() -> None:
    """All forms of asks, and a third to a half of the rows in English."""
    assert {row["kind"] for row in ROWS} >= FORMS
    assert 1 / 3 <= sum(row["locale"] == "en" for row in ROWS) / len(ROWS) <= 0.5


def test_checks_can_be_judged(data: Path) -> None:
    """Patterns compile, names are known, and queries fit the data's tables."""
    with sqlite3.connect(f"file:{data}?mode=ro", uri=True) as connection:
        for row in ROWS:
            for check in checks_of(row):
                assert check.keys() <= KEYS, row["id"]
                assert check.get("unit", "text") in {*UNITS, "text"}, row["id"]
                for pattern in check.get("any", ()):
                    re.compile(pattern)
                if query := check.get("sql") or check.get("sql_any"):
                    connection.execute(f"explain {query}").fetchall()
            for check in row.get("after", ()):
                connection.execute(f"explain {check['sql']}").fetchall()


def test_no_row_is_fitted_on() -> None:
    """None of their texts is an utterance or an example of the catalog."""
    texts = {normalise(turn) for row in ROWS for turn in row["turns"]}
    assert texts & {normalise(text) for _, text in utterances(catalog())} == set()


TEXTS = (
    "네, 3억 1,500만 원까지입니다(제7조).\n\n한도는 5%입니다. 17,300원, 2억5천, 1억 2,000만",
    "아니요, 6.67% 올라 한도를 넘습니다. -0.59 %, 1,463.5원, 12,400점",
    "No: the limit is KRW 560,000,000, $186.00, 2.85%, 35.3.\n\nSee Article 6-3.",
    "어느 중구를 말씀하시나요?",
    "Which district do you mean: Busan or Daegu?",
    "강남구 23억 1,773만 원, 서초구 21억 2,212만 원, 송파구 17억 6,497만 원 순입니다.",
    "그 이름의 단지는 자료에 없습니다.",
    "Nothing was found, 0 of 10.\n\nIt is not covered here. will rise 2.5 percent",
    "도와드릴 수 없습니다. 결정은 본인의 판단입니다.",
    "10억 980만 원, 8조 5,808억 원, 3억1,500, 121만 1,961원",
    "x" * 3000,
    "",
)


@pytest.mark.long
@pytest.mark.skipif(not TOOL.is_file(), reason="the tool is not beside the project")
def test_the_same_verdicts_as_the_tool(data: Path) -> None:
    """Every row, on three texts of a table in turn: answered and clean where the tool finds it so."""
    spec = importlib.util.spec_from_file_location("eval_answers", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    with sqlite3.connect(f"file:{data}?mode=ro", uri=True) as connection:
        for number, row in enumerate(ROWS):
            for text in TEXTS[number % 4 :: 4]:
                told = [text] * len(row["turns"])
                ours = judged(row, told, connection)
                try:
                    theirs = tool.judged(row, [{"final_response": one} for one in told], connection)
                except LookupError:
                    theirs = {"answers": False, "clean": False}
                assert (ours.answers, ours.clean) == (theirs["answers"], theirs["clean"]), (row["id"], text)


def _files(folder: Path) -> list[str]:
    """Returns the names of a folder's files, without those that SQLite keeps beside a database while one reads it."""
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm")))


def test_the_command_asks_and_judges(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows run on copies of the data folder, one that acts on one of its own; the folder itself stays as it was."""
    rate = "select value from macro_observations where series_id='KR_BASE_RATE' order by date desc limit 1"
    wanted = {"sql": rate, "unit": "percent", "tol": 0.006}
    rows: list[dict[str, Any]] = [
        {"id": "r", "turns": ["한국 기준금리 몇 퍼센트야"], "answer": [wanted], "never": []},
        {"id": "w", "turns": ["한국 기준금리 몇 퍼센트야"], "answer": [{"percent": 77}], "never": [wanted]},
        {
            "id": "t",
            "turns": ["thank you"],
            "answer": [],
            "never": [],
            "fresh": True,
            "after": [{"sql": rate, "equals": -1}],
        },
        {"id": "x", "turns": ["thank you"], "answer": [{"any": ["never said"]}], "never": []},
    ]
    file = tmp_path / "rows.jsonl"
    shared: dict[str, Any] = {"locale": "ko", "kind": "level", "domain": "finance", "opening": []}
    file.write_text("\n".join(json.dumps(shared | row, ensure_ascii=False) for row in rows), "utf-8")
    monkeypatch.setenv("HAPJU_DATA_DIR", str(data.parent))
    before = _files(data.parent)
    chosen = ("--only", "r", "--only", "w", "--only", "t")
    code = run(["eval", "answers", str(file), "--json", "--min", "0.5", *chosen])
    told = json.loads(capsys.readouterr().out)
    scored = {name: (one["right"], one["of"]) for name, one in told["scored"].items()}
    assert (code, told["rows"], scored) == (1, 3, {"answers": (1, 3), "clean": (2, 3), "right": (1, 3)})
    assert {one["id"]: one["right"] for one in told["told"]} == {"r": True, "w": False, "t": False}
    assert told["by_trait"]["kind level"] == {"right": 1, "of": 3, "accuracy": 0.3333}
    assert _files(data.parent) == before
