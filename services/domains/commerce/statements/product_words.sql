-- id: product_words.v1
-- table: product_tokens
-- The numbers of the words that some product holds with all their tokens.
-- param: tokens text[24]
-- param: word_numbers integer[24]
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
)
SELECT DISTINCT word FROM hits
ORDER BY word
LIMIT :row_limit
