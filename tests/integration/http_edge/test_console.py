"""The console as a person uses it, in a real browser: ask, watch, answer, approve, look at the sources."""

import re
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import docx
import openai
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.browser import browser_of_the_system, faults_of, page_of
from tests.support.cluster import Cluster, embedded
from tests.support.files import LEASE, docx_of
from tests.support.http_client import http_client
from tests.support.tokens import token
from tests.support.wishing_agent import wishing_agent

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("http_edge")]

STATIC = Path(__file__).parents[3] / "gateway" / "http" / "console" / "static"
MARKUP = "<img src=x onerror=alert(1)>"
EARPHONES = "20만원 이하 무선 이어폰 추천해줘"
OVER = "article[aria-busy=false]"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[Cluster]:
    """An ensemble over data of its own: a shop whose goods bear markup in their names, and an agent that orders."""
    folder = tmp_path_factory.mktemp("console")
    copy_database(data, folder / "shop.db")
    with sqlite3.connect(folder / "shop.db") as connection:
        connection.execute("UPDATE products SET name_ko = name_ko || ? WHERE category = 'earphones'", (f" {MARKUP}",))
        query = "SELECT product_id FROM offers WHERE stock > 100 AND price_krw > 30000 ORDER BY offer_id LIMIT 1"
        (product,) = connection.execute(query).fetchone()
    connection.close()
    order = {"items": [{"product_id": product, "quantity": 1}], "payment_method": "card"}
    async with (
        wishing_agent(folder, "realty.search", order) as wishing,
        embedded(
            folder, folder / "shop.db", elsewhere={"realty.search": wishing}, http_listen="127.0.0.1:0", typed_asks=True
        ) as found,
    ):
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """The system's browser."""
    async with browser_of_the_system() as started:
        yield started


async def asked(page: Page, text: str) -> None:
    """Asks a question by keyboard alone."""
    await page.locator("#question").fill(text)
    await page.keyboard.press("Enter")


async def signed_in(page: Page, user: str) -> None:
    """Signs in as dev mode lets a person."""
    await page.get_by_role("button", name="로그인").click()
    await page.locator("#name").fill(user)
    await page.locator("#kind").select_option("consumer")
    await page.locator("dialog").get_by_role("button", name="로그인").click()
    await expect(page.locator("#tools")).to_contain_text(user)


async def test_a_person_asks_answers_reloads_and_approves(shop: Cluster, browser: Browser) -> None:
    """A question back is answered, the page is loaded anew while an approval waits, and what was shown is done."""
    async with page_of(browser, shop.doors["console"]) as page:
        await signed_in(page, "mina")
        await asked(page, "이번 달 전세 시세 알려줘")
        await page.locator(".card input").fill("강남구")
        await page.keyboard.press("Enter")
        await expect(page.locator(".card.approval")).to_be_visible()
        await page.reload()
        card = page.locator(".card.approval")
        await expect(card.locator("dl")).to_have_attribute("data-action", "CREATE_ORDER")
        await expect(card.locator("dd").nth(1)).not_to_be_empty()
        # Nothing lies over what is to be pressed.
        await card.get_by_role("button", name="네").click(trial=True)
        box = await card.get_by_role("button", name="네").bounding_box()
        form = await page.locator("form.ask").bounding_box()
        assert box is not None
        assert form is not None
        assert box["y"] + box["height"] <= form["y"]
        assert await faults_of(page) == []
        await card.get_by_role("button", name="네").click()
        await expect(page.locator(OVER)).to_have_count(1)
        await page.locator("details.details summary").click()
        await expect(page.locator(".lines")).to_contain_text("처리함: CREATE_ORDER")
    with sqlite3.connect(shop.data) as connection:
        assert connection.execute("SELECT count(*) FROM effects").fetchone() == (1,)
    connection.close()


async def test_a_person_sends_a_file(shop: Cluster, browser: Browser, tmp_path: Path) -> None:
    """A file is chosen, taken back, chosen anew and sent without a word; it is understood as a contract."""
    file = tmp_path / "lease.docx"
    file.write_bytes(docx_of(LEASE))
    async with page_of(browser, shop.doors["console"]) as page:
        await page.locator("#files").set_input_files([file])
        await expect(page.locator(".files")).to_contain_text("lease.docx")
        assert await faults_of(page) == []
        await page.locator(".files button").click()
        await expect(page.locator(".files")).to_be_hidden()
        await page.locator("#files").set_input_files([file])
        await page.get_by_role("button", name="보내기").click()
        await expect(page.locator(OVER)).to_have_count(1)
        await expect(page.locator(".question")).to_have_text("lease.docx")
        await page.locator("details.details summary").click()
        await expect(page.locator(".lines")).to_contain_text("계약서 검토")


async def test_a_person_keeps_a_document(shop: Cluster, browser: Browser, tmp_path: Path) -> None:
    """A draft is approved, and the button below the answer saves its file under its title."""
    async with page_of(browser, shop.doors["console"]) as page:
        await signed_in(page, "mina")
        await asked(page, "마포구 아파트 전세 계약서 초안 써줘. 보증금 3억")
        await expect(page.locator(OVER)).to_have_count(1)
        await expect(page.locator("[data-document]")).to_have_count(0)
        await asked(page, "승인")
        await expect(page.locator(OVER)).to_have_count(2)
        assert await faults_of(page) == []
        async with page.expect_download() as saving:
            await page.locator("[data-document]").click()
        saved = await saving.value
        await saved.save_as(tmp_path / "kept.docx")
        assert saved.suggested_filename == "전세 계약서.docx"
    text = "\n".join(paragraph.text for paragraph in docx.Document(str(tmp_path / "kept.docx")).paragraphs)
    assert "3억원" in text


async def test_a_chat_front_end_approves_by_a_message(shop: Cluster) -> None:
    """What hapju asks is answered by a message, what would be done is shown as one, and a yes does it."""
    key = token(dev_key(shop.data.parent), "jun", user_type="consumer", seconds=600)
    talk: list[dict[str, str]] = []
    async with openai.AsyncOpenAI(base_url=f"{shop.doors['http']}/v1", api_key=key, max_retries=0) as client:
        for words in ("이번 달 전세 시세 알려줘", "강남구", "네"):
            talk.append({"role": "user", "content": words})
            made = await client.chat.completions.create(model="hapju", messages=talk)  # type: ignore[arg-type]
            talk.append({"role": "assistant", "content": made.choices[0].message.content or ""})
    shown, done = talk[3]["content"], talk[5]["content"]
    assert "- 네" in shown
    assert re.search(r"- .+: [0-9,]{5,}", shown), shown
    assert "처리했습니다" in done or "완료" in done, done


async def test_an_answer_shows_its_picture_its_sources_and_its_waterfall(shop: Cluster, browser: Browser) -> None:
    """A series is drawn, its source opens beside it with its rows and gives the focus back, decisions can be opened."""
    async with page_of(browser, shop.doors["console"]) as page:
        await asked(page, "미국 실업률 추이 알려줘")
        await expect(page.locator(OVER)).to_have_count(1)
        await expect(page.locator("article canvas")).to_have_count(1)
        source = page.locator("article .source").first
        await source.click()
        await expect(page.locator("#source table tbody tr")).not_to_have_count(0)
        assert await faults_of(page) == []
        await page.keyboard.press("Escape")
        await expect(page.locator("#source")).to_be_hidden()
        await expect(source).to_be_focused()
        await page.locator("article footer a").click()
        row = page.locator(".waterfall details", has_text="질문의 뜻")
        await row.locator("summary").click()
        await expect(row.locator("pre")).to_contain_text("confidence")
        assert await faults_of(page) == []


async def test_text_never_becomes_markup(shop: Cluster, browser: Browser) -> None:
    """Markup in a question, in an answer and in its rows is read as it stands; nothing of it runs."""
    async with page_of(browser, shop.doors["console"]) as page:
        await asked(page, f"{EARPHONES} {MARKUP}")
        await expect(page.locator(OVER)).to_have_count(1)
        await expect(page.locator(".question")).to_contain_text(MARKUP)
        await expect(page.locator(".answer")).to_contain_text(MARKUP)
        await page.locator("article .source").first.click()
        await expect(page.locator("#source table")).to_contain_text(MARKUP)
        assert await page.locator("main img, aside img").count() == 0


@pytest.mark.parametrize("screen", ["", "#/flows", "#/agents", "#/usage"])
async def test_every_screen_fits_a_phone_and_can_be_read_by_all(shop: Cluster, browser: Browser, screen: str) -> None:
    """At 360 pixels, dark and in English, no screen is wider than the display and axe finds no serious fault."""
    context = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "locale": "en-US"}
    async with page_of(browser, f"{shop.doors['console']}/{screen}", **context) as page:
        await expect(page.locator("#nav")).to_contain_text("Ask")
        await page.wait_for_load_state("networkidle")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        assert await faults_of(page) == []


async def test_a_session_is_no_use_to_a_foreign_page(shop: Cluster, browser: Browser) -> None:
    """The cookie is out of a script's reach, and a request that bears it alone acts for nobody."""
    async with http_client(shop.doors["http"]) as client:
        status, _ = await client.call("POST", "/console/session", {"user": "mina", "user_type": "consumer"})
        assert status == 200
        for name, value in (("origin", "https://elsewhere.example"), ("host", "elsewhere.example")):
            assert (await client.call("GET", "/v1/flows", headers={name: value}))[0] == 403
        by_cookie = (await client.call("GET", "/v1/flows"))[1]["flows"]
        by_console = (await client.call("GET", "/v1/flows", headers={"hapju-console": "1"}))[1]["flows"]
        assert {flow["flow_run_id"] for flow in by_cookie}.isdisjoint(flow["flow_run_id"] for flow in by_console)
        assert (await client.call("POST", "/console/session", {"user": "no name"}))[0] == 400
    async with page_of(browser, shop.doors["console"]) as page:
        await signed_in(page, "jun")
        assert "hapju_session" not in await page.evaluate("document.cookie")


async def test_the_consoles_own_files_turn_no_text_into_markup() -> None:
    """No file of ours names what reads markup or runs text, and both languages say the same things."""
    own = list(STATIC.glob("*.js"))
    assert own
    for path in own:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text), path
    words = (STATIC / "words.js").read_text(encoding="utf-8")
    korean, english = (
        re.findall(r"(?:[{,]|^)\s*([a-zA-Z]+): [\"{]", part, re.MULTILINE)
        for part in words.split("\n};")[0].split("  en: {", 1)
    )
    assert korean[1:] == english
