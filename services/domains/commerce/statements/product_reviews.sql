-- id: product_reviews.v1
-- table: reviews
-- Reviews of one product, the newest first; who wrote them is named by nickname only.
-- param: product_id text
-- param: row_limit integer
SELECT
    r.review_id, r.product_id, p.name_ko, p.name_en, u.nickname, r.rating, r.body, r.as_of AS written_at,
    r.as_of, r.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM reviews AS r
JOIN products AS p ON p.product_id = r.product_id
JOIN shop_users AS u ON u.tenant = r.tenant AND u.user_id = r.user_id
JOIN datasets AS d ON d.dataset_id = r.dataset_id
WHERE r.product_id = :product_id
ORDER BY r.as_of DESC, r.review_id
LIMIT :row_limit
