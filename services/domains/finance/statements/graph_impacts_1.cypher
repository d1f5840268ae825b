// id: graph_impacts_1.v1
// table: AFFECTS
// What the named nodes affect directly, with the evidence for it; strongest first.
// param: ids text[16]
// param: row_limit integer
MATCH (a:EconomicIndicator|Event)-[r:AFFECTS]->(b:EconomicIndicator|Company|RealEstateRegion), (e:Evidence)
WHERE a.id IN $ids AND e.id = r.evidence_id
RETURN
  a.id AS id_1, a.name_ko AS name_ko_1, a.name_en AS name_en_1,
  r.polarity AS polarity_1, r.weight AS weight_1, r.evidence_id AS evidence_id_1,
  e.text_ko AS evidence_ko_1, e.text_en AS evidence_en_1,
  b.id AS id_2, b.name_ko AS name_ko_2, b.name_en AS name_en_2,
  r.dataset_id AS dataset_id, r.dataset_source AS dataset_source, r.dataset_sample AS dataset_sample, r.as_of AS as_of
ORDER BY weight_1 DESC, id_1, id_2
LIMIT $row_limit
