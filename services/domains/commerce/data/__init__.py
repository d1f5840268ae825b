"""The data of `commerce`: tables, migrations, sample."""
