-- id: law_ids.v1
-- table: law_articles
-- Ids of one topic.
-- param: topic text
-- param: row_limit integer
SELECT article_id FROM law_articles
WHERE topic = :topic
ORDER BY article_id
LIMIT :row_limit
