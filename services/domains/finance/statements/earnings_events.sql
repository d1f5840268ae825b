-- id: earnings_events.v1
-- table: earnings_events
-- The newest earnings announcements of one security up to a day, newest first.
-- param: security_id text
-- param: date_to date
-- param: row_limit integer
SELECT
    e.security_id, s.ticker, s.name_ko, s.name_en,
    e.event_date, e.fiscal_period, e.eps_actual, e.eps_estimate, e.surprise_percent, e.currency,
    e.as_of, e.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM earnings_events AS e
JOIN securities AS s ON s.security_id = e.security_id
JOIN datasets AS d ON d.dataset_id = e.dataset_id
WHERE e.security_id = :security_id
AND e.event_date <= :date_to
ORDER BY e.event_date DESC
LIMIT :row_limit
