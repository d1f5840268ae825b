-- id: law_articles.v1
-- table: law_articles
-- Articles of law by id.
-- param: ids text[20]
-- param: row_limit integer
SELECT
    t.article_id, t.statute_ko, t.statute_en, t.article, t.title_ko, t.title_en,
    t.summary_ko, t.summary_en, t.topic, t.is_tenant_protection, t.is_tax,
    t.as_of, t.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM law_articles AS t
JOIN datasets AS d ON d.dataset_id = t.dataset_id
WHERE t.article_id IN (
    :ids_1, :ids_2, :ids_3, :ids_4, :ids_5, :ids_6, :ids_7, :ids_8,
    :ids_9, :ids_10, :ids_11, :ids_12, :ids_13, :ids_14, :ids_15, :ids_16,
    :ids_17, :ids_18, :ids_19, :ids_20
)
ORDER BY t.article_id
LIMIT :row_limit
