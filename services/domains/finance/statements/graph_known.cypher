// id: graph_known.v1
// table: EconomicIndicator
// Which of the named nodes the graph holds.
// param: ids text[16]
// param: row_limit integer
MATCH (n:EconomicIndicator|Company|RealEstateRegion|Event|MacroTheme)
WHERE n.id IN $ids
RETURN n.id AS id, n.name_ko AS name_ko, n.name_en AS name_en
ORDER BY id
LIMIT $row_limit
