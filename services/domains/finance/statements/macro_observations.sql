-- id: macro_observations.v1
-- table: macro_observations
-- The newest observations of up to eight series between two dates, newest first.
-- param: series_ids text[8]
-- param: date_from date
-- param: date_to date
-- param: per_series integer
-- param: row_limit integer
WITH numbered AS (
    SELECT
        o.series_id, o.date, o.value, o.as_of, o.next_release_date, o.dataset_id,
        ROW_NUMBER() OVER (PARTITION BY o.series_id ORDER BY o.date DESC) AS newness
    FROM macro_observations AS o
    WHERE o.series_id IN (
        :series_ids_1, :series_ids_2, :series_ids_3, :series_ids_4,
        :series_ids_5, :series_ids_6, :series_ids_7, :series_ids_8
    )
    AND o.date >= :date_from
    AND o.date <= :date_to
)
SELECT
    n.series_id, s.country, s.title_ko, s.title_en, s.unit, s.frequency,
    n.date, n.value, n.next_release_date,
    n.as_of, n.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM numbered AS n
JOIN macro_series AS s ON s.series_id = n.series_id
JOIN datasets AS d ON d.dataset_id = n.dataset_id
WHERE n.newness <= :per_series
ORDER BY n.date DESC, n.series_id
LIMIT :row_limit
