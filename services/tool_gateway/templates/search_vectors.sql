-- id: search_vectors.v1
-- table: search_vectors
-- The vectors of a collection.
-- param: collection text
-- param: row_limit integer
SELECT document_id, vector FROM search_vectors
WHERE collection = :collection
ORDER BY document_id
LIMIT :row_limit
