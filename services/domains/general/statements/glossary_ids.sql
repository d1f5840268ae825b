-- id: glossary_ids.v1
-- table: glossary_terms
-- Ids of one domain.
-- param: domain text
-- param: row_limit integer
SELECT term_id FROM glossary_terms
WHERE domain = :domain
ORDER BY term_id
LIMIT :row_limit
