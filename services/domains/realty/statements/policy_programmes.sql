-- id: policy_programmes.v1
-- table: policy_programmes
-- Programmes that are valid on a day; an empty purpose means every one.
-- param: purpose text
-- param: on_date date
-- param: row_limit integer
SELECT
    g.programme_id, g.name_ko, g.name_en, g.purpose, g.age_min, g.age_max, g.income_max_krw, g.assets_max_krw,
    g.home_price_max_krw, g.homeless_only, g.first_home_only, g.newlywed_only, g.children_min, g.limit_krw,
    g.rate_percent, g.valid_from, g.valid_until,
    g.as_of, g.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM policy_programmes AS g
JOIN datasets AS d ON d.dataset_id = g.dataset_id
WHERE (:purpose = '' OR g.purpose = :purpose)
AND g.valid_from <= :on_date AND g.valid_until >= :on_date
ORDER BY g.purpose, g.programme_id
LIMIT :row_limit
