-- id: order_items.v1
-- table: orders
-- Items of the orders of one user, the newest order first; an empty id or state means every one.
-- param: tenant text
-- param: user_id text
-- param: order_id text
-- param: status text
-- param: row_limit integer
SELECT
    o.order_id, o.status, o.ordered_at, o.delivered_at, o.paid_krw, o.refunded_krw, o.shipping_krw,
    o.carrier, o.tracking_number, i.quantity, i.unit_price_krw,
    p.product_id, p.name_ko, p.name_en,
    o.as_of, o.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
JOIN offers AS f ON f.offer_id = i.offer_id
JOIN products AS p ON p.product_id = f.product_id
JOIN datasets AS d ON d.dataset_id = o.dataset_id
WHERE o.tenant = :tenant AND o.user_id = :user_id
AND (:order_id = '' OR o.order_id = :order_id)
AND (:status = '' OR o.status = :status)
ORDER BY o.ordered_at DESC, o.order_id, p.product_id
LIMIT :row_limit
