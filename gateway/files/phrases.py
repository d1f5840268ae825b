"""What is wrong with a file, as a person reads it in Korean and English."""

from enum import StrEnum
from typing import Final


class FileProblem(StrEnum):
    """Why a file is not taken."""

    EMPTY = "EMPTY"
    """There is nothing in it."""
    BOTH = "BOTH"
    """It comes as a text and as a file at once."""
    NAME = "NAME"
    """Its name is none."""
    UNKNOWN_KIND = "UNKNOWN_KIND"
    """It is of no kind that is read."""
    ENCRYPTED = "ENCRYPTED"
    """It is under a password."""
    UNREADABLE = "UNREADABLE"
    """It is broken."""
    NO_TEXT = "NO_TEXT"
    """It holds pictures of text."""
    TOO_MANY = "TOO_MANY"
    """There are too many of them."""
    ALL_TOO_LARGE = "ALL_TOO_LARGE"
    """They are too large."""
    TOO_LARGE = "TOO_LARGE"
    """What is packed in it is too large, or takes too much memory to read."""
    TOO_LONG = "TOO_LONG"
    """It says too much."""
    TOO_MANY_PAGES = "TOO_MANY_PAGES"
    """It has too many pages."""
    TOO_SLOW = "TOO_SLOW"
    """Reading it takes too long."""
    OFF = "OFF"
    """This deployment takes none."""


_TEXTS: Final[dict[FileProblem, tuple[str, str]]] = {
    FileProblem.EMPTY: ("{name}에 내용이 없습니다.", "{name} is empty."),
    FileProblem.BOTH: (
        "{name}에는 text와 content 가운데 하나만 넣어 주세요.",
        "{name} has both text and content; send one of them.",
    ),
    FileProblem.NAME: (
        "파일 이름은 {limit}자까지이고 경로를 담을 수 없습니다.",
        "the file's name may have {limit} characters and no folders.",
    ),
    FileProblem.UNKNOWN_KIND: (
        "{name}의 형식은 읽지 못합니다. 텍스트, DOCX, PDF 파일로 보내 주세요(HWP나 DOC는 DOCX나 PDF로 저장).",
        "{name} is of a kind that is not read; send a text, DOCX or PDF file (save an HWP or DOC as one of these).",
    ),
    FileProblem.ENCRYPTED: (
        "{name}에 암호가 걸려 있어 읽지 못합니다. 암호를 풀고 다시 보내 주세요.",
        "{name} is protected by a password; send it without one.",
    ),
    FileProblem.UNREADABLE: (
        "{name}이(가) 손상되어 읽지 못합니다. 다시 저장해서 보내 주세요.",
        "{name} is damaged and cannot be read; save it anew and send that.",
    ),
    FileProblem.NO_TEXT: (
        "{name}에서 글자를 찾지 못했습니다. 스캔한 그림이면 글자를 붙여 넣거나 글자가 든 PDF로 보내 주세요.",
        "{name} holds no text; if it is a scan, paste its text or send a PDF that has some.",
    ),
    FileProblem.TOO_MANY: (
        "파일은 한 번에 {limit}개까지 보낼 수 있습니다.",
        "at most {limit} files may be sent at once.",
    ),
    FileProblem.ALL_TOO_LARGE: (
        "파일이 너무 큽니다. 모두 합해 {limit}바이트까지 보낼 수 있습니다.",
        "the files are too large; all together may have {limit} bytes.",
    ),
    FileProblem.TOO_LARGE: (
        "{name}은(는) 풀면 너무 커서 읽지 않았습니다. 텍스트나 다시 저장한 파일로 보내 주세요.",
        "{name} becomes too large when it is unpacked; send its text, or save it anew.",
    ),
    FileProblem.TOO_LONG: (
        "{name}의 내용이 너무 깁니다. 모두 합해 {limit}자까지 읽습니다.",
        "{name} is too long; {limit} characters are read in all.",
    ),
    FileProblem.TOO_MANY_PAGES: (
        "{name}의 쪽수가 너무 많습니다. {limit}쪽까지 읽습니다.",
        "{name} has too many pages; {limit} are read.",
    ),
    FileProblem.TOO_SLOW: (
        "{name}을(를) 읽는 데 너무 오래 걸립니다({limit}초 초과).",
        "{name} takes longer than {limit} seconds to read.",
    ),
    FileProblem.OFF: ("여기서는 파일을 받지 않습니다.", "files are not taken here."),
}


def said(problem: FileProblem, locale: str, name: str = "", limit: object = "") -> str:
    """Return what is wrong, in a language."""
    shown = f"{limit:,}" if isinstance(limit, int) else str(limit)
    return _TEXTS[problem][locale == "en"].format(name=name, limit=shown)
