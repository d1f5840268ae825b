"""One domain is seeded with what it requires; a domain of another wheel brings its tables and revisions."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.messages import SeedReport
from tests.support.shop import reading

pytestmark = pytest.mark.long

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 25, 12, tzinfo=UTC)
TABLES = """
from sqlalchemy import Column, Integer, String, Table
from services.plugin.data.tables import METADATA, dataset_column
HOTELS = Table("hotels", METADATA, Column("hotel_id", String(8), primary_key=True), {columns} dataset_column())
"""
REVISION = """
import sqlalchemy as sa
from alembic import op
revision, down_revision, branch_labels, depends_on = "travel_{number}", {before!r}, {labels!r}, None
def upgrade():
    {work}
"""
BRING_UP = """
import sys
from services.tool_gateway.data.migrate import upgrade
from services.tool_gateway.data.seed.connection import seeding_engine
with seeding_engine(sys.argv[1]).begin() as connection:
    print("anew" if upgrade(connection) else "kept")
"""


async def _seeded(url: str, domain: str, as_of: datetime = NOON) -> SeedReport:
    return await seed(url, domain=domain, as_of=as_of)


def _count(url: str, table: str) -> int:
    with reading(url) as connection:
        return int(connection.exec_driver_sql(f"SELECT COUNT(*) FROM {table}").scalar() or 0)  # noqa: S608 - a name


@pytest.mark.asyncio
async def test_a_domain_is_seeded_with_what_it_requires(tmp_path: Path) -> None:
    """The asked domain and its ground hold rows, the others none; asked again, nothing is loaded."""
    url = f"sqlite:///{tmp_path}/data.db"
    report = await _seeded(url, "realty")
    assert set(report.domains) == {"realty", "homes"}
    assert _count(url, "realty_listings") > 0
    assert _count(url, "regions") > 0
    assert _count(url, "products") == 0
    assert (await _seeded(url, "realty")).loaded is False


@pytest.mark.asyncio
async def test_what_stands_on_a_domain_is_loaded_anew_with_it(tmp_path: Path) -> None:
    """A later day of the ground takes those with it that build on it; an independent domain keeps its day."""
    url = f"sqlite:///{tmp_path}/data.db"
    await _seeded(url, "general")
    terms = _count(url, "glossary_terms")
    await _seeded(url, "realty")
    report = await _seeded(url, "homes", LATER)
    assert report.domains == {"general": NOON, "homes": LATER, "realty": LATER}
    assert report.as_of == NOON
    assert 0 < terms == _count(url, "glossary_terms")
    assert _count(url, "datasets") == len(report.datasets) == 7
    assert _count(url, "search_collections") == 2


@pytest.mark.asyncio
async def test_a_domain_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The text names those that are installed; no database is made."""
    with pytest.raises(ValueError, match=r"no domain is named 'elsewhere'; installed are commerce, finance"):
        await seed(f"sqlite:///{tmp_path}/data.db", domain="elsewhere")
    assert not (tmp_path / "data.db").exists()


def _wheel(folder: Path, columns: str = "") -> Path:
    """Write a domain of another distribution with one table, as an installed wheel lies there."""
    data = folder / "travel" / "data"
    data.mkdir(parents=True, exist_ok=True)
    (folder / "travel" / "__init__.py").touch()
    (data / "__init__.py").touch()
    (folder / "travel" / "domain.yaml").write_text("domain: travel\ntitle: {ko: 여행, en: travel}\n")
    (data / "tables.py").write_text(TABLES.format(columns=columns))
    info = folder / "travel-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: travel\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hapju.domains]\ntravel = travel\n")
    return data / "migrations" / "versions"


def _revision(versions: Path, number: str, before: str | None, work: str) -> None:
    versions.mkdir(parents=True, exist_ok=True)
    labels = None if before else ("travel",)
    text = REVISION.format(number=number, before=before, labels=labels, work=work)
    (versions / f"r{number}_step.py").write_text(text)


def _brought_up(folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}{os.pathsep}{folder}"}
    command = [sys.executable, "-c", BRING_UP, f"sqlite:///{folder}/data.db"]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_domain_of_another_wheel_brings_its_tables(tmp_path: Path) -> None:
    """Without revisions its tables are made from their definitions, and nothing that is there is touched."""
    _wheel(tmp_path)
    assert _brought_up(tmp_path) == "kept"
    url = f"sqlite:///{tmp_path}/data.db"
    assert _count(url, "hotels") == 0
    assert _brought_up(tmp_path) == "kept"


def test_a_domain_of_another_wheel_brings_its_revisions(tmp_path: Path) -> None:
    """A new database gets the newest tables at once; one of an earlier revision gets the steps that it lacks."""
    versions = _wheel(tmp_path)
    _revision(versions, "0001", None, "pass")
    assert _brought_up(tmp_path) == "kept"
    _wheel(tmp_path, 'Column("stars", Integer, nullable=True),')
    _revision(
        versions, "0002", "travel_0001", 'op.add_column("hotels", sa.Column("stars", sa.Integer(), nullable=True))'
    )
    assert _brought_up(tmp_path) == "kept"
    with reading(f"sqlite:///{tmp_path}/data.db") as connection:
        recorded = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
        assert "travel_0002" in recorded
        assert "travel_0001" not in recorded
        connection.exec_driver_sql("SELECT stars FROM hotels")
