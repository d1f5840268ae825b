"""legal_search finds the article that answers a question, however the question is written."""

import unicodedata
from pathlib import Path

import pytest

from services.text.ko.morphemes import morphemes
from services.tool_gateway.reads import GatewayReads
from tests.unit.tool_gateway.seeded_data import rows_of

FOLDER = Path(__file__).parent
TUNED = FOLDER / "law_questions.tsv"
HELD_OUT = FOLDER / "law_questions_held_out.tsv"
_PARTICLES = ("은", "는", "이", "가", "을", "를", "에", "도", "의")


def _questions(path: Path) -> list[tuple[str, set[str]]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(question, set(ids.split())) for question, _, ids in (line.partition("\t") for line in lines)]


def _without_particles(question: str) -> str:
    """Drop each morpheme that is a particle."""
    pieces = [piece for piece in morphemes(question) if not piece.tags[0].startswith("J")]
    text, end = "", 0
    for piece in pieces:
        text += (
            " " if question[end : piece.start].strip() or " " in question[end : piece.start] else ""
        ) + piece.surface
        end = piece.end
    return text.strip()


async def _share(reads: GatewayReads, questions: list[tuple[str, set[str]]]) -> float:
    found = 0
    for question, wanted in questions:
        hits = await reads.finder.find("law", question, timeout_seconds=30)
        found += bool({hit.document_id for hit in hits[:3]} & wanted)
    return found / len(questions)


def test_there_are_enough_questions() -> None:
    """At least sixty questions, twenty-five of them kept out of tuning, none in both files."""
    tuned, held_out = _questions(TUNED), _questions(HELD_OUT)
    assert len(tuned) + len(held_out) >= 60
    assert len(held_out) >= 25
    assert not {question for question, _ in tuned} & {question for question, _ in held_out}


@pytest.mark.parametrize("path", [TUNED, HELD_OUT], ids=lambda path: path.stem)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.asyncio
async def test_the_right_article_is_among_the_first_three(reads: GatewayReads, path: Path, form) -> None:
    """For at least 90 % of the questions, composed or decomposed, the right article is among the first three."""
    questions = [(unicodedata.normalize(form, question), wanted) for question, wanted in _questions(path)]
    assert await _share(reads, questions) >= 0.9


@pytest.mark.asyncio
async def test_particles_do_not_matter(reads: GatewayReads) -> None:
    """The same questions without their particles reach the same share."""
    questions = [
        (_without_particles(question), wanted) for question, wanted in _questions(TUNED) + _questions(HELD_OUT)
    ]
    assert not any(word.endswith("에게") for question, _ in questions for word in question.split())
    assert await _share(reads, questions) >= 0.9


@pytest.mark.parametrize(
    "question",
    [
        *("오늘 서울 날씨 어때", "무선 이어폰 추천해줘", "삼성전자 주가", "파이썬으로 정렬 함수 짜줘", "안녕하세요"),
        *(
            "the weather tomorrow",
            "recommend a laptop",
            "노트북 환불해줘",
            "미국 실업률",
            "ㅁㄴㅇㄹ",
            "?!",
            "장바구니에 담아줘",
        ),
    ],
)
@pytest.mark.asyncio
async def test_a_question_about_something_else_finds_nothing(invoke, question) -> None:
    """Nothing is returned below the floor, and the note says so."""
    outcome = await invoke("legal_search", {"query": question})
    assert rows_of(outcome) == []
    assert outcome.note == "no article of the collection fits the question"


@pytest.mark.asyncio
async def test_an_article_names_statute_number_and_title(invoke) -> None:
    """The rent cap is article 7 of the Act and article 8 of its decree, marked as our own summary and as sample."""
    outcome = await invoke("legal_search", {"query": "전세금을 얼마까지 올릴 수 있나요", "limit": 3})
    rows = rows_of(outcome)
    cited = {(row["statute_ko"], row["article"], row["title_ko"]) for row in rows}
    assert ("주택임대차보호법", "7", "차임 등의 증감청구권") in cited
    assert ("주택임대차보호법 시행령", "8", "차임 등 증액청구의 기준 등") in cited
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert all(0 < row["word_share"] <= 1 for row in rows)
    assert outcome.provenance.sample is True
    assert "not the statutes' text" in outcome.provenance.source


@pytest.mark.parametrize(
    ("statute", "article", "word"),
    [
        ("주택임대차보호법", "4", "이 년"),
        ("주택임대차보호법", "6-3", "한 번 갱신"),
        ("주택임대차보호법", "7", "이십분의 일"),
        ("주택임대차보호법", "7-2", "월세로"),
        ("주택임대차보호법 시행령", "8", "이십분의 일"),
        ("상가건물 임대차보호법", "10", "십 년"),
    ],
)
@pytest.mark.asyncio
async def test_the_articles_that_matter_say_what_the_law_says(reads: GatewayReads, statute, article, word) -> None:
    """Each of the articles that an answer is judged by is there under its number, with its rule."""
    records = await reads.records(
        "law_articles.v1",
        {"ids": [f"{prefix}-{article}" for prefix in ("HLPA", "HLPD", "CLPA")]},
        rows_max=3,
        timeout_seconds=5,
    )
    texts = [record["summary_ko"] for record in records if record["statute_ko"] == statute]
    assert len(texts) == 1
    assert word in texts[0]


@pytest.mark.asyncio
async def test_a_topic_narrows(invoke) -> None:
    """Only articles of the topic come back; an unknown topic is named with the known ones."""
    rows = rows_of(await invoke("legal_search", {"query": "집 팔 때 세금", "topic": "tax", "limit": 20}))
    assert {row["topic"] for row in rows} == {"tax"}
    assert all(row["is_tax"] for row in rows)
    unknown = await invoke("legal_search", {"query": "세금", "topic": "nothing"})
    assert (unknown.reason, unknown.field) == ("VALUE_OUT_OF_RANGE", "topic")
    assert "renewal" in unknown.message
