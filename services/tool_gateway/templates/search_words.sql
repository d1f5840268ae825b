-- id: search_words.v1
-- table: search_postings
-- Documents that hold asked tokens, best first by BM25; `held` is the rarity of the words that each holds.
-- param: collection text
-- param: tokens text[48]
-- param: row_limit integer
SELECT
    p.document_id,
    SUM(p.weight * t.rarity) AS score,
    SUM(CASE WHEN t.token LIKE '~%' THEN 0 ELSE t.rarity END) AS held
FROM search_terms AS t
JOIN search_postings AS p ON p.collection = t.collection AND p.token = t.token
WHERE t.collection = :collection
AND t.token IN (
        :tokens_1, :tokens_2, :tokens_3, :tokens_4, :tokens_5, :tokens_6, :tokens_7, :tokens_8,
        :tokens_9, :tokens_10, :tokens_11, :tokens_12, :tokens_13, :tokens_14, :tokens_15, :tokens_16,
        :tokens_17, :tokens_18, :tokens_19, :tokens_20, :tokens_21, :tokens_22, :tokens_23, :tokens_24,
        :tokens_25, :tokens_26, :tokens_27, :tokens_28, :tokens_29, :tokens_30, :tokens_31, :tokens_32,
        :tokens_33, :tokens_34, :tokens_35, :tokens_36, :tokens_37, :tokens_38, :tokens_39, :tokens_40,
        :tokens_41, :tokens_42, :tokens_43, :tokens_44, :tokens_45, :tokens_46, :tokens_47, :tokens_48
)
GROUP BY p.document_id
ORDER BY score DESC, p.document_id
LIMIT :row_limit
