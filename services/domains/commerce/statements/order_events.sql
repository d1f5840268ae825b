-- id: order_events.v1
-- table: order_events
-- The states that one order of one user went through, oldest first.
-- param: tenant text
-- param: user_id text
-- param: order_id text
-- param: row_limit integer
SELECT
    e.order_id, e.sequence, e.status, e.as_of AS reached_at, o.carrier, o.tracking_number,
    e.as_of, e.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM order_events AS e
JOIN orders AS o ON o.order_id = e.order_id
JOIN datasets AS d ON d.dataset_id = e.dataset_id
WHERE o.tenant = :tenant AND o.user_id = :user_id AND o.order_id = :order_id
ORDER BY e.sequence
LIMIT :row_limit
