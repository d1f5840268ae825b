-- id: realty_listings.v1
-- table: realty_listings
-- Homes on offer in one district, or in all districts of a province, newest first; a price is the sale price or deposit.
-- param: region_code text
-- param: property_type text
-- param: deal_type text
-- param: price_min_krw integer
-- param: price_max_krw integer
-- param: row_limit integer
SELECT
    l.listing_id, l.region_code, r.province_ko, r.province_en, r.name_ko AS region_ko, r.name_en AS region_en,
    l.dong, l.complex_name, l.property_type, l.deal_type, l.area_m2, l.floor, l.room_count,
    l.price_krw, l.monthly_rent_krw, l.listed_on,
    l.as_of, l.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM realty_listings AS l
JOIN regions AS r ON r.region_code = l.region_code
JOIN datasets AS d ON d.dataset_id = l.dataset_id
WHERE (l.region_code = :region_code OR r.province_code = :region_code)
AND (:property_type = '' OR l.property_type = :property_type)
AND (:deal_type = '' OR l.deal_type = :deal_type)
AND l.price_krw >= :price_min_krw
AND l.price_krw <= :price_max_krw
ORDER BY l.listed_on DESC, l.listing_id
LIMIT :row_limit
