"""The data of `general`: tables, migrations, sample."""
