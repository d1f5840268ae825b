"""Charts on the wire: of what was asked alone, each value of them in the rows behind it, and drawn at a terminal."""

import asyncio
import base64
import json
import os
import pty
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from services.runtime.environment import process_environment
from tests.support.cluster import Cluster
from tests.support.http_client import HttpClient

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

MOVED = "강남구 아파트 전세가 지난 1년 어떻게 변했어?"


async def answer_to(http: HttpClient, question: str) -> dict[str, Any]:
    """Returns a question's answer."""
    status, answer = await http.call("POST", "/v1/ask", {"text": question})
    assert status == 200
    return dict(answer)


async def test_a_change_is_a_line_from_its_first_to_its_last_month(http: HttpClient) -> None:
    """The line spans the year that was asked for, in the measure's unit, and every point stands in its evidence."""
    answer = await answer_to(http, MOVED)
    (chart,) = answer["charts"]
    (series,) = chart["series"]
    assert (chart["kind"], chart["unit"]) == ("CHART_KIND_LINE", "krw")
    assert len(series["points"]) == 13
    assert [point["x"] for point in series["points"]] == sorted(point["x"] for point in series["points"])
    held = set(_numbers_of(answer, series["evidence_ids"]))
    assert {float(point["y"]) for point in series["points"]} <= held
    assert set(series["evidence_ids"]) <= {one["evidence_id"] for one in answer["citations"]}


async def test_a_ranking_is_bars_of_as_many_as_were_asked_for(http: HttpClient) -> None:
    """Bars stand in the answer's order, the first the greatest."""
    answer = await answer_to(http, "서울에서 전세 제일 비싼 구 4곳")
    (chart,) = answer["charts"]
    values = [float(point["y"]) for point in chart["series"][0]["points"]]
    assert chart["kind"] == "CHART_KIND_BARS"
    assert len(values) == 4
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("question", ["강남구 아파트 전세 시세 알려줘", "한국 기준금리 얼마야?"])
async def test_a_single_figure_has_no_chart(http: HttpClient, question: str) -> None:
    """Nothing is drawn that was not asked for."""
    assert (await answer_to(http, question))["charts"] == []


async def test_english_questions_have_english_charts(http: HttpClient) -> None:
    """Title and names are in the language of the question."""
    answer = await answer_to(http, "How did jeonse for apartments in Gangnam-gu move over the last year?")
    assert answer["charts"]
    text = json.dumps(answer["charts"], ensure_ascii=False)
    assert text.isascii(), text


async def test_a_terminal_draws_and_a_pipe_does_not(cluster: Cluster, folder: Path) -> None:
    """`hapju ask` draws at a terminal unless it is told not to; through a pipe the answer comes as before."""
    assert "억원" in await at_terminal(cluster, folder, MOVED)
    assert "(억원)" not in await at_terminal(cluster, folder, MOVED, "--no-chart")
    child = await started(cluster, folder, asyncio.subprocess.PIPE, MOVED)
    assert "(억원)" not in (await child.communicate())[0].decode()


async def at_terminal(cluster: Cluster, folder: Path, *arguments: str) -> str:
    """Runs `hapju ask` with a terminal for its output; returns what stands there."""
    ours, theirs = pty.openpty()
    child = await started(cluster, folder, theirs, *arguments)
    os.close(theirs)
    reading = asyncio.create_task(asyncio.to_thread(_read_all, ours))
    assert await child.wait() == 0
    return (await reading).decode()


async def started(cluster: Cluster, folder: Path, out: int, *arguments: str) -> asyncio.subprocess.Process:
    """Starts `hapju ask` against the cluster."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "services.cli", "ask", *arguments),
        env=process_environment(HAPJU_GATEWAY=cluster.gateway, HAPJU_DATA_DIR=str(folder), COLUMNS="100"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=out,
        stderr=asyncio.subprocess.DEVNULL,
    )


def _read_all(end: int) -> bytes:
    found = b""
    with suppress(OSError):  # a terminal whose other end has closed says so by an error
        while piece := os.read(end, 65_536):
            found += piece
    os.close(end)
    return found


def _numbers_of(answer: dict[str, Any], evidence_ids: list[str]) -> Iterator[float]:
    for one in answer["selected_agents"]:
        for piece in one["output"]["evidence"]:
            if piece["evidence_id"] in evidence_ids:
                for row in json.loads(base64.b64decode(piece["rows_json"])):
                    yield from (float(value) for value in row["fields"].values() if isinstance(value, int | float))
