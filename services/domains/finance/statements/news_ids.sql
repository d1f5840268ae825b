-- id: news_ids.v1
-- table: news_articles
-- Ids of the news on any of the subjects from one day (UTC) to before another, newest first; an empty subject means every one.
-- param: subject_ids text[10]
-- param: date_from date
-- param: date_before date
-- param: country text
-- param: row_limit integer
SELECT n.news_id
FROM news_articles AS n
WHERE n.published_at >= :date_from
AND n.published_at < :date_before
AND (:country = '' OR n.country = :country)
AND (:subject_ids_1 = '' OR EXISTS (
    SELECT 1 FROM news_subjects AS s
    WHERE s.news_id = n.news_id
    AND s.subject_id IN (
    :subject_ids_1, :subject_ids_2, :subject_ids_3, :subject_ids_4, :subject_ids_5, :subject_ids_6, :subject_ids_7, :subject_ids_8,
    :subject_ids_9, :subject_ids_10
    )
))
ORDER BY n.published_at DESC, n.news_id
LIMIT :row_limit
