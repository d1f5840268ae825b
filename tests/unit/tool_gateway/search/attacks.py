"""Over two hundred strings that try to become SQL or Cypher."""

from itertools import product

_WISHES = (
    "DROP TABLE products",
    "DELETE FROM offers",
    "UPDATE offers SET price_krw = 1",
    "INSERT INTO datasets VALUES (1)",
    "ATTACH DATABASE '/tmp/x.db' AS x",
    "PRAGMA query_only = 0",
    "COPY products TO '/tmp/x'",
    "SELECT pg_sleep(60)",
    "UNION SELECT source FROM datasets",
    "MATCH (n) DETACH DELETE n",
    "CREATE (n:Company {id: 'x'})",
    "MERGE (n:Company {id: 'x'}) SET n.name_ko = 'x'",
    "CALL db.labels()",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "REMOVE n.id",
)
_FRAMES = (
    "'; {} --",
    '"; {} --',
    "') ; {} ; --",
    "' OR 1=1; {}",
    "x' {} '",
    "\\'; {} //",
    "}}) {} //",
    "` {} `",
    "]-() {} //",
    "$x {} $x",
    "/* */ {} /* */",
    "\n{}\n",
    "{}",
    "＇; {} －－",
)
_ODD = (
    *("%", "_", "%' ESCAPE '\\", ":row_limit", "?", "{0}", "%s", "%(id)s", "$1", "\x00", "\\", "''", '""', "NULL"),
    *("1 OR 1=1", "0x41", "1e309", "-1", "９９", "강남구'; --", "가\u0000나", "\u202e'; --", "😀'--", "a" * 5_000),
)
ATTACKS: tuple[str, ...] = (*(frame.format(wish) for frame, wish in product(_FRAMES, _WISHES)), *_ODD)
