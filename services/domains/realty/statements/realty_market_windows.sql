-- id: realty_market_windows.v1
-- table: realty_transactions
-- The deals of one district, or of all districts of a province, in the twelve months that end with the newest complete
-- one and in the twelve before: one row a kind of home, kind of deal and window; window 0 is the newer.
-- param: region_code text
-- param: property_type text
-- param: deal_type text
-- param: newer_from date
-- param: older_from date
-- param: date_before date
-- param: row_limit integer
WITH windowed AS (
    SELECT
        t.property_type, t.deal_type, CASE WHEN t.contract_date >= :newer_from THEN 0 ELSE 1 END AS older,
        t.price_krw, t.monthly_rent_krw, t.area_m2, t.price_krw / t.area_m2 AS price_krw_per_m2, t.as_of, t.dataset_id
    FROM realty_transactions AS t
    JOIN regions AS r ON r.region_code = t.region_code
    WHERE (t.region_code = :region_code OR r.province_code = :region_code)
    AND (:property_type = '' OR t.property_type = :property_type)
    AND (:deal_type = '' OR t.deal_type = :deal_type)
    AND t.contract_date >= :older_from
    AND t.contract_date < :date_before
)
SELECT
    w.property_type, w.deal_type, w.older, COUNT(*) AS deal_count,
    SUM(w.price_krw) AS price_krw, SUM(w.area_m2) AS area_m2, SUM(w.monthly_rent_krw) AS monthly_rent_krw,
    MIN(w.price_krw_per_m2) AS price_low_krw_per_m2, MAX(w.price_krw_per_m2) AS price_high_krw_per_m2,
    MAX(w.as_of) AS as_of, w.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM windowed AS w
JOIN datasets AS d ON d.dataset_id = w.dataset_id
GROUP BY w.property_type, w.deal_type, w.older, w.dataset_id, d.source, d.sample
ORDER BY w.property_type, w.deal_type, w.older
LIMIT :row_limit
