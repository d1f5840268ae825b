"""Files of a question: what is read of honest ones; hostile ones are refused by their field and hurt nobody."""

import asyncio
import io
import os
import time
import zipfile
import zlib
from bisect import bisect_right
from pathlib import Path

import psutil
import pytest
from docx import Document
from docx.oxml import OxmlElement

from gateway.files.kinds import MEDIA_TYPES, FileKind
from gateway.files.reading import FileReader
from services.contract.flow import Attachment, Question
from services.runtime.errors import InvalidRequest
from services.runtime.settings import Settings
from tests.support.files import LEASE, docx_of, part_of, pdf_of, saved, with_parts

pytestmark = pytest.mark.asyncio

BODY = "<w:body>"


def settings(**bounds: float) -> Settings:
    return Settings.model_validate(bounds)


async def read(*files: Attachment, locale: str = "ko", **bounds: float) -> tuple[Attachment, ...]:
    question = Question("이 계약서 봐줘", locale=locale, attachments=files)
    return (await FileReader(settings(**bounds)).read(question)).attachments


def children() -> set[psutil.Process]:
    """The processes that this one has begun; servers of other tests are among them."""
    return set(psutil.Process().children())


async def refused(*files: Attachment, locale: str = "ko", **bounds: float) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as refusal:
        await read(*files, locale=locale, **bounds)
    return {one.field: one.description for one in refusal.value.violations}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
async def test_a_text_is_read_in_the_encodings_that_people_have(encoding) -> None:
    """Whatever a Korean text editor saves is the same text here."""
    (found,) = await read(Attachment("lease.txt", content="\n".join(LEASE).encode(encoding)))
    assert found.text.split("\n") == list(LEASE)
    assert (found.media_type, found.content, found.page_starts) == ("text/plain", b"", ())


async def test_a_text_may_come_as_text() -> None:
    """A client that has the words sends them as they are, and has a digest of them all the same."""
    (found,) = await read(Attachment("lease", text="\n".join(LEASE)))
    assert found.text.split("\n") == list(LEASE)
    assert len(found.digest) == 64


async def test_a_docx_is_its_paragraphs_and_its_tables() -> None:
    """Paragraphs and rows stand in their order, a row on one line, so that a label stays beside its value."""
    (found,) = await read(
        Attachment("lease.docx", content=docx_of(LEASE, [("보증금", "금 240,000,000원"), ("월세", "없음")]))
    )
    assert found.text.split("\n") == [*LEASE, "보증금 금 240,000,000원", "월세 없음"]
    assert found.media_type == MEDIA_TYPES[FileKind.DOCX]


async def test_a_docx_says_the_numbers_that_its_word_processor_writes() -> None:
    """A clause whose number is a list's and stands in no text has it, so that it can be named."""
    document = Document()
    for text in ("The tenant pays the rent.", "The landlord repairs the house."):
        document.add_paragraph(text, style="List Number")
    (found,) = await read(Attachment("list.docx", content=saved(document)))
    assert found.text.split("\n") == ["1. The tenant pays the rent.", "2. The landlord repairs the house."]


async def test_a_docx_says_what_is_seen() -> None:
    """Deleted and hidden words are no words of it; inserted ones, content controls and text boxes are, each once."""
    document = Document()
    shown = document.add_paragraph("보이는 문장입니다. ")
    hidden = shown.add_run("숨긴 지시입니다.")
    hidden.font.hidden = True
    for tag, text_tag, text in (("w:del", "w:delText", "지운 문장"), ("w:ins", "w:t", "넣은 문장")):
        change, run, said = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(text_tag)
        said.text = text
        run.append(said)
        change.append(run)
        shown._p.append(change)
    (found,) = await read(Attachment("changes.docx", content=saved(document)))
    assert found.text == "보이는 문장입니다. 넣은 문장"


async def test_a_pdf_is_its_pages() -> None:
    """Each page is read, and where it begins is kept, so that a citation names it."""
    (found,) = await read(Attachment("lease.pdf", content=pdf_of(LEASE[:4], LEASE[4:])))
    assert found.text.split("\n") == list(LEASE)
    assert [
        bisect_right(found.page_starts, found.text.index(line)) for line in (LEASE[0], LEASE[3], LEASE[4], LEASE[6])
    ] == [1, 1, 2, 2]


async def test_a_line_that_a_pdf_broke_is_whole_again() -> None:
    """A clause that goes over several lines, or to the next page, is one clause."""
    long = "제1조 (수리) 누수와 보일러를 비롯한 집의 모든 고장은 원인이 무엇이든 임차인의 비용으로 고치고 임대인은 이를"
    lines = (long, "부담하지 아니하기로 한다.", "제2조 (해지) 당사자는 계약을 해지할 수 있다.")
    (found,) = await read(Attachment("lease.pdf", content=pdf_of(lines)))
    assert found.text.split("\n") == [f"{long} {lines[1]}", lines[2]]


async def test_what_hides_or_steers_in_a_file_is_gone() -> None:
    """A file's text is cleaned as a message is: no escape sequences, no direction marks, no invisible letters."""
    text = "제1조 \x1b[31m보증금\x1b[0m은 \u202e3억원\u200b이다.\x07"
    packed = docx_of(["제1조 \u202e보증금\u200b은 3억원이다."])
    found = await read(Attachment("a.docx", content=packed), Attachment("a", text=text))
    assert [one.text for one in found] == ["제1조 보증금은 3억원이다."] * 2


async def test_the_name_is_only_a_name() -> None:
    """What a file is its content says: a PDF that is called a text is read as a PDF."""
    (found,) = await read(Attachment("lease.txt", "text/plain", pdf_of(LEASE)))
    assert found.media_type == "application/pdf"


NAMES = {"ko": "암호", "en": "password"}


@pytest.mark.parametrize("locale", ["ko", "en"])
async def test_a_pdf_behind_a_password_is_refused_by_its_field(locale) -> None:
    """The person learns which file it is and what to do, in their own language."""
    said = await refused(
        Attachment("good", text="x" * 50), Attachment("lease.pdf", content=pdf_of(LEASE, password="s3")), locale=locale
    )
    assert list(said) == ["question.attachments[1]"]
    assert NAMES[locale] in said["question.attachments[1]"]
    assert "lease.pdf" in said["question.attachments[1]"]


def bomb() -> bytes:
    return with_parts(docx_of(["x"]), {"word/media/image1.png": b"\0" * 200_000_000})


def deep() -> bytes:
    made = docx_of(["x"])
    body = part_of(made, "word/document.xml")
    return with_parts(
        made, {"word/document.xml": body.replace(BODY, BODY + "<w:sdt>" * 100_000 + "</w:sdt>" * 100_000)}
    )


def entities() -> bytes:
    made = docx_of(["x"])
    lol = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10 if at else "lol" * 100}">' for at in range(12))
    body = part_of(made, "word/document.xml")
    head = body.index("?>") + 2
    return with_parts(
        made, {"word/document.xml": f"{body[:head]}<!DOCTYPE x [{lol}]>{body[head:].replace('<w:t>x', '<w:t>&l11;')}"}
    )


def many_pages() -> bytes:
    return pdf_of(*[("한 쪽",)] * 80)


def endless_pages() -> bytes:
    """A page tree that says it has a million pages, all of them one."""
    kids = b"3 0 R " * 1_000_000
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1000000/Kids["
        + kids[:2_500_000]
        + b"]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n"
    )


def pdf_bomb() -> bytes:
    squeezed = zlib.compress(zlib.compress(b"\0" * 300_000_000, 1), 9)
    head = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"
    page = b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
    stream = b"4 0 obj<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n" % len(squeezed)
    return head + page + stream + squeezed + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n"


def other_package() -> bytes:
    """A package that is no document: an HWPX."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", "application/hwp+zip")
    return file.getvalue()


HOSTILE = {
    "a package that unpacks to 200 MB": (bomb, "풀면 너무"),
    "a hundred thousand elements in each other": (deep, "손상"),
    "entities that grow tenfold eleven times": (entities, ""),
    "more pages than are read": (many_pages, "60쪽"),
    "a page tree without end": (endless_pages, ""),
    "a stream that unpacks to 300 MB": (pdf_bomb, ""),
    "a package without a document": (other_package, "형식"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + os.urandom(500), "형식"),
    "an old office document": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + os.urandom(500), "형식"),
    "an office document behind a password": (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
        "암호",
    ),
    "half a package": (lambda: docx_of(LEASE)[:3_000], "손상"),
    "half a PDF": (lambda: pdf_of(LEASE)[:700], ""),
    "a PDF of nothing": (lambda: pdf_of([]), "글자를 찾지 못"),
    "an empty file": (lambda: b"  \n", "내용이 없"),
}
"""Each by what it is, with what the person is told; where several words are right, none is asked for."""


@pytest.mark.parametrize("kind", HOSTILE)
async def test_a_hostile_file_is_refused_and_hurts_nobody(kind) -> None:
    """It is refused by its field, its process is over, and this one has grown by no more than the file itself."""
    make, told = HOSTILE[kind]
    content, process, others = make(), psutil.Process(), children()
    before = process.memory_info().rss
    said = await refused(
        Attachment("file", content=content), attachment_seconds_max=3, attachment_memory_bytes_max=2**28
    )
    assert list(said) == ["question.attachments[0]"]
    assert told in said["question.attachments[0]"]
    assert children() <= others
    assert process.memory_info().rss - before < 64 * 1024 * 1024 + 4 * len(content)


async def test_macros_links_and_outside_parts_are_not_looked_at(tmp_path) -> None:
    """A document with macros is read as text; what it links to, on a server or among files here, is not fetched."""
    secret = tmp_path / "secret.xml"
    secret.write_text("<x>비밀</x>")
    made = docx_of(["제1조 보증금은 3억원이다."])
    types = part_of(made, "[Content_Types].xml").replace(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        "application/vnd.ms-word.document.macroEnabled.main+xml",
    )
    links = part_of(made, "word/_rels/document.xml.rels").replace(
        "</Relationships>",
        f'<Relationship Id="x1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"'
        f' Target="{secret.as_uri()}" TargetMode="External"/></Relationships>',
    )
    body = part_of(made, "word/document.xml")
    head = body.index("?>") + 2
    body = (
        f'{body[:head]}<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>{body[head:].replace("3억원", "3억원&e;")}'
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": types,
        "word/_rels/document.xml.rels": links,
        "word/vbaProject.bin": b"Shell",
    }
    (found,) = await read(Attachment("lease.docm", content=with_parts(made, {**parts, "word/document.xml": body})))
    assert "보증금은 3억원" in found.text
    assert "비밀" not in found.text


@pytest.mark.parametrize(
    ("files", "bounds", "told"),
    [
        ([Attachment("a", text="x")] * 4, {}, "3개"),
        ([Attachment("a", text="x")], {"attachments_max": 0}, "받지 않습니다"),
        (
            [Attachment("a", text="가" * 400), Attachment("b", text="나" * 400)],
            {"attachment_bytes_max": 2_000},
            "2,000바이트",
        ),
        (
            [Attachment("a", text="가" * 90), Attachment("b", text="나" * 90)],
            {"attachment_characters_max": 100},
            "100자",
        ),
    ],
)
async def test_what_is_too_much_in_all_is_refused(files, bounds, told) -> None:
    """Number, size and length of all files together are bounded by settings, and the limit is named."""
    said = await refused(*files, **bounds)
    assert list(said) == ["question.attachments"]
    assert told in said["question.attachments"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b.txt", "x" * 121, "a\nb"])
async def test_a_name_is_no_path(name) -> None:
    """A name with folders in it, or one that is too long, is refused."""
    said = await refused(Attachment(name, text="x"))
    assert list(said) == ["question.attachments[0]"]


async def test_a_file_without_a_name_has_one() -> None:
    """So that an answer can speak of it."""
    (found,) = await read(Attachment("", text="x"))
    assert found.name == "attachment 1"


async def test_both_a_text_and_a_file_are_refused() -> None:
    """Which of them is meant nobody can know."""
    assert "하나만" in (await refused(Attachment("a", text="x", content=b"y")))["question.attachments[0]"]


async def test_nobody_hears_more_than_the_gateway_has_read() -> None:
    """What a client says of pages, digest and time is not believed."""
    (found,) = await read(Attachment("a", text="x", page_starts=(0, 7), digest="f00", earlier=True))
    assert (found.page_starts, found.earlier) == ((), False)
    assert found.digest != "f00"


async def test_reading_is_cut_when_its_time_is_up(monkeypatch, tmp_path) -> None:
    """A child that hangs is killed, and the person is told that it took too long."""
    child = tmp_path / "child.py"
    child.write_text("import time; time.sleep(600)")
    monkeypatch.setattr("gateway.files.reading._CHILD", Path(child))
    began, others = time.monotonic(), children()
    said = await refused(Attachment("a.pdf", content=pdf_of(LEASE)), attachment_seconds_max=1)
    assert "너무 오래" in said["question.attachments[0]"]
    assert time.monotonic() - began < 30
    assert children() <= others


async def test_a_question_that_is_cancelled_leaves_no_process_behind(monkeypatch, tmp_path) -> None:
    """Who hangs up while a file is read has its child ended with it."""
    child = tmp_path / "child.py"
    child.write_text("import time; time.sleep(600)")
    monkeypatch.setattr("gateway.files.reading._CHILD", Path(child))
    others = children()
    reading = asyncio.create_task(read(Attachment("a.pdf", content=pdf_of(LEASE))))
    while children() <= others:
        await asyncio.sleep(0.02)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert children() <= others
