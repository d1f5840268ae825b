-- id: realty_newest_month.v1
-- table: realty_monthly_summary
-- The first day of the newest month whose deals are complete; null where there is none.
-- param: row_limit integer
SELECT MAX(month) AS month FROM realty_monthly_summary
LIMIT :row_limit
