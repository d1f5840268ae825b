-- id: macro_brief.v1
-- table: macro_brief_lines
-- The newest US brief at or before a day, in the order of its lines.
-- param: date_to date
-- param: row_limit integer
SELECT
    b.brief_date, b.position, b.series_id, s.title_ko, s.title_en, s.unit, s.frequency,
    b.observation_date, b.value, b.previous_value, b.text_ko, b.text_en,
    b.as_of, b.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM macro_brief_lines AS b
JOIN macro_series AS s ON s.series_id = b.series_id
JOIN datasets AS d ON d.dataset_id = b.dataset_id
WHERE b.brief_date = (SELECT MAX(n.brief_date) FROM macro_brief_lines AS n WHERE n.brief_date <= :date_to)
ORDER BY b.position
LIMIT :row_limit
