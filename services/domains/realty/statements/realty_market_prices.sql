-- id: realty_market_prices.v1
-- table: realty_market_prices
-- Prices of homes in one district, or in all districts of a province; an empty type or deal means every one.
-- param: region_code text
-- param: property_type text
-- param: deal_type text
-- param: row_limit integer
SELECT
    p.region_code, r.province_ko, r.province_en, r.name_ko AS region_ko, r.name_en AS region_en,
    p.dong, p.complex_name, p.property_type, p.deal_type, p.area_m2,
    p.price_low_krw, p.price_mean_krw, p.price_high_krw,
    p.deposit_low_krw, p.deposit_mean_krw, p.deposit_high_krw,
    p.monthly_rent_low_krw, p.monthly_rent_mean_krw, p.monthly_rent_high_krw,
    p.deal_count,
    p.as_of, p.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM realty_market_prices AS p
JOIN regions AS r ON r.region_code = p.region_code
JOIN datasets AS d ON d.dataset_id = p.dataset_id
WHERE (p.region_code = :region_code OR r.province_code = :region_code)
AND (:property_type = '' OR p.property_type = :property_type)
AND (:deal_type = '' OR p.deal_type = :deal_type)
ORDER BY p.deal_count DESC, p.region_code, p.dong, p.complex_name, p.property_type, p.deal_type, p.area_m2
LIMIT :row_limit
