"""What the columns of a domain's rows are called where a person looks at a source: `columns.yaml`, each name once.

    columns:
      price_krw: {ko: 가격, en: Price, unit: krw}
      deal_type: {ko: 거래, en: Deal, words: {sale: {ko: 매매, en: sale}, jeonse: {ko: 전세, en: jeonse}}}
      name: {ko: 이름, en: Name}            stands for name_ko and name_en
    hidden: [listing_id, region_code]      what only tells rows apart

A name means the same in every tool and data set of the domain; what another domain calls differently is its own.
"""

import functools
from collections.abc import Mapping
from typing import Final

from pydantic import Field

from services.plugin.documents import read_model
from services.plugin.entries import Bilingual, Entry
from services.plugin.installed import InstalledDomain, installed_domains

FILE: Final = "columns.yaml"
"""Where a domain declares its columns."""


class ColumnName(Bilingual):
    """What one column is called."""

    unit: str = ""
    """What its numbers are in: krw, usd, percent, count, days ...; empty where they bear none."""
    words: dict[str, Bilingual] = Field(default_factory=dict)
    """What its codes are called."""


class ColumnFile(Entry):
    """What one columns.yaml says."""

    columns: dict[str, ColumnName] = Field(default_factory=dict)
    """The columns by name; one in both languages by the name without its language."""
    hidden: tuple[str, ...] = ()
    """Columns that no reader is shown."""

    def knows(self, name: str) -> bool:
        """Tell whether a column has a title, or is hidden."""
        return name in self.columns or name in self.hidden


@functools.cache
def columns_of(domain: InstalledDomain) -> ColumnFile:
    """Return what a domain calls its columns; nothing where it has no columns.yaml.

    Raises:
        DocumentError: The file is malformed.
    """
    path = domain.folder.joinpath(FILE)
    return read_model(path, ColumnFile) if path.is_file() else ColumnFile()


@functools.cache
def installed_columns() -> Mapping[str, ColumnFile]:
    """Return what each installed domain calls its columns, by its name."""
    return {domain.name: columns_of(domain) for domain in installed_domains()}
