// id: graph_origin.v1
// table: Evidence
// Where the graph comes from and the newest moment that it speaks of.
// param: row_limit integer
MATCH (n:Evidence)
RETURN n.dataset_id AS dataset_id, n.dataset_source AS dataset_source, n.dataset_sample AS dataset_sample, max(n.as_of) AS as_of
ORDER BY dataset_id
LIMIT $row_limit
