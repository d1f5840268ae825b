"""The guide for writers of domains: each of its commands does what it says, in a fresh environment."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.foreign import ROOT, TRAVEL, Place, built, place, run

pytestmark = [pytest.mark.timeout(900), pytest.mark.xdist_group("guide"), pytest.mark.long]
GUIDE = (ROOT / "services" / "plugin" / "README.md").read_text(encoding="utf-8")
# What stands between the two halves is the reader's own work: the project becomes that of tests/examples.
FIRST, LAST = (re.findall(r"^    \$ (.+)$", half, re.MULTILINE) for half in GUIDE.split("## 2. ", 1))
SAID = {
    'hapju ask "what does the Gaon lamp cost?" --locale en': "KRW 42,000",
    'hapju ask "부산에 묵을 만한 호텔 알려줘"': "파도마루 호텔",
    'hapju ask "When do trains leave from Seoul to Busan?" --json': "59,800",
    'hapju plan "부산 가는 기차표 예매해줘" --user mina --user-type consumer': "travel.trains",
    "HAPJU_DOMAINS=travel hapju agents": "travel.hotels",
}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with hapju's wheel alone."""
    folder = tmp_path_factory.mktemp("guide")
    made = place(folder / "env")
    made.install(built(ROOT, folder))
    return made


def test_every_command_of_the_guide_does_what_it_says(fresh: Place, tmp_path: Path) -> None:
    """The commands are run in their order; between them the project becomes the finished one."""
    assert len(FIRST) + len(LAST) >= 10
    for command in FIRST:
        told(fresh, command, tmp_path)
    shutil.rmtree(tmp_path / "hapju-travel")
    shutil.copytree(TRAVEL, tmp_path / "hapju-travel", ignore=shutil.ignore_patterns("__pycache__"))
    for command in LAST:
        told(fresh, command, tmp_path)


def told(fresh: Place, command: str, folder: Path) -> None:
    """Runs a command as a reader would, with what pip needs to fetch nothing, and with no other domain's sample."""
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    path = f"{fresh.folder / 'bin'}:/usr/bin:/bin"
    ended = run(
        "bash",
        "-c",
        f"cd {folder} && {command}",
        PATH=path,
        HAPJU_DATA_DIR=str(fresh.data),
        HAPJU_DOMAINS="travel",
        **pip,
    )
    assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
    assert SAID.get(command, "") in ended.stdout, f"{command}\n{ended.stdout}"


def test_the_guides_files_are_those_of_the_example() -> None:
    """What the guide quotes of the example stands in it, so that the two do not part."""
    declared = (TRAVEL / "hapju_travel" / "domain.yaml").read_text(encoding="utf-8")
    quoted = re.findall(r"\{score: [^}]+\}", GUIDE)
    assert quoted
    assert [line for line in quoted if line not in declared] == []
    kinds = (TRAVEL / "hapju_travel" / "entities.py").read_text(encoding="utf-8")
    assert 'named_kind("city", name_rows(__package__, "data/cities.yaml"), stands_for="도시")' in kinds
