-- id: equity_prices_kr.v1
-- table: kr_equity_prices
-- The newest daily bars of one security of the KR market, newest first.
-- param: security_id text
-- param: bars integer
-- param: row_limit integer
WITH newest AS (
    SELECT
        p.security_id, p.date, p.open, p.high, p.low, p.close, p.volume, p.currency, p.as_of, p.dataset_id,
        ROW_NUMBER() OVER (ORDER BY p.date DESC) AS newness
    FROM kr_equity_prices AS p
    WHERE p.security_id = :security_id
)
SELECT
    n.security_id, s.ticker, s.name_ko, s.name_en,
    n.date, n.open, n.high, n.low, n.close, n.volume, n.currency,
    n.as_of, n.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM newest AS n
JOIN securities AS s ON s.security_id = n.security_id
JOIN datasets AS d ON d.dataset_id = n.dataset_id
WHERE n.newness <= :bars
ORDER BY n.date DESC
LIMIT :row_limit
