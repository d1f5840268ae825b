// id: graph_events.v1
// table: CAUSES
// Events that led to events which affect the named nodes, with the evidence of both steps.
// param: ids text[16]
// param: row_limit integer
MATCH (a:Event)-[r:CAUSES]->(b:Event)-[s:AFFECTS]->(c:EconomicIndicator|Company|RealEstateRegion),
  (e:Evidence), (f:Evidence)
WHERE c.id IN $ids AND e.id = r.evidence_id AND f.id = s.evidence_id
RETURN
  a.id AS id_1, a.name_ko AS name_ko_1, a.name_en AS name_en_1,
  r.weight AS weight_1, r.evidence_id AS evidence_id_1, e.text_ko AS evidence_ko_1, e.text_en AS evidence_en_1,
  b.id AS id_2, b.name_ko AS name_ko_2, b.name_en AS name_en_2,
  s.polarity AS polarity_2, s.weight AS weight_2, s.evidence_id AS evidence_id_2,
  f.text_ko AS evidence_ko_2, f.text_en AS evidence_en_2,
  c.id AS id_3, c.name_ko AS name_ko_3, c.name_en AS name_en_3,
  r.dataset_id AS dataset_id, r.dataset_source AS dataset_source, r.dataset_sample AS dataset_sample, r.as_of AS as_of
ORDER BY weight_1 * weight_2 DESC, id_1, id_2, id_3
LIMIT $row_limit
