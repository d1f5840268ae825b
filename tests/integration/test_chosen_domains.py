"""A deployment that HAPJU_DOMAINS narrows answers what it knows, and what it does not know it does not mention."""

import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.environment import process_environment


def hapju(folder: Path, data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command where finance alone is enabled."""
    return subprocess.run(
        [sys.executable, "-m", "services.cli", *arguments],
        env=process_environment(
            HAPJU_DOMAINS="finance", HAPJU_DATA_DIR=str(folder), HAPJU_SQL_URL=f"sqlite+aiosqlite:///{data}"
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )


@pytest.mark.long
@pytest.mark.timeout(600)
def test_finance_alone_answers_of_finance_and_knows_no_goods(tmp_path: Path, data: Path) -> None:
    """A question of finance is answered with sources; one of shopping is told what can be asked instead."""
    answered = hapju(tmp_path, data, "ask", "애플 주가 추세 분석해줘")
    assert answered.returncode == 0, answered.stderr
    assert "finance / us_single_stock" in answered.stderr
    assert "출처" in answered.stdout + answered.stderr
    other = hapju(tmp_path, data, "ask", "무선 이어폰 추천해줘")
    assert other.returncode == 0, other.stderr
    assert "commerce" not in other.stdout + other.stderr
    assert "이어폰" not in other.stdout
    agents = hapju(tmp_path, data, "agents").stdout
    assert {line.split()[0].partition(".")[0] for line in agents.splitlines()[1:]} == {"finance", "general"}
