-- id: seed_state.v1
-- table: seed_state
-- What was loaded.
-- param: row_limit integer
SELECT s.generator_version, s.as_of, s.completed_at, s.report
FROM seed_state AS s
LIMIT :row_limit
