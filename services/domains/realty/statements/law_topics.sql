-- id: law_topics.v1
-- table: law_articles
-- Every topic that articles are about.
-- param: row_limit integer
SELECT DISTINCT topic FROM law_articles
ORDER BY topic
LIMIT :row_limit
