-- id: seed_state.v1
-- table: seed_state
-- What was loaded, and the schema that it was loaded into.
-- param: row_limit integer
SELECT s.generator_version, s.as_of, s.completed_at, s.report, v.version_num AS schema_revision
FROM seed_state AS s
CROSS JOIN alembic_version AS v
LIMIT :row_limit
