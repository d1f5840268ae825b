-- id: realty_trend.v1
-- table: realty_monthly_summary
-- Monthly deals of one district, or of all districts of a province together, each weighted by its deals; newest first.
-- A mean is rounded half up by whole numbers, (2s + n - (2s + n) % 2n) / 2n, which every database does alike.
-- param: region_code text
-- param: property_type text
-- param: deal_type text
-- param: date_from date
-- param: date_to date
-- param: row_limit integer
WITH sums AS (
    SELECT
        m.property_type, m.deal_type, m.month, m.dataset_id,
        MAX(r.province_ko) AS province_ko, MAX(r.province_en) AS province_en,
        CASE WHEN COUNT(DISTINCT r.region_code) = 1 THEN MAX(r.name_ko) ELSE MAX(r.province_ko) END AS region_ko,
        CASE WHEN COUNT(DISTINCT r.region_code) = 1 THEN MAX(r.name_en) ELSE MAX(r.province_en) END AS region_en,
        SUM(m.deal_count) AS deals, 2 * SUM(m.deal_count) AS divisor,
        2 * SUM(m.mean_price_krw * m.deal_count) + SUM(m.deal_count) AS prices,
        2 * SUM(m.mean_price_krw_per_m2 * m.deal_count) + SUM(m.deal_count) AS prices_per_m2,
        2 * SUM(m.mean_monthly_rent_krw * m.deal_count) + SUM(m.deal_count) AS rents,
        MAX(m.as_of) AS as_of
    FROM realty_monthly_summary AS m
    JOIN regions AS r ON r.region_code = m.region_code
    WHERE (m.region_code = :region_code OR r.province_code = :region_code)
    AND (:property_type = '' OR m.property_type = :property_type)
    AND (:deal_type = '' OR m.deal_type = :deal_type)
    AND m.month >= :date_from
    AND m.month <= :date_to
    GROUP BY m.property_type, m.deal_type, m.month, m.dataset_id
)
SELECT
    :region_code AS region_code, s.province_ko, s.province_en, s.region_ko, s.region_en,
    s.property_type, s.deal_type, s.month, s.deals AS deal_count,
    (s.prices - s.prices % s.divisor) / s.divisor AS mean_price_krw,
    (s.prices_per_m2 - s.prices_per_m2 % s.divisor) / s.divisor AS mean_price_krw_per_m2,
    (s.rents - s.rents % s.divisor) / s.divisor AS mean_monthly_rent_krw,
    s.as_of, s.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM sums AS s
JOIN datasets AS d ON d.dataset_id = s.dataset_id
ORDER BY s.month DESC, s.property_type, s.deal_type
LIMIT :row_limit
