-- id: trip_list.v1
-- table: travel_bookings
-- param: tenant text
-- param: user_id text
-- param: kind text
-- param: row_limit integer
SELECT b.*, d.source AS dataset_source, d.sample AS dataset_sample
FROM travel_bookings AS b
JOIN datasets AS d ON d.dataset_id = b.dataset_id
WHERE b.tenant = :tenant AND b.user_id = :user_id AND (:kind = 'any' OR b.kind = :kind)
ORDER BY b.as_of DESC, b.booking_id
LIMIT :row_limit
