-- id: seller_sales_by_day.v1
-- table: sales_facts
-- Sales of one seller's shop, one row a day; an empty product means all of them.
-- param: tenant text
-- param: user_id text
-- param: product_id text
-- param: date_from date
-- param: date_to date
-- param: row_limit integer
SELECT
    s.date AS day, NULL AS product_id, NULL AS name_ko, NULL AS name_en,
    SUM(s.units) AS units, SUM(s.orders) AS orders, SUM(s.cancelled_orders) AS cancelled_orders,
    SUM(s.returned_orders) AS returned_orders, SUM(s.visitors) AS visitors,
    SUM(s.revenue_krw) AS revenue_krw, SUM(s.cost_krw) AS cost_krw,
    MAX(s.as_of) AS as_of, s.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM sales_facts AS s
JOIN sellers AS w ON w.seller_id = s.seller_id
JOIN datasets AS d ON d.dataset_id = s.dataset_id
WHERE w.tenant = :tenant AND w.user_id = :user_id
AND (:product_id = '' OR s.product_id = :product_id)
AND s.date >= :date_from AND s.date <= :date_to
GROUP BY s.date, s.dataset_id, d.source, d.sample
ORDER BY s.date
LIMIT :row_limit
