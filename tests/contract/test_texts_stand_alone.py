"""Texts of the house tell their rules in words: who reads them has no other paper beside them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SUFFIXES: Final = frozenset({".py", ".md", ".yaml", ".yml", ".toml", ".proto", ".js", ".html", ".sh", ".tpl"})
REFERENCE: Final = re.compile(r"\bspec(?:ification)?(?:'s| part)? \d|\(\d\.\d\.\d\)|\bthe spec's\b", re.IGNORECASE)


def test_no_text_refers_to_a_paragraph_elsewhere() -> None:
    """No docstring, comment or page gives the number of a paragraph in place of the rule."""
    listed = [shutil.which("git") or "git", "ls-files"]
    named = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    texts = [ROOT / name for name in named if Path(name).suffix in SUFFIXES and not name.endswith(Path(__file__).name)]
    assert len(texts) > 1000
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in texts
        if path.is_file()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if REFERENCE.search(line)
    ]
    assert found == []
