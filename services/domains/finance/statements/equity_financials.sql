-- id: equity_financials.v1
-- table: equity_financials
-- Every item of the newest fiscal periods of one security, newest period first.
-- param: security_id text
-- param: periods integer
-- param: row_limit integer
WITH ranked AS (
    SELECT
        f.security_id, f.period_end, f.item, f.fiscal_period, f.value, f.unit, f.as_of, f.dataset_id,
        DENSE_RANK() OVER (ORDER BY f.period_end DESC) AS newness
    FROM equity_financials AS f
    WHERE f.security_id = :security_id
)
SELECT
    r.security_id, s.ticker, s.name_ko, s.name_en,
    r.fiscal_period, r.period_end, r.item, r.value, r.unit,
    r.as_of, r.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM ranked AS r
JOIN securities AS s ON s.security_id = r.security_id
JOIN datasets AS d ON d.dataset_id = r.dataset_id
WHERE r.newness <= :periods
ORDER BY r.period_end DESC, r.item
LIMIT :row_limit
