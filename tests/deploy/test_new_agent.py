"""One more agent of a domain that is there is one file and its lines in domain.yaml: nothing else changes."""

import shutil
from pathlib import Path

import pytest

from tests.support.foreign import TRAVEL, run
from tests.support.scratch import installed

pytestmark = pytest.mark.long

AGENT = '''"""travel.stays: hotels again, told in other words."""

from dataclasses import replace

from hapju.plugin import Asking, Findings, Reading
from hapju_travel.agents import hotels


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Returns what the hotels' agent finds, under another heading."""
    found = hotels.analyse(readings, asking)
    return replace(found, summary=asking.say("남은 방을 찾았습니다. ", "Rooms were found. ") + found.summary)


AGENT = replace(hotels.AGENT, id="travel.stays", analyse=analyse)
'''
DECLARED = """\
  - id: travel.stays
    title: {ko: 방, en: Rooms}
    answers: {ko: 남은 방, en: rooms left}
    declines: {ko: 기차, en: trains}
    served: true
    tools:
      - {name: hotel_search, arguments: {city: $city, price_max: $room_budget}}
"""


@pytest.mark.timeout(300)
def test_an_agent_is_one_file_and_its_lines(tmp_path: Path) -> None:
    """The agent is checked, given a port and asked, with no other file changed."""
    package = tmp_path / "hapju_travel"
    shutil.copytree(TRAVEL / "hapju_travel", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "agents" / "stays.py").write_text(AGENT, encoding="utf-8")
    declared = (package / "domain.yaml").read_text(encoding="utf-8")
    declared = declared.replace("owners: [travel.hotels]", "owners: [travel.stays]", 1)
    declared = declared.replace("\ntools:", f"\n{DECLARED}tools:", 1)
    (package / "domain.yaml").write_text(declared, encoding="utf-8")
    scratch = installed(tmp_path, "travel", "hapju_travel")
    ended = run(*scratch.hapju("domains", "check", "travel"), **scratch.variables)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    asked = run(*scratch.hapju("ask", "부산에 묵을 만한 호텔 알려줘"), **scratch.variables)
    assert "남은 방을 찾았습니다. 파도마루 호텔" in asked.stdout, asked.stderr
