-- id: securities_list.v1
-- table: securities
-- Every security of one market that is covered, shares first.
-- param: market text
-- param: row_limit integer
SELECT security_id, name_en FROM securities
WHERE market = :market
ORDER BY kind DESC, security_id
LIMIT :row_limit
