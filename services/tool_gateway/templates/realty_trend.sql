-- id: realty_trend.v1
-- table: realty_monthly_summary
-- Monthly deals of one district, or of all districts of a province together, each weighted by its deals; newest first.
-- Means are divided as whole numbers and rounded half up, which every database does alike.
-- param: region_code text
-- param: property_type text
-- param: deal_type text
-- param: date_from date
-- param: date_to date
-- param: row_limit integer
SELECT
    CAST(:region_code AS VARCHAR(5)) AS region_code,
    MAX(r.province_ko) AS province_ko, MAX(r.province_en) AS province_en,
    CASE WHEN COUNT(DISTINCT r.region_code) = 1 THEN MAX(r.name_ko) ELSE MAX(r.province_ko) END AS region_ko,
    CASE WHEN COUNT(DISTINCT r.region_code) = 1 THEN MAX(r.name_en) ELSE MAX(r.province_en) END AS region_en,
    m.property_type, m.deal_type, m.month,
    CAST(SUM(m.deal_count) AS INTEGER) AS deal_count,
    (CAST(SUM(m.mean_price_krw * m.deal_count) AS BIGINT) + CAST(SUM(m.deal_count) AS BIGINT) / 2)
        / CAST(SUM(m.deal_count) AS BIGINT) AS mean_price_krw,
    (CAST(SUM(m.mean_price_krw_per_m2 * m.deal_count) AS BIGINT) + CAST(SUM(m.deal_count) AS BIGINT) / 2)
        / CAST(SUM(m.deal_count) AS BIGINT) AS mean_price_krw_per_m2,
    (CAST(SUM(m.mean_monthly_rent_krw * m.deal_count) AS BIGINT) + CAST(SUM(m.deal_count) AS BIGINT) / 2)
        / CAST(SUM(m.deal_count) AS BIGINT) AS mean_monthly_rent_krw,
    MAX(m.as_of) AS as_of, m.dataset_id, MAX(d.source) AS dataset_source,
    CASE WHEN MAX(CASE WHEN d.sample THEN 1 ELSE 0 END) = 1 THEN TRUE ELSE FALSE END AS dataset_sample
FROM realty_monthly_summary AS m
JOIN regions AS r ON r.region_code = m.region_code
JOIN datasets AS d ON d.dataset_id = m.dataset_id
WHERE (m.region_code = :region_code OR r.province_code = :region_code)
AND (:property_type = '' OR m.property_type = :property_type)
AND (:deal_type = '' OR m.deal_type = :deal_type)
AND m.month >= :date_from
AND m.month <= :date_to
GROUP BY m.property_type, m.deal_type, m.month, m.dataset_id
ORDER BY m.month DESC, m.property_type, m.deal_type
LIMIT :row_limit
