-- id: train_search.v1
-- table: travel_trains
-- param: origin text
-- param: destination text
-- param: row_limit integer
SELECT t.*, d.source AS dataset_source, d.sample AS dataset_sample
FROM travel_trains AS t
JOIN datasets AS d ON d.dataset_id = t.dataset_id
WHERE t.origin = :origin AND t.destination = :destination
ORDER BY t.departs, t.train_id
LIMIT :row_limit
