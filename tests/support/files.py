"""Files as people send them, made by the libraries that offices use, and files as nobody should."""

import io
import zipfile
from collections.abc import Sequence

from docx import Document
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

FONT = "HYSMyeongJo-Medium"
LEASE = (
    "주택 임대차 계약서",
    "임대인 박정우와 임차인 최민지는 서울특별시 마포구 성산동 12-3 202호에 관하여 아래와 같이 계약한다.",
    "제1조 (보증금) 보증금은 금 2억 4천만원으로 하고, 임차인은 잔금을 2027년 1월 20일에 지급한다.",
    "제2조 (기간) 임대차 기간은 2027년 1월 20일부터 2029년 1월 19일까지로 한다.",
    "제3조 (수리) 누수와 보일러를 비롯한 집의 모든 고장은 임차인의 비용으로 고친다.",
    "제4조 (보증금의 반환) 임대인은 다음 임차인을 구한 뒤에 보증금을 돌려준다.",
    "제5조 (해지) 당사자는 상대방이 의무를 다하지 아니하면 계약을 해지할 수 있다.",
)
"""A lease with two clauses that are bad for the tenant, the third and the fourth."""
FOUND = ("제3조", "모든 고장은 임차인의 비용", "제4조", "다음 임차인을 구한 뒤")
"""What an answer on the lease quotes: its two bad clauses with their places."""


def reviewed(text: str) -> bool:
    """Tells whether an answer quotes what is bad in the lease."""
    return all(words in text for words in FOUND)


def docx_of(lines: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> bytes:
    """Returns a DOCX with paragraphs, and a table behind them."""
    document = Document()
    for line in lines:
        document.add_paragraph(line)
    if rows:
        table = document.add_table(len(rows), len(rows[0]))
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = text
    return saved(document)


def saved(document) -> bytes:
    """Returns a document as its file."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def pdf_of(*pages: Sequence[str], password: str = "") -> bytes:
    """Returns a PDF with a line of text each on its pages, behind a password where one is named."""
    if FONT not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    file = io.BytesIO()
    canvas = Canvas(file, A4, encrypt=StandardEncryption(password) if password else None)
    for lines in pages:
        canvas.setFont(FONT, 10)
        for at, line in enumerate(lines):
            canvas.drawString(50, 790 - 20 * at, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def with_parts(docx: bytes, parts: dict[str, bytes | str]) -> bytes:
    """Returns a package with some parts in the place of its own, or beside them."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx)) as before, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as behind:
        for name in before.namelist():
            if name not in parts:
                behind.writestr(name, before.read(name))
        for name, content in parts.items():
            behind.writestr(name, content)
    return file.getvalue()


def part_of(docx: bytes, name: str) -> str:
    """Returns one part of a package."""
    with zipfile.ZipFile(io.BytesIO(docx)) as package:
        return package.read(name).decode()
