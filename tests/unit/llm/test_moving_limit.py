"""A time limit that moves: it cancels at the moment where it stands last, not where it stood before."""

import asyncio

import pytest

from services.llm.providers.moving_limit import NEVER, moving_limit

pytestmark = pytest.mark.timed


async def _seconds_until_given_up(*, at: float, moves: tuple[float, ...], wait_seconds: float = 1.0) -> float | None:
    """Return after how many seconds a body was given up; None where it ended by itself."""
    clock = asyncio.get_running_loop().time
    begun = clock()
    try:
        async with moving_limit(begun + at) as limit:
            for move in moves:
                limit.move(begun + move)
            await asyncio.sleep(wait_seconds)
    except TimeoutError:
        return clock() - begun
    return None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("at", "moves"),
    [(0.1, ()), (0.02, (0.1,)), (0.9, (0.1,)), (0.1, (NEVER, 0.1)), (0.02, (0.3, 0.06, 0.1)), (NEVER, (0.1,))],
)
async def test_it_comes_where_it_stands_last(at: float, moves: tuple[float, ...]) -> None:
    """Moved on, moved back, put off and set again: the body is given up at the last moment that was named."""
    took = await _seconds_until_given_up(at=at, moves=moves)
    assert took is not None
    assert 0.099 <= took < 0.5


@pytest.mark.asyncio
async def test_a_limit_that_never_comes_lets_its_body_end() -> None:
    """Put off for good, also after its first timer has gone by, it ends nothing."""
    assert await _seconds_until_given_up(at=0.02, moves=(NEVER,), wait_seconds=0.1) is None


@pytest.mark.asyncio
async def test_a_limit_that_was_put_off_can_be_set_again_after_its_timer_went_by() -> None:
    """The timer that found nothing to do is set anew by the next move."""
    clock = asyncio.get_running_loop().time

    async def body() -> None:
        async with moving_limit(clock() + 0.02) as limit:
            limit.move(NEVER)
            await asyncio.sleep(0.05)
            limit.move(clock() + 0.05)
            await asyncio.sleep(1)

    with pytest.raises(TimeoutError):
        await body()


@pytest.mark.asyncio
async def test_a_cancel_from_outside_is_no_timeout() -> None:
    """Whoever cancels the task sees it cancelled."""

    async def body() -> None:
        async with moving_limit(asyncio.get_running_loop().time() + 1):
            await asyncio.sleep(1)

    task = asyncio.create_task(body())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.asyncio
async def test_a_limit_that_has_come_is_not_moved() -> None:
    """A token that comes while the body cleans up moves nothing, and no timer of it fails behind the body's back."""
    loop, failed = asyncio.get_running_loop(), list[object]()
    loop.set_exception_handler(lambda _, context: failed.append(context))

    async def cleaning_up() -> None:
        async with moving_limit(loop.time() + 0.01) as limit:
            try:
                await asyncio.sleep(5)
            finally:
                limit.move(loop.time() + 0.01)
                await asyncio.sleep(0.05)

    with pytest.raises(TimeoutError):
        await cleaning_up()
    assert failed == []
