-- id: law_articles_numbered.v1
-- table: law_articles
-- Articles of law by their numbers, of some statutes.
-- param: statutes text[5]
-- param: articles text[20]
-- param: row_limit integer
SELECT
    t.statute_ko, t.statute_en, t.article, t.summary_ko, t.summary_en,
    t.as_of, t.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM law_articles AS t
JOIN datasets AS d ON d.dataset_id = t.dataset_id
WHERE t.statute_ko IN (:statutes_1, :statutes_2, :statutes_3, :statutes_4, :statutes_5)
    AND t.article IN (
        :articles_1, :articles_2, :articles_3, :articles_4, :articles_5,
        :articles_6, :articles_7, :articles_8, :articles_9, :articles_10,
        :articles_11, :articles_12, :articles_13, :articles_14, :articles_15,
        :articles_16, :articles_17, :articles_18, :articles_19, :articles_20
    )
ORDER BY t.statute_ko, t.article
LIMIT :row_limit
