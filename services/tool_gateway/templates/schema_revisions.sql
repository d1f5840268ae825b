-- id: schema_revisions.v1
-- table: alembic_version
-- The schema that was loaded into: the newest revision of each branch.
-- param: row_limit integer
SELECT v.version_num
FROM alembic_version AS v
ORDER BY v.version_num
LIMIT :row_limit
