"""The installed command as its user runs it: answers that the rows hold, records, exit codes, a client."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.catalog.topology import topology
from services.cli.app import run
from services.text.stated.figures import figures
from services.tool_gateway.data.copying import copy_folder
from tests.support.cluster import Cluster, until_serving
from tests.support.ports import free_ports

ROOT = Path(__file__).parents[2]
HAPJU = Path(sys.executable).with_name("hapju")
Ask = Callable[..., subprocess.CompletedProcess[str]]

QUESTIONS = {
    "애플 주가 추세 분석해줘": (
        "SELECT close FROM us_equity_prices WHERE security_id = 'US:AAPL' ORDER BY date DESC LIMIT 1",
        "애플",
    ),
    "What is the latest US unemployment rate and how has it moved?": (
        "SELECT value FROM macro_observations WHERE series_id = 'UNRATE' ORDER BY date DESC LIMIT 1",
        "unemployment rate",
    ),
    "강남구 아파트 전세 시세 알려줘": (
        """SELECT ROUND(1.0 * SUM(deposit_mean_krw * deal_count) / SUM(deal_count) / 10000) * 10000
        FROM realty_market_prices
        WHERE region_code = '11680' AND property_type = 'apartment' AND deal_type = 'jeonse'""",
        "강남구",
    ),
    "20만원 이하 무선 이어폰 추천해줘": ("SELECT 0", "이어폰"),
}
"""Each question with a figure that its answer holds, read behind the services' back, and a name."""
IN_EVERY_RUN = tuple(QUESTIONS)[:1]
"""What every run asks; each starts the whole house in a process."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """A data directory of its own with the seeded data."""
    folder = tmp_path_factory.mktemp("home")
    copy_folder(data.parent, folder)
    return folder


@pytest.fixture
def hapju(home: Path) -> Ask:
    """Runs the installed command and returns how it ended."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "HAPJU_DATA_DIR": str(home), **environment}
        return subprocess.run([HAPJU, *arguments], env=variables, capture_output=True, text=True, check=False)

    return run


def one_row(home: Path, query: str) -> Decimal:
    """Returns one value of the data."""
    with sqlite3.connect(f"file:{home / 'data.db'}?mode=ro", uri=True) as connection:
        return Decimal(str(connection.execute(query).fetchone()[0]))


@pytest.mark.parametrize(
    "question", [pytest.param(one, marks=[] if one in IN_EVERY_RUN else pytest.mark.long) for one in QUESTIONS]
)
def test_ask_prints_an_answer_from_the_rows(hapju: Ask, home: Path, question: str) -> None:
    """Progress goes to stderr, the answer with figure, day and source to stdout, and nothing else."""
    query, name = QUESTIONS[question]
    ended = hapju("ask", question)
    assert ended.returncode == 0, ended.stderr
    expected = one_row(home, query)
    assert not expected or expected in {figure.value for figure in figures(ended.stdout)}
    assert name in ended.stdout
    assert any(word in ended.stdout for word in ("출처", "Sources"))
    assert any(word in ended.stdout for word in ("예시 데이터", "sample data"))
    assert "orchestrator" in ended.stderr
    assert "orchestrator" not in ended.stdout


@pytest.mark.long
def test_flows_show_lists_every_decision(hapju: Ask) -> None:
    """What ask has recorded, flows show tells: each decision with source, latency and tokens."""
    answer = json.loads(hapju("ask", "삼성전자 주가 추세 알려줘", "--json").stdout)
    record = json.loads(hapju("flows", "show", answer["flow_run_id"], "--json").stdout)
    decisions = [link for link in record["chain"] if link["kind"] in {"LLM", "RULE", "FALLBACK"}]
    assert [decision["kind"] for decision in answer["decisions"]] == [link["name"] for link in decisions]
    assert all({"latency", "input_tokens", "output_tokens", "service"} <= link.keys() for link in decisions)
    shown = hapju("flows", "show", answer["flow_run_id"]).stdout
    assert all(link["name"] in shown for link in decisions)
    assert answer["flow_run_id"] in hapju("flows", "list").stdout


def test_events_are_told_once_and_end_with_the_answer(hapju: Ask) -> None:
    """Each line is one event; durable ones are numbered without gap; the last holds the whole answer."""
    lines = [json.loads(line) for line in hapju("ask", "애플 주가 추세 분석해줘", "--events").stdout.splitlines()]
    sequences = [int(line["sequence"]) for line in lines if "sequence" in line]
    assert list(range(1, len(sequences) + 1)) == sequences
    assert lines[-1]["finished"]["answer"]["final_response"]


@pytest.mark.parametrize(
    "case",
    [
        (("ask", "가" * 5_000), "question.text", "4000"),
        (("ask", "애플", "--domain", "weather"), "question.domains", "finance"),
        (("ask", "애플", "--locale", "fr"), "", "ko"),
        (("route", "애플", "--domain", "weather"), "question.domains", "finance"),
    ],
)
def test_wrong_input_is_named(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    case: tuple[tuple[str, ...], str, str],
) -> None:
    """Exit code 2, and one JSON object that names the field and what is right."""
    monkeypatch.setenv("HAPJU_DATA_DIR", str(home))
    arguments, field, said = case
    assert run((*arguments, "--json")) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert said in error["message"]
    assert not field or field in [violation["field"] for violation in error["violations"]]


@pytest.fixture
def up(home: Path) -> Iterator[dict[str, str]]:
    """Runs `hapju up` in a process of its own and yields the addresses."""
    places = topology()
    addresses = {n: f"127.0.0.1:{port}" for n, port in zip(places.names, free_ports(len(places.names)), strict=True)}
    variables = {places.address_variable(name): address for name, address in addresses.items()}
    environment = {**os.environ, **variables, "HAPJU_DATA_DIR": str(home), "HAPJU_LISTEN": addresses["gateway"]}
    told = home / "up.txt"
    with (
        told.open("wb") as out,
        subprocess.Popen([HAPJU, "up"], env=environment, stderr=subprocess.STDOUT, stdout=out) as process,
    ):
        try:
            asyncio.run(until_serving("gateway", addresses["gateway"]))
            yield {**addresses, "told": str(told)}
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=20) == 0


@pytest.mark.long
def test_up_answers_a_client_of_stubs_alone(hapju: Ask, home: Path, up: dict[str, str]) -> None:
    """A client in another process, over the generated stubs, gets the answer that an embedded ask gets."""
    question = "강남구 아파트 전세 시세 알려줘"

    async def asked() -> Any:
        cluster = Cluster(up["gateway"], up, home / "data.db")
        async with cluster.channel:
            return (await cluster.ask(question)).answer

    over_grpc = asyncio.run(asked())
    embedded = json.loads(hapju("ask", question, "--json").stdout)
    as_client = json.loads(hapju("ask", question, "--json", HAPJU_GATEWAY=up["gateway"]).stdout)
    assert over_grpc.final_response == embedded["final_response"] == as_client["final_response"]
    # Whoever only wants to look finds the console's address in what `make up`, which is this command, prints.
    assert re.search(r"^up:.*\n\t@\$\(BIN\)/hapju up$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    console = re.search(r"http://127\.0\.0\.1:[0-9]+/console", Path(up["told"]).read_text())
    assert console is not None
    assert "main.js" in httpx.get(console[0], timeout=20, follow_redirects=True).text
