"""The data of `homes`: tables, migrations, sample."""
