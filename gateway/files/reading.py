"""Reads the files of a question, so that what goes on is text.

    client ── content ──► kind by what it holds ─┬─ text ──────────────────────► decoded here
                                                 ├─ DOCX, PDF ─► a child process ► its text, page by page
                                                 └─ anything else ► refused, in the person's language
    text, as a person sees it, with its pages and the digest of what was sent ──► behind the gateway

How many, how large, how long, how many pages, how much memory and how much time are settings. So many children at once.
"""

import asyncio
import json
import re
import signal
import sys
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from gateway.files.kinds import MEDIA_TYPES, FileKind, kind_of, text_in
from gateway.files.phrases import FileProblem, said
from services.contract.flow import Attachment, Question
from services.runtime.errors import FieldViolation, InvalidRequest
from services.runtime.settings import Settings
from services.runtime.threads import computed
from services.text.visible import visible

NAME_CHARACTERS_MAX: Final = 120
"""The length of a file's name."""
CHILDREN_MAX: Final = 2
"""How many files are read at once; others wait for their turn, within their time."""
WHITE_MAX: Final = 4
"""How many times longer a text may be than what is left of it once its spaces are one each."""
OUTPUT_BYTES_PER_CHARACTER: Final = 16
"""How much a child may write for each character: JSON writes one in twelve bytes at most."""
_CHILD: Final = Path(__file__).with_name("child.py")
_FOLDERS: Final = re.compile(r"[/\\\n\r\t]|^\.{1,2}$")
_SPACES: Final = re.compile(r"[ \t\u00a0\u3000]+")
_LINES: Final = re.compile(r" ?\n ?(?:\n ?)+")
_OUT_OF_TIME: Final = frozenset({-signal.SIGXCPU, -signal.SIGKILL})
_START_SECONDS: Final = 0.5
"""What a process may take to start, beside what reading takes."""


class _Refused(Exception):
    """A file that is not taken."""

    def __init__(self, problem: FileProblem, limit: object = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.limit = limit


class FileReader:
    """Reads files within the bounds that settings give."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns = asyncio.Semaphore(CHILDREN_MAX)

    async def read(self, question: Question) -> Question:
        """Return an admitted question with its attachments as text; one without any as it is.

        Raises:
            InvalidRequest: Names each file that is not taken and says why, in the language of the question.
        """
        files = question.attachments
        if not files:
            return question
        locale = question.locale
        if (problem := self._too_much(files)) is not None:
            raise InvalidRequest.of("question.attachments", said(problem.problem, locale, limit=problem.limit))
        named = [
            replace(file, name=visible(file.name).strip() or f"attachment {at}") for at, file in enumerate(files, 1)
        ]
        found = await asyncio.gather(*map(self._read, named))
        violations = tuple(
            FieldViolation(f"question.attachments[{at - 1}]", said(one.problem, locale, named[at - 1].name, one.limit))
            for at, one in enumerate(found, 1)
            if isinstance(one, _Refused)
        )
        if violations:
            text = "; ".join(f"{one.field}: {one.description}" for one in violations)
            raise InvalidRequest(text, violations=violations)
        kept = [one for one in found if isinstance(one, Attachment)]
        most = self._settings.attachment_characters_max
        if sum(len(one.text) for one in kept) > most:
            longest = max(kept, key=lambda one: len(one.text)).name
            raise InvalidRequest.of("question.attachments", said(FileProblem.TOO_LONG, locale, longest, most))
        return replace(question, attachments=tuple(kept))

    def _too_much(self, files: tuple[Attachment, ...]) -> _Refused | None:
        settings = self._settings
        if settings.attachments_max == 0:
            return _Refused(FileProblem.OFF)
        if len(files) > settings.attachments_max:
            return _Refused(FileProblem.TOO_MANY, settings.attachments_max)
        if sum(len(file.content) + len(file.text.encode()) for file in files) > settings.attachment_bytes_max:
            return _Refused(FileProblem.ALL_TOO_LARGE, settings.attachment_bytes_max)
        return None

    async def _read(self, file: Attachment) -> Attachment | _Refused:
        try:
            return await self._text_of(file)
        except _Refused as refused:
            return refused

    async def _text_of(self, file: Attachment) -> Attachment:
        if len(file.name) > NAME_CHARACTERS_MAX or _FOLDERS.search(file.name):
            raise _Refused(FileProblem.NAME, NAME_CHARACTERS_MAX)
        if file.content and file.text:
            raise _Refused(FileProblem.BOTH)
        content = file.content or file.text.encode()
        if not content.strip():
            raise _Refused(FileProblem.EMPTY)
        kind = await computed(lambda: kind_of(content), at_once=False) if file.content else FileKind.TEXT
        if kind not in MEDIA_TYPES:
            raise _Refused(FileProblem.ENCRYPTED if kind is FileKind.ENCRYPTED else FileProblem.UNKNOWN_KIND)
        if kind is FileKind.TEXT:
            pages = [file.text or text_in(content) or ""]
        else:
            pages = await self._pages(kind, content)
        most = self._settings.attachment_characters_max
        if sum(map(len, pages)) > WHITE_MAX * most:
            raise _Refused(FileProblem.TOO_LONG, most)
        text, starts = await computed(lambda: _joined(pages), at_once=False)
        if not text:
            raise _Refused(FileProblem.EMPTY if kind is FileKind.TEXT else FileProblem.NO_TEXT)
        if len(text) > most:
            raise _Refused(FileProblem.TOO_LONG, most)
        digest = sha256(content).hexdigest()
        return Attachment(file.name, MEDIA_TYPES[kind], b"", text, starts if kind is FileKind.PDF else (), digest)

    async def _pages(self, kind: FileKind, content: bytes) -> list[str]:
        settings = self._settings
        seconds = settings.attachment_seconds_max
        try:
            async with asyncio.timeout(seconds + _START_SECONDS), self._turns:
                told = await self._told(kind, content)
        except TimeoutError:
            raise _Refused(FileProblem.TOO_SLOW, f"{seconds:g}") from None
        problem = told.get("problem", FileProblem.UNREADABLE)
        pages = told.get("pages")
        if isinstance(pages, list):
            return [str(page) for page in pages]
        limits = {
            FileProblem.TOO_MANY_PAGES: settings.attachment_pages_max,
            FileProblem.TOO_LONG: settings.attachment_characters_max,
            FileProblem.TOO_SLOW: f"{seconds:g}",
        }
        known = FileProblem(str(problem)) if problem in set(FileProblem) else FileProblem.UNREADABLE
        raise _Refused(known, limits.get(known, ""))

    async def _told(self, kind: FileKind, content: bytes) -> dict[str, object]:
        """Return what a child says of a file; it is ended in any case."""
        settings = self._settings
        bounds = (
            settings.attachment_memory_bytes_max,
            max(1, int(settings.attachment_seconds_max)),
            settings.attachment_pages_max,
            settings.attachment_characters_max,
        )
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(_CHILD), kind.value, *map(str, bounds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},
        )
        try:
            most = settings.attachment_characters_max * OUTPUT_BYTES_PER_CHARACTER
            written = await _exchanged(child, content, most)
            return _document(written, await child.wait())
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()


async def _exchanged(child: asyncio.subprocess.Process, content: bytes, bytes_max: int) -> bytes:
    """Hand a file to a child and return what it writes; nothing where it writes more than it may."""
    if child.stdin is None or child.stdout is None:
        return b""
    written = bytearray()
    try:
        child.stdin.write(content)
        await child.stdin.drain()
        child.stdin.close()
    except (BrokenPipeError, ConnectionResetError):
        pass  # it gave up before it had read all, and says why
    while piece := await child.stdout.read(65_536):
        written += piece
        if len(written) > bytes_max:
            return b""
    return bytes(written)


def _document(written: bytes, code: int) -> dict[str, object]:
    """Return the JSON object that a child wrote; one that was ended by its bounds wrote none."""
    try:
        told = json.loads(written)
    except ValueError:
        return {"problem": FileProblem.TOO_SLOW if code in _OUT_OF_TIME else FileProblem.UNREADABLE}
    return told if isinstance(told, dict) else {}


def _joined(pages: Iterable[str]) -> tuple[str, tuple[int, ...]]:
    """Return the pages as one text, as a person sees it, and where each begins."""
    seen = [_LINES.sub("\n\n", _SPACES.sub(" ", visible(page))).strip() for page in pages]
    starts, at = [], 0
    for page in seen:
        starts.append(at)
        at += len(page) + 1
    text = "\n".join(seen).rstrip()
    return text if text.strip() else "", tuple(starts)
