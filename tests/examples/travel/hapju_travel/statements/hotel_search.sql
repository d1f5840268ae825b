-- id: hotel_search.v1
-- table: travel_hotels
-- param: city text
-- param: price_max integer
-- param: row_limit integer
SELECT h.*, d.source AS dataset_source, d.sample AS dataset_sample
FROM travel_hotels AS h
JOIN datasets AS d ON d.dataset_id = h.dataset_id
WHERE h.city = :city AND h.price_krw <= :price_max
ORDER BY h.rating DESC, h.price_krw, h.hotel_id
LIMIT :row_limit
