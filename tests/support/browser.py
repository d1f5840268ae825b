"""The system's Chromium for tests, and what a page of it must be free of."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

SECONDS_MAX = 20
"""How long a test waits for what a page is to show."""
expect.set_options(timeout=SECONDS_MAX * 1_000)
SERIOUS = {"serious", "critical"}
"""The faults that axe finds and a page may not have."""


def chromium() -> str:
    """Returns where the browser is; without one a test is skipped, and fails where CI decides."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and os.environ.get("CI"):
        pytest.fail("no chromium is installed")
    if found is None:
        pytest.skip("no chromium is installed")
    return found


@asynccontextmanager
async def browser_of_the_system() -> AsyncIterator[Browser]:
    """Starts the browser for the body."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            yield started
        finally:
            await started.close()


@asynccontextmanager
async def page_of(browser: Browser, url: str, **context: Any) -> AsyncIterator[Page]:
    """Opens a page as a person of its own has it; at its end it must have told of no error."""
    told: list[str] = []
    given = {"locale": "ko-KR", "viewport": {"width": 1280, "height": 900}, **context}
    opened = await browser.new_context(**given)
    try:
        page = await opened.new_page()
        page.set_default_timeout(SECONDS_MAX * 1_000)
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("console", lambda said: told.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: told.append(f"a script ran: {dialog.message}"))
        await page.goto(url)
        yield page
    finally:
        await opened.close()
    assert not told, told


async def faults_of(page: Page) -> list[str]:
    """Returns what axe finds wrong with a page, its serious faults alone."""
    from axe_playwright_python.async_playwright import Axe  # noqa: PLC0415 - only where a browser runs

    found = (await Axe().run(page)).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:200]}"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]
