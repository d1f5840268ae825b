-- id: glossary_terms.v1
-- table: glossary_terms
-- Terms by id.
-- param: ids text[20]
-- param: row_limit integer
SELECT
    t.term_id, t.domain, t.term_ko, t.term_en, t.definition_ko, t.definition_en,
    t.as_of, t.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM glossary_terms AS t
JOIN datasets AS d ON d.dataset_id = t.dataset_id
WHERE t.term_id IN (
    :ids_1, :ids_2, :ids_3, :ids_4, :ids_5, :ids_6, :ids_7, :ids_8,
    :ids_9, :ids_10, :ids_11, :ids_12, :ids_13, :ids_14, :ids_15, :ids_16,
    :ids_17, :ids_18, :ids_19, :ids_20
)
ORDER BY t.term_id
LIMIT :row_limit
