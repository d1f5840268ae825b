"""The sample data set: whole or not at all, the same each time, honest about what it is."""

import asyncio
import hashlib
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date, timedelta
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from services.domains.finance.data.sample.published import published_blocks
from services.runtime.environment import process_environment
from services.tool_gateway.data.copying import copy_database
from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.messages import SeedFailed, SeedRequest
from services.tool_gateway.data.seed.state import ensure_seeded
from services.tool_gateway.data.seed.state import seeded as state_of
from tests.unit.tool_gateway.seeded_data import AS_OF

SERIES = frozenset(
    {"FEDFUNDS", "CPIAUCSL", "PCEPI", "PCEPILFE", "UNRATE", "PAYEMS", "DGS2", "DGS10", "T10Y2Y", "T10YIE", "VIXCLS"}
    | {"WALCL", "KR_BASE_RATE", "KR_CPI", "KR_UNEMPLOYMENT", "KR_USDKRW", "KR_HOUSE_PRICE_INDEX", "KR_JEONSE_RATIO"}
    | {"KR_UNSOLD_HOUSING"}
)
SHARES = (
    *("US:PLTR", "US:SNOW", "US:AAPL", "US:MSFT", "US:NVDA", "US:AMZN", "US:GOOGL", "US:META", "US:TSLA"),
    *("KR:005930", "KR:000660", "KR:005380", "KR:000270", "KR:035420", "KR:035720", "KR:373220"),
)


def _path(url: str) -> Path:
    return Path(url.partition("///")[2])


def _query(url: str, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{_path(url)}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


def _content(url: str) -> str:
    """Return a digest of every row of the data, without the moments of loading."""
    digest = hashlib.sha256()
    tables = [name for (name,) in _query(url, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for table in tables:
        if table in {"seed_state", "alembic_version"}:
            continue
        rows = _query(url, f"SELECT * FROM {table}")  # noqa: S608 - names out of the schema
        if table == "datasets":
            rows = _query(url, "SELECT dataset_id, source, licence, sample, as_of, row_count FROM datasets")
        for row in sorted(rows, key=repr):
            digest.update(repr((table, row)).encode())
    return digest.hexdigest()


def _new_url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path}/new/data.db"


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_second_seed_changes_nothing(url, seeded) -> None:
    """Seeding again for the same day loads nothing, reports what is there, and leaves every row as it is."""
    before = _content(url)
    again = await seed(url, as_of=AS_OF + timedelta(hours=3))
    assert (again.loaded, again.rows, again.datasets) == (False, seeded[1].rows, seeded[1].datasets)
    assert _content(url) == before
    assert (await ensure_seeded(url)).loaded is False


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_killed_seed_leaves_nothing_half(tmp_path, url) -> None:
    """A seed killed before its last data set leaves no table.

    Then, of two processes that seed the same database at once, one loads, and the rows equal those of another
    database's seed.
    """
    new = _new_url(tmp_path)
    await asyncio.to_thread(_kill_seed_after, new, data_sets_loaded=7)
    assert _query(new, "SELECT name FROM sqlite_master") == []
    assert await state_of(new) is None
    reports = await asyncio.gather(seed(new, as_of=AS_OF), seed(new, as_of=AS_OF))
    assert sorted(report.loaded for report in reports) == [False, True]
    assert _content(new) == _content(url)


def _kill_seed_after(url: str, data_sets_loaded: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "services.tool_gateway.data.seed.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=process_environment(),
    )
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(SeedRequest(url=url, as_of=AS_OF).model_dump_json().encode())
        child.stdin.close()
        for _ in range(data_sets_loaded):
            assert b'"progress"' in child.stdout.readline()
        child.send_signal(signal.SIGKILL)


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_cancelled_seed_stops_its_child(tmp_path) -> None:
    """Cancelling the caller ends the child; nothing is loaded."""
    new = _new_url(tmp_path)
    begun = asyncio.Event()
    task = asyncio.create_task(seed(new, as_of=AS_OF, on_progress=lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await state_of(new) is None


@pytest.mark.asyncio
async def test_a_failed_seed_says_why(tmp_path) -> None:
    """A file that is no database ends in SeedFailed with the child's own words."""
    bad = tmp_path / "data.db"
    bad.write_bytes(b"no database, but long enough to be taken for one" * 100)
    with pytest.raises(SeedFailed, match="file is not a database"):
        await seed(f"sqlite+aiosqlite:///{bad}", as_of=AS_OF)


@pytest.mark.parametrize("bad", ["sqlite+aiosqlite:///:memory:", "sqlite+aiosqlite://", "oracle://host/db"])
@pytest.mark.asyncio
async def test_an_unusable_url_is_refused_by_name(bad) -> None:
    """A database without a file, or of an unknown kind, is refused with the setting's name."""
    with pytest.raises(ValueError, match="HAPJU_SQL_URL"):
        await seed(bad, as_of=AS_OF)


def test_nobody_but_the_child_loads_numeric_libraries() -> None:
    """Importing all that a service or the command line needs to seed and read loads no numpy and no server driver."""
    code = (
        "import sys, services.tool_gateway.data.seed.children, services.tool_gateway.registry\n"
        "services.tool_gateway.registry.load_registry()\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'statsmodels', 'arch', 'exchange_calendars', 'alembic'}\n"
        "heavy |= {'pymysql', 'aiomysql', 'psycopg', 'sqlalchemy.dialects.mysql', 'sqlalchemy.ext.asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert out.stdout.strip() == "[]"


def test_every_data_set_says_where_it_comes_from(url, seeded) -> None:
    """Generated data sets are marked as sample with their seed; published ones name package, version and licence."""
    rows = _query(url, "SELECT dataset_id, sample, generator_seed, package, package_version, licence FROM datasets")
    assert {row[0] for row in rows} == {dataset.dataset_id for dataset in seeded[1].datasets}
    for dataset_id, sample, generator_seed, package, version, licence in rows:
        assert bool(sample) == dataset_id.startswith("sample_")
        assert (generator_seed is not None) == bool(sample)
        assert licence
        if not sample:
            assert version == metadata.version(package)


def test_published_series_are_those_of_the_packages(url) -> None:
    """Known published values stand unchanged under their own dates (US unemployment 1982Q4: 10.7 %)."""
    value = "SELECT value FROM macro_observations WHERE series_id = ? AND date = ?"
    assert _query(url, value, "US_UNEMP_Q", "1982-10-01") == [(10.7,)]
    assert _query(url, value, "CPILFESL", "1957-01-01") == [(28.5,)]
    close = "SELECT close FROM us_equity_prices WHERE security_id = 'US:SPX' AND date = '1999-01-04'"
    assert _query(url, close) == [(1228.099976,)]


def test_a_missing_package_is_reported_and_left_out(monkeypatch) -> None:
    """Without arch its data sets are left out, the report says so, and statsmodels' are still there."""
    found = metadata.distribution

    def without_arch(name: str) -> metadata.Distribution:
        if name == "arch":
            raise metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(metadata, "distribution", without_arch)
    blocks, missing = published_blocks()
    assert [block.dataset.dataset_id for block in blocks] == ["statsmodels_macrodata"]
    assert len(missing) == 1
    assert "arch" in missing[0]


def test_shares_run_to_the_last_closed_session(url) -> None:
    """Each covered share has 560 bars; Seoul's last is of the day itself, New York's of the day before."""
    for security_id in SHARES:
        table = f"{security_id[:2].lower()}_equity_prices"
        bars, last = _query(
            url,
            f"SELECT COUNT(*), MAX(date) FROM {table} WHERE security_id = ?",  # noqa: S608 - one of two names
            security_id,
        )[0]
        assert (bars, last) == (560, "2026-06-12" if security_id.startswith("KR") else "2026-06-11")


def test_bars_are_possible(url) -> None:
    """Prices are positive, low and high enclose open and close, and Korean prices lie on the exchange's steps."""
    for table in ("us_equity_prices", "kr_equity_prices"):
        wrong = f"SELECT COUNT(*) FROM {table} WHERE low <= 0 OR low > MIN(open, close) OR high < MAX(open, close)"  # noqa: S608
        assert _query(url, wrong) == [(0,)]
    assert _query(url, "SELECT COUNT(*) FROM kr_equity_prices WHERE close >= 500000 AND close % 1000 <> 0") == [(0,)]


def test_macro_series_run_to_what_was_published(url) -> None:
    """Every series is there; nothing is published after `as_of`, and the following value was not due before it."""
    now = AS_OF.replace(tzinfo=None).isoformat(" ")
    sample = (
        "SELECT series_id, MAX(as_of), MAX(next_release_date) FROM macro_observations WHERE dataset_id = 'sample_macro'"
    )
    rows = {series_id: (newest, due) for series_id, newest, due in _query(url, f"{sample} GROUP BY series_id")}
    assert set(rows) == set(SERIES)
    for newest, due in rows.values():
        assert newest <= now
        assert date.fromisoformat(due) >= AS_OF.date()


@pytest.mark.parametrize(
    ("series_id", "low", "high"),
    [("UNRATE", 3, 6), ("FEDFUNDS", 2, 7), ("KR_USDKRW", 1_100, 1_800), ("KR_BASE_RATE", 2, 5), ("VIXCLS", 8, 60)],
)
def test_levels_are_of_the_right_order(url, series_id, low, high) -> None:
    """Generated values stay within what such a series can be."""
    found = _query(url, "SELECT MIN(value), MAX(value) FROM macro_observations WHERE series_id = ?", series_id)[0]
    assert low <= found[0] <= found[1] <= high


def test_the_spread_is_the_difference_of_its_yields(url) -> None:
    """T10Y2Y equals DGS10 less DGS2 on every day."""
    joined = (
        "SELECT COUNT(*), MAX(ABS(s.value - (l.value - t.value))) FROM macro_observations s "
        "JOIN macro_observations l ON l.series_id = 'DGS10' AND l.date = s.date "
        "JOIN macro_observations t ON t.series_id = 'DGS2' AND t.date = s.date WHERE s.series_id = 'T10Y2Y'"
    )
    count, difference = _query(url, joined)[0]
    assert count > 400
    assert difference < 0.0001


def test_every_district_has_every_kind_of_home_and_deal(url) -> None:
    """All 25 districts of Seoul and those of the large cities have the 12 kinds; jeonse lies below sale."""
    kinds = "SELECT COUNT(DISTINCT property_type || deal_type) FROM realty_market_prices GROUP BY region_code"
    assert {count for (count,) in _query(url, kinds)} == {12}
    assert _query(url, "SELECT COUNT(*) FROM regions WHERE province_code = '11'") == [(25,)]
    assert _query(url, "SELECT COUNT(*) FROM regions")[0][0] > 100
    above = (
        "SELECT COUNT(*) FROM realty_market_prices j JOIN realty_market_prices s USING "
        "(region_code, dong, complex_name, property_type, area_m2) "
        "WHERE j.deal_type = 'jeonse' AND s.deal_type = 'sale' AND j.deposit_mean_krw >= s.price_mean_krw"
    )
    assert _query(url, above) == [(0,)]
    jeonse = (
        "SELECT AVG(deposit_mean_krw) FROM realty_market_prices WHERE region_code = '11680' "
        "AND property_type = 'apartment' AND deal_type = 'jeonse' AND area_m2 = 84.9"
    )
    assert 600_000_000 < _query(url, jeonse)[0][0] < 1_500_000_000


def test_products_are_many_cheap_and_dear(url) -> None:
    """Several hundred products in 18 categories; wireless earphones in stock exist under 200,000 won and above."""
    assert _query(url, "SELECT COUNT(DISTINCT category), COUNT(*) FROM products") == [(18, 648)]
    stocked = (
        "SELECT COUNT(*) FROM products p JOIN offers o USING (product_id) WHERE p.category = 'earphones' "
        "AND p.attributes LIKE '%wireless%' AND o.stock > 0 AND o.price_krw {} 200000"
    )
    assert _query(url, stocked.format("<="))[0][0] >= 5
    assert _query(url, stocked.format(">"))[0][0] >= 3


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_seed_of_a_later_day_replaces_the_earlier_one(tmp_path, url) -> None:
    """Seeding as of a later day moves every generated series on, in the same database."""
    copy_database(_path(url), tmp_path / "data.db")
    copy = f"sqlite+aiosqlite:///{tmp_path}/data.db"
    assert (await seed(copy, as_of=AS_OF + timedelta(days=4))).loaded is True
    assert _query(copy, "SELECT MAX(date) FROM kr_equity_prices") == [("2026-06-16",)]
    assert _query(copy, "SELECT COUNT(*) FROM kr_equity_prices") == [(5_600,)]
