// id: graph_stories.v1
// table: Story
// Stories about the themes that the named nodes belong to, each with a piece of evidence that supports it.
// param: ids text[16]
// param: row_limit integer
MATCH (n:EconomicIndicator|Company)-[:BELONGS_TO]->(t:MacroTheme)<-[:ABOUT_THEME]-(s:Story)<-[:SUPPORTS]-(e:Evidence)
WHERE n.id IN $ids
RETURN DISTINCT
  t.id AS theme_id, t.name_ko AS theme_ko, t.name_en AS theme_en,
  s.id AS story_id, s.name_ko AS title_ko, s.name_en AS title_en, s.text_ko AS text_ko, s.text_en AS text_en,
  e.id AS evidence_id, e.text_ko AS evidence_ko, e.text_en AS evidence_en,
  s.dataset_id AS dataset_id, s.dataset_source AS dataset_source, s.dataset_sample AS dataset_sample, s.as_of AS as_of
ORDER BY theme_id, story_id, evidence_id
LIMIT $row_limit
