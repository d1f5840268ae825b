"""Fixtures of the effect tests: the sample shop on each database."""

from tests.support.databases import (  # noqa: F401 - fixtures are found by their names here
    filled_file,
    mariadb,
    mariadb_url,
    postgres,
    postgres_url,
    shop,
    shop_url,
    sqlite_shop,
    sqlite_url,
)
