// id: graph_correlates.v1
// table: CORRELATES
// Indicators that move with the named ones, most closely first.
// param: ids text[16]
// param: row_limit integer
MATCH (a:EconomicIndicator)-[r:CORRELATES]->(b:EconomicIndicator)
WHERE a.id IN $ids OR b.id IN $ids
RETURN
  a.id AS id_1, a.name_ko AS name_ko_1, a.name_en AS name_en_1, r.coefficient AS coefficient, r.months AS months,
  b.id AS id_2, b.name_ko AS name_ko_2, b.name_en AS name_en_2,
  r.dataset_id AS dataset_id, r.dataset_source AS dataset_source, r.dataset_sample AS dataset_sample, r.as_of AS as_of
ORDER BY abs(coefficient) DESC, id_1, id_2
LIMIT $row_limit
