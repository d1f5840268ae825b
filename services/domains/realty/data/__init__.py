"""The data of `realty`: tables, migrations, sample."""
