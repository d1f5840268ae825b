"""The data of `finance`: tables, migrations, sample."""
