-- id: product_search.v1
-- table: products
-- Products in which every known word of a question stands, in stock and well rated first. A word is known where some
-- product holds all its tokens; unknown words do not narrow the result. Without any known word nothing matches,
-- unless the question has no word at all. The plus before a price keeps SQLite from starting at the price index.
-- param: tokens text[24]
-- param: word_numbers integer[24]
-- param: word_count integer
-- param: category text
-- param: brand text
-- param: price_min_krw integer
-- param: price_max_krw integer
-- param: row_limit integer
WITH asked AS (
    SELECT :tokens_1 AS token, :word_numbers_1 AS word
    UNION SELECT :tokens_2, :word_numbers_2
    UNION SELECT :tokens_3, :word_numbers_3
    UNION SELECT :tokens_4, :word_numbers_4
    UNION SELECT :tokens_5, :word_numbers_5
    UNION SELECT :tokens_6, :word_numbers_6
    UNION SELECT :tokens_7, :word_numbers_7
    UNION SELECT :tokens_8, :word_numbers_8
    UNION SELECT :tokens_9, :word_numbers_9
    UNION SELECT :tokens_10, :word_numbers_10
    UNION SELECT :tokens_11, :word_numbers_11
    UNION SELECT :tokens_12, :word_numbers_12
    UNION SELECT :tokens_13, :word_numbers_13
    UNION SELECT :tokens_14, :word_numbers_14
    UNION SELECT :tokens_15, :word_numbers_15
    UNION SELECT :tokens_16, :word_numbers_16
    UNION SELECT :tokens_17, :word_numbers_17
    UNION SELECT :tokens_18, :word_numbers_18
    UNION SELECT :tokens_19, :word_numbers_19
    UNION SELECT :tokens_20, :word_numbers_20
    UNION SELECT :tokens_21, :word_numbers_21
    UNION SELECT :tokens_22, :word_numbers_22
    UNION SELECT :tokens_23, :word_numbers_23
    UNION SELECT :tokens_24, :word_numbers_24
),
words AS (
    SELECT word, COUNT(*) AS tokens FROM asked WHERE word > 0 GROUP BY word
),
hits AS (
    SELECT a.word, t.product_id
    FROM asked AS a
    JOIN product_tokens AS t ON t.token = a.token
    JOIN words AS w ON w.word = a.word
    GROUP BY a.word, t.product_id, w.tokens
    HAVING COUNT(*) = w.tokens
),
matches AS (
    SELECT product_id FROM hits
    GROUP BY product_id
    HAVING COUNT(*) = (SELECT COUNT(DISTINCT word) FROM hits)
    UNION ALL
    SELECT product_id FROM products WHERE :word_count = 0
)
SELECT
    p.product_id, p.name_ko, p.name_en, p.brand_ko, p.brand_en, p.category, p.attributes,
    o.offer_id, o.list_price_krw, o.discount_percent, o.price_krw, o.rating, o.review_count, o.stock,
    o.as_of, o.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM matches AS m
JOIN products AS p ON p.product_id = m.product_id
JOIN offers AS o ON o.product_id = m.product_id
JOIN datasets AS d ON d.dataset_id = o.dataset_id
WHERE (:category = '' OR p.category = :category)
AND (:brand = '' OR LOWER(p.brand_en) = :brand OR LOWER(p.brand_ko) = :brand)
AND +o.price_krw >= :price_min_krw
AND +o.price_krw <= :price_max_krw
ORDER BY CASE WHEN o.stock > 0 THEN 0 ELSE 1 END, o.rating DESC, o.review_count DESC, p.product_id
LIMIT :row_limit
