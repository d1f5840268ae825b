"""Text that piles up while its reader is behind."""

import asyncio

import pytest

from services.llm.piling import PILED_CHARS_MAX, UNBROKEN_MAX, Pile


@pytest.mark.asyncio
async def test_a_reader_that_is_behind_gets_what_has_piled_up_in_one() -> None:
    """Nothing is lost or moved; what came meanwhile arrives together, and no more is written than may wait."""
    pieces = [f"{number} " for number in range(5_000)]
    written = 0

    async def write(pile: Pile) -> None:
        nonlocal written
        for piece in pieces:
            written += 1
            if pile.put(piece):
                await pile.give_way()

    got: list[str] = []
    async with Pile(write) as pile:
        async for chunk in pile.text():
            got.append(chunk)
            if len(got) == 1:
                before = written
                for _ in range(3_000):
                    await asyncio.sleep(0)
                assert sum(map(len, pieces[before:written])) <= PILED_CHARS_MAX + max(map(len, pieces))
    assert ("".join(got), len(got) < len(pieces)) == ("".join(pieces), True)
    assert max(map(len, got)) >= PILED_CHARS_MAX


@pytest.mark.asyncio
async def test_the_first_piece_is_taken_before_a_second_is_written() -> None:
    """A writer that holds all of its text already gives way after the first piece, and again after so many."""
    written = 0

    async def write(pile: Pile) -> None:
        nonlocal written
        for _ in range(3 * UNBROKEN_MAX):
            written += 1
            if pile.put("."):
                await pile.give_way()

    async with Pile(write) as pile:
        taken_at = [written async for _ in pile.text()]
    assert taken_at[:2] == [1, UNBROKEN_MAX + 1]


@pytest.mark.asyncio
async def test_what_ends_a_writer_ends_its_reader_after_its_text() -> None:
    """An error comes behind the text that came before it; leaving early ends the writer."""
    closed = asyncio.Event()

    async def write(pile: Pile, *, fails: bool) -> None:
        try:
            pile.put("a")
            pile.put("b")
            if fails:
                raise ValueError("broken")
            await asyncio.sleep(60)
        finally:
            closed.set()

    got: list[str] = []

    async def read(pile: Pile) -> None:
        async for chunk in pile.text():
            got.append(chunk)  # noqa: PERF401 - what came before the error is kept

    async with Pile(lambda pile: write(pile, fails=True)) as pile:
        with pytest.raises(ValueError, match="broken"):
            await read(pile)
    assert "".join(got) == "ab"
    closed.clear()
    async with Pile(lambda pile: write(pile, fails=False)) as pile:
        async for _ in pile.text():
            break
    assert closed.is_set()
