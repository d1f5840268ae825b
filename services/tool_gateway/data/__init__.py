"""The data behind the tools: schema, migrations, the sample data set and the read-only engine."""
