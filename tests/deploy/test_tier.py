"""The deploy tier fails for a test that fails, and for nothing that is not to be had."""

from pathlib import Path

import pytest

from tests.deploy import tier
from tests.deploy.tier import Missing, Part, got, nothing

WAITS = "import signal\n\n\ndef test_it():\n    signal.pause()\n"
FAILS = "def test_it():\n    assert False\n"


def away(_: float) -> None:
    """Get nothing."""
    raise Missing("it is not to be had")


def slow(_: float) -> None:
    """Get it too late, by a command that has begun another one."""
    got("sh", "-c", "sleep 600 & wait", seconds=0.2)


def part(folder: Path, text: str, seconds: float = 60) -> Part:
    """Return a part with one test."""
    path = folder / f"test_{abs(hash(text))}.py"
    path.write_text(text, encoding="utf-8")
    return Part((str(path), "-p", "no:cacheprovider", f"--rootdir={folder}"), seconds, nothing)


def test_each_part_is_told_of_and_a_failure_alone_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What lacks its tools or finds no time is left out, what is late decides nothing, what fails is tried twice."""
    parts = {
        "well": Part(("--version",), 60, nothing),
        "away": Part(("--version",), 60, away),
        "slow": Part(("--version",), 60, slow),
        "late": part(tmp_path, WAITS, 0.5),
        "wrong": part(tmp_path, FAILS),
        "long": Part(("--version",), 1_000_000, nothing),
    }
    monkeypatch.setattr(tier, "PARTS", parts)
    assert tier.main([]) == 1
    told = capfd.readouterr().out
    lines = [line for line in told.splitlines() if line.startswith("deploy tier:")]
    expected = [
        "well: passed",
        "away: left out, it is not",
        "slow: left out, sh",
        "late: NOT DECIDED",
        "wrong: FAILED (1)",
        "long: left out",
    ]
    assert [f"deploy tier: {one}" for one in expected] == [
        line[: len(f"deploy tier: {one}")] for line, one in zip(lines, expected, strict=True)
    ]
    assert "RERUN" in told
