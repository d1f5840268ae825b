"""Reads one file and tells its text: a program of its own, which nothing of hapju is in.

A file is whatever somebody sent. So it is read where it can hurt nobody: this program is started for one file, bounds
its own memory and time before it imports a parser, knows no secret, writes no file, and is killed where it takes long.

    python -I child.py KIND MEMORY_BYTES SECONDS PAGES CHARACTERS  < file  > {"pages": [...]} or {"problem": "..."}

A DOCX is one page: where its pages end, only a printer knows. Macros, links, pictures, deleted and hidden words and
whatever is outside the package are not looked at.
"""

import io
import json
import re
import resource
import sys
import zipfile
from collections.abc import Iterator
from typing import Any, Final

UNPACKED_BYTES_MAX: Final = 48 * 1024 * 1024
"""How much all parts of a package may be."""
PARTS_MAX: Final = 2_000
"""How many there may be."""
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MACRO_DOCUMENT: Final = "application/vnd.ms-word.document.macroEnabled.main+xml"
_NOT_SHOWN: Final = frozenset({f"{_W}pPr", f"{_W}rPr", f"{_W}del", f"{_W}moveFrom", f"{_W}tbl", _FALLBACK})
_WHITE: Final = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n"}
_PAGE_NUMBER: Final = re.compile(r"[-–—\s]*(?:page\s*)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?[-–—\s]*", re.IGNORECASE)
_BEGINS: Final = re.compile(
    r"\s*(?:제\s?\d{1,3}\s?조|(?:article|clause|section)\s\d|\(?\d{1,2}[.)]|\([가-하a-z]\)|[가-하][.)]\s|[①-⑳■□▪●○◦※*•-])",
    re.IGNORECASE,
)
_FULL: Final = 0.85
"""A line that comes so far across its page goes on in the next one."""
_ENDED: Final = re.compile(r"[.!?:;。][\"'”’)]?\s*$")
_BOUND: Final = re.compile(
    r"(?:은|는|이|가|을|를|의|에|에게|에서|으로|로|와|과|도|만|까지|부터|하고|하며|하여|한다|하는|할|함|된다|되는|될|됨|다)(?=[\s.,)]|$)"
)
_HANGUL: Final = re.compile(r"[가-힣]")


class FileRefused(Exception):
    """A file that is not read; its text is the reason."""


def main(kind: str, memory_bytes: int, seconds: int, pages_max: int, characters_max: int) -> None:
    """Tell what standard input holds."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        told: dict[str, object] = {"pages": _pages(kind, sys.stdin.buffer.read(), pages_max, characters_max)}
    except FileRefused as refused:
        told = {"problem": str(refused)}
    except MemoryError:
        told = {"problem": "TOO_LARGE"}
    except Exception:  # noqa: BLE001 - a parser stumbles in many ways over what is no file of its kind
        told = {"problem": "UNREADABLE"}
    sys.stdout.write(json.dumps(told))


def _pages(kind: str, content: bytes, pages_max: int, characters_max: int) -> list[str]:
    found: list[str] = []
    for page in _docx(content) if kind == "docx" else _pdf(content, pages_max):
        found.append(page)
        if sum(map(len, found)) > 2 * characters_max:
            raise FileRefused("TOO_LONG")
    return found


def _docx(content: bytes) -> Iterator[str]:
    _check_package(content)
    from docx.opc.part import PartFactory  # noqa: PLC0415 - only once memory and time are bounded
    from docx.package import Package  # noqa: PLC0415 - as above
    from docx.parts.document import DocumentPart  # noqa: PLC0415 - as above

    PartFactory.part_type_for[_MACRO_DOCUMENT] = DocumentPart
    main_part = Package.open(io.BytesIO(content)).main_document_part
    if not isinstance(main_part, DocumentPart):
        raise FileRefused("UNKNOWN_KIND")
    yield "\n".join(_lines(main_part.element.body, _Numbers(main_part)))


def _check_package(content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = package.infolist()
    except zipfile.BadZipFile:
        raise FileRefused("UNREADABLE") from None
    if any(part.flag_bits & 1 for part in parts):
        raise FileRefused("ENCRYPTED")
    if "word/document.xml" not in {part.filename for part in parts}:
        raise FileRefused("UNKNOWN_KIND")
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > UNPACKED_BYTES_MAX:
        raise FileRefused("TOO_LARGE")


def _lines(element: Any, numbers: "_Numbers") -> Iterator[str]:
    for child in element:
        if child.tag == f"{_W}p":
            text = _text(child)
            yield f"{numbers.label(child)}{text}" if text.strip() else text
            for table in child.iter(f"{_W}tbl"):
                yield from _lines(table, numbers)
        elif child.tag == f"{_W}tr":
            cells = [[line for line in _lines(cell, numbers) if line.strip()] for cell in child.iterchildren(f"{_W}tc")]
            yield from (
                [" ".join(line for cell in cells for line in cell)]
                if all(len(one) <= 1 for one in cells)
                else [line for cell in cells for line in cell]
            )
        elif child.tag not in _NOT_SHOWN or child.tag == f"{_W}tbl":
            yield from _lines(child, numbers)


def _text(node: Any) -> str:
    said = []
    for child in node:
        if child.tag == f"{_W}t":
            said.append(child.text or "")
        elif child.tag in _WHITE:
            said.append(_WHITE[child.tag])
        elif child.tag == f"{_W}p":
            said.append(f"\n{_text(child)}")
        elif child.tag not in _NOT_SHOWN and not _is_hidden(child):
            said.append(_text(child))
    return "".join(said)


def _is_hidden(run: Any) -> bool:
    hidden = run.find(f"{_W}rPr/{_W}vanish") if run.tag == f"{_W}r" else None
    return hidden is not None and hidden.get(f"{_W}val", "true") not in {"0", "false", "off"}


class _Numbers:
    """The numbers that a word processor writes before paragraphs and that stand in no text of theirs."""

    def __init__(self, part: Any) -> None:
        root = next((one.target_part for one in part.rels.values() if one.reltype.endswith("/numbering")), None)
        tree = getattr(root, "element", None)
        self._levels: dict[tuple[str, str], tuple[str, str, int]] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._styles = {
            style.get(f"{_W}styleId"): style.find(f"{_W}pPr/{_W}numPr")
            for style in part.styles.element.iterchildren(f"{_W}style")
        }
        if tree is not None:
            self._take(tree)

    def _take(self, tree: Any) -> None:
        kinds = {one.get(f"{_W}abstractNumId"): one for one in tree.iterchildren(f"{_W}abstractNum")}
        for one in tree.iterchildren(f"{_W}num"):
            named = one.find(f"{_W}abstractNumId")
            kind = kinds.get(named.get(f"{_W}val")) if named is not None else None
            for level in kind.iterchildren(f"{_W}lvl") if kind is not None else ():
                shape, text, start = (_value(level, name) for name in ("numFmt", "lvlText", "start"))
                key = (one.get(f"{_W}numId"), level.get(f"{_W}ilvl"))
                self._levels[key] = (shape, text, int(start) if start.isdecimal() else 1)

    def label(self, paragraph: Any) -> str:
        """Return the number of a paragraph with a space behind it; empty where it has none."""
        numbered = paragraph.find(f"{_W}pPr/{_W}numPr")
        if numbered is None:
            style = paragraph.find(f"{_W}pPr/{_W}pStyle")
            numbered = self._styles.get(style.get(f"{_W}val")) if style is not None else None
        if numbered is None:
            return ""
        number, at = _value(numbered, "numId"), _value(numbered, "ilvl") or "0"
        shape, text, start = self._levels.get((number, at), ("", "", 1))
        if not text or not at.isdecimal() or shape in {"bullet", "none"}:
            return ""
        level = int(at)
        self._counts = {key: value for key, value in self._counts.items() if key[0] != number or key[1] <= level}
        self._counts[number, level] = self._counts.get((number, level), start - 1) + 1
        return re.sub(r"%([1-9])", lambda match: self._shown(number, int(match[1]) - 1), text) + " "

    def _shown(self, number: str, level: int) -> str:
        shape, _, start = self._levels.get((number, str(level)), ("", "", 1))
        count = self._counts.get((number, level), start)
        letters = {"lowerLetter": "abcdefghijklmnopqrstuvwxyz", "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
        letters |= {"ganada": "가나다라마바사아자차카타파하", "decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"}
        row = letters.get(shape, "")
        return row[count - 1] if 1 <= count <= len(row) else str(count)


def _value(element: Any, name: str) -> str:
    found = element.find(f"{_W}{name}")
    return str(found.get(f"{_W}val", "")) if found is not None else ""


def _pdf(content: bytes, pages_max: int) -> Iterator[str]:
    from pdfminer.high_level import extract_pages  # noqa: PLC0415 - only once memory and time are bounded
    from pdfminer.layout import LAParams, LTTextContainer, LTTextLine  # noqa: PLC0415 - as above
    from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect  # noqa: PLC0415 - as above

    paragraphs: list[tuple[int, str]] = []
    goes_on = False
    number = 0
    try:
        for number, page in enumerate(extract_pages(io.BytesIO(content), laparams=LAParams(line_margin=0.9)), 1):
            if number > pages_max:
                raise FileRefused("TOO_MANY_PAGES")
            boxes = (box for box in page if isinstance(box, LTTextContainer))
            lines = [line for box in boxes for line in box if isinstance(line, LTTextLine)]
            left, right = min((one.x0 for one in lines), default=0), max((one.x1 for one in lines), default=0)
            for line in lines:
                text = line.get_text().rstrip("\n")
                if not text.strip() or _PAGE_NUMBER.fullmatch(text):
                    continue
                if goes_on and not _BEGINS.match(text):
                    at, before = paragraphs.pop()
                    paragraphs.append((at, _joined(before, text)))
                else:
                    paragraphs.append((number, text))
                goes_on = line.x1 >= left + _FULL * (right - left) and not _ENDED.search(text)
    except (PDFPasswordIncorrect, PDFEncryptionError):
        raise FileRefused("ENCRYPTED") from None
    for page_number in range(1, number + 1):
        yield "\n".join(text for at, text in paragraphs if at == page_number)


def _joined(before: str, behind: str) -> str:
    """Return two lines of a paragraph as one; a word that was broken between them is whole again where it shows."""
    broken = _HANGUL.match(before[-1:]) and _BOUND.match(behind)
    return f"{before}{behind}" if broken else f"{before.rstrip()} {behind.lstrip()}"


if __name__ == "__main__":
    main(sys.argv[1], *(int(one) for one in sys.argv[2:6]))
