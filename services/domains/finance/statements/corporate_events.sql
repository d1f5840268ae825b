-- id: corporate_events.v1
-- table: corporate_events
-- Events of one security between two days, newest first.
-- param: security_id text
-- param: date_from date
-- param: date_to date
-- param: row_limit integer
SELECT
    e.event_id, e.security_id, s.ticker, s.name_ko, s.name_en,
    e.event_date, e.kind, e.title_ko, e.title_en,
    e.as_of, e.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM corporate_events AS e
JOIN securities AS s ON s.security_id = e.security_id
JOIN datasets AS d ON d.dataset_id = e.dataset_id
WHERE e.security_id = :security_id
AND e.event_date >= :date_from
AND e.event_date <= :date_to
ORDER BY e.event_date DESC, e.event_id
LIMIT :row_limit
