-- id: seller_listings.v1
-- table: listings
-- What one seller offers, with price, cost and stock; an empty product means all.
-- param: tenant text
-- param: user_id text
-- param: product_id text
-- param: row_limit integer
SELECT
    l.listing_id, l.product_id, p.name_ko, p.name_en, p.category, l.status, f.list_price_krw, f.discount_percent,
    f.price_krw, l.unit_cost_krw, f.stock, f.rating, f.review_count, l.created_at,
    l.as_of, l.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM listings AS l
JOIN sellers AS w ON w.seller_id = l.seller_id
JOIN products AS p ON p.product_id = l.product_id
JOIN offers AS f ON f.product_id = l.product_id
JOIN datasets AS d ON d.dataset_id = l.dataset_id
WHERE w.tenant = :tenant AND w.user_id = :user_id
AND (:product_id = '' OR l.product_id = :product_id)
ORDER BY l.created_at DESC, l.listing_id
LIMIT :row_limit
