-- id: cart_items.v1
-- table: cart_items
-- The cart of one user.
-- param: tenant text
-- param: user_id text
-- param: row_limit integer
SELECT
    p.product_id, p.name_ko, p.name_en, c.quantity, f.list_price_krw, f.price_krw, f.stock, u.cart_coupon_id,
    c.as_of, c.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM cart_items AS c
JOIN offers AS f ON f.offer_id = c.offer_id
JOIN products AS p ON p.product_id = f.product_id
JOIN datasets AS d ON d.dataset_id = c.dataset_id
LEFT JOIN shop_users AS u ON u.tenant = c.tenant AND u.user_id = c.user_id
WHERE c.tenant = :tenant AND c.user_id = :user_id
ORDER BY p.product_id
LIMIT :row_limit
