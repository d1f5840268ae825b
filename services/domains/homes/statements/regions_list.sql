-- id: regions_list.v1
-- table: regions
-- Every district that is covered.
-- param: row_limit integer
SELECT region_code, province_code, province_en, name_en FROM regions
ORDER BY region_code
LIMIT :row_limit
