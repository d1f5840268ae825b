-- id: macro_series_list.v1
-- table: macro_series
-- The ids of every series that is covered.
-- param: row_limit integer
SELECT series_id FROM macro_series
ORDER BY series_id
LIMIT :row_limit
