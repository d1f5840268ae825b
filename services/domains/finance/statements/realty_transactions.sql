-- id: realty_transactions.v1
-- table: realty_transactions
-- Deals of homes in one district, or in all districts of a province, newest first; a price is the sale price or deposit.
-- param: region_code text
-- param: property_type text
-- param: deal_type text
-- param: price_min_krw integer
-- param: price_max_krw integer
-- param: date_from date
-- param: date_to date
-- param: row_limit integer
SELECT
    t.region_code, r.province_ko, r.province_en, r.name_ko AS region_ko, r.name_en AS region_en,
    t.contract_date, t.dong, t.complex_name, t.property_type, t.deal_type, t.area_m2, t.floor,
    t.price_krw, t.monthly_rent_krw,
    t.as_of, t.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM realty_transactions AS t
JOIN regions AS r ON r.region_code = t.region_code
JOIN datasets AS d ON d.dataset_id = t.dataset_id
WHERE (t.region_code = :region_code OR r.province_code = :region_code)
AND (:property_type = '' OR t.property_type = :property_type)
AND (:deal_type = '' OR t.deal_type = :deal_type)
AND t.price_krw >= :price_min_krw
AND t.price_krw <= :price_max_krw
AND t.contract_date >= :date_from
AND t.contract_date <= :date_to
ORDER BY t.contract_date DESC, t.region_code, t.number
LIMIT :row_limit
