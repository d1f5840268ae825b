"""A model's Cypher: plain reads that fit the schema are written anew, everything else is refused with the reason."""

import pytest

from services.tool_gateway.data.graph.cypher.check import checked
from services.tool_gateway.data.graph.cypher.refusal import CypherRefused
from services.tool_gateway.data.graph.cypher.render import render
from tests.unit.tool_gateway.search.attacks import ATTACKS

READ = "MATCH (a:EconomicIndicator)-[r:AFFECTS]->(b:Company) "


@pytest.mark.parametrize(
    ("text", "written", "bound"),
    [
        (
            READ + "WHERE b.name_ko CONTAINS '삼성' RETURN a.id",
            (
                "MATCH (a:EconomicIndicator)-[r:AFFECTS]->(b:Company) WHERE (b.name_ko CONTAINS $text_1)\n"
                "RETURN a.id LIMIT $row_limit"
            ),
            {"text_1": "삼성", "row_limit": 25},
        ),
        (
            'match (n:Company {id: "KR:005930"}) return n.name_ko as name limit 5',
            "MATCH (n:Company {id: $text_1})\nRETURN n.name_ko AS name LIMIT $row_limit",
            {"text_1": "KR:005930", "row_limit": 5},
        ),
        (
            "MATCH (n:Company) RETURN n.id ORDER BY n.id DESC SKIP 2 LIMIT 9999",
            "MATCH (n:Company)\nRETURN n.id ORDER BY n.id DESC SKIP 2 LIMIT $row_limit",
            {"row_limit": 25},
        ),
        (
            (
                "MATCH (t:MacroTheme)<-[:BELONGS_TO]-(i)-[:AFFECTS*1..2]->(c:Company) "
                "WITH c, count(DISTINCT i) AS n WHERE n >= 2 AND NOT c.id IN ['US:AAPL', 'x'] RETURN c.id, n"
            ),
            (
                "MATCH (t:MacroTheme)<-[:BELONGS_TO]-(i)-[:AFFECTS*1..2]->(c:Company)\n"
                "WITH c, count(DISTINCT i) AS n WHERE ((n >= 2) AND (NOT (c.id IN [$text_1, $text_2])))\n"
                "RETURN c.id, n LIMIT $row_limit"
            ),
            {"text_1": "US:AAPL", "text_2": "x", "row_limit": 25},
        ),
        (
            (
                "MATCH (e:Event) OPTIONAL MATCH (e)-[c:CAUSES]->(f:Event) "
                "RETURN e.id, coalesce(f.id, 'none') AS following, -1.5 AS x"
            ),
            (
                "MATCH (e:Event)\nOPTIONAL MATCH (e)-[c:CAUSES]->(f:Event)\n"
                "RETURN e.id, coalesce(f.id, $text_1) AS following, (-1.5) AS x LIMIT $row_limit"
            ),
            {"text_1": "none", "row_limit": 25},
        ),
    ],
)
def test_a_read_is_written_anew(text, written, bound) -> None:
    """What runs holds none of the model's strings and always a limit."""
    rendered = render(checked(text), 25)
    assert (rendered.text, rendered.parameters) == (written, bound)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MATCH (n) DETACH DELETE n", "begins no read clause"),
        ("MATCH (n:Company) SET n.id = 'x' RETURN n.id", "begins no read clause"),
        ("MERGE (n:Company {id: 'x'}) RETURN n.id", "begins no read clause"),
        ("CREATE (n:Company)", "begins no read clause"),
        ("MATCH (n:Company) REMOVE n.id RETURN n.id", "begins no read clause"),
        ("MATCH (n:Company) RETURN n.id UNION MATCH (m:Event) RETURN m.id", "nothing may follow RETURN"),
        ("CALL db.labels() YIELD label RETURN label", "begins no read clause"),
        ("MATCH (n:Company) CALL { MATCH (m) DELETE m } RETURN n.id", "begins no read clause"),
        ("LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", "begins no read clause"),
        ("UNWIND [1, 2] AS x RETURN x", "begins no read clause"),
        ("FOREACH (x IN [1] | CREATE (:Company))", "begins no read clause"),
        ("EXPLAIN MATCH (n:Company) RETURN n.id", "begins no read clause"),
        ("DROP TABLE Company", "begins no read clause"),
        ("COPY Company TO 'x.csv'", "begins no read clause"),
        ("MATCH (n:Company) RETURN n.id; MATCH (m) DELETE m", "';' at character"),
        ("MATCH (n:`Company`) RETURN n.id", "'`' at character"),
        ("MATCH (n:Company) RETURN n.id // no", "comments are not allowed"),
        ("MATCH (n:Company) /* no */ RETURN n.id", "comments are not allowed"),
        ("MATCH (n:Ｃompany) RETURN n.id", "at character"),
        ("MATCH (n:Person) RETURN n.id", "there is no label Person"),
        ("MATCH (n:company) RETURN n.id", "there is no label company"),
        ("MATCH (n:Company) WHERE n.secret = 1 RETURN n.id", "has no property secret"),
        ("MATCH (n:Company {secret: 1}) RETURN n.id", "has no property secret"),
        (READ + "WHERE r.secret = 1 RETURN a.id", "r has no property secret"),
        ("MATCH (a)-[r:OWNS]->(b) RETURN a.id", "there is no relation OWNS"),
        ("MATCH (a)-[r]->(b) RETURN a.id", "names its type"),
        ("MATCH (a)-->(b) RETURN a.id", "expected ["),
        ("MATCH (a)-[:AFFECTS]-(b) RETURN a.id", "one direction"),
        ("MATCH (a)<-[:AFFECTS]->(b) RETURN a.id", "one direction"),
        ("MATCH (a:Company)-[:AFFECTS]->(b) RETURN a.id", "does not lead from Company"),
        ("MATCH (a:EconomicIndicator)<-[:AFFECTS]-(b:Company) RETURN a.id", "does not lead from Company"),
        ("MATCH (a:Story)-[:AFFECTS*1..3]->(b) RETURN a.id", "does not lead from Story"),
        ("MATCH (a)-[:AFFECTS]->(b:Company), (b)-[:CAUSES]->(c) RETURN a.id", "does not lead from"),
        ("MATCH (a:Company|Event) MATCH (a:MacroTheme) RETURN a.id", "cannot have two labels"),
        ("MATCH (a)-[:AFFECTS*]->(b) RETURN a.id", "is no whole number"),
        ("MATCH (a)-[:AFFECTS*1..9]->(b) RETURN a.id", "*1..3 at most"),
        ("MATCH (a)-[r:AFFECTS*1..2]->(b) RETURN a.id", "neither a variable nor properties"),
        ("MATCH p = (a)-[:AFFECTS]->(b) RETURN p", "expected ("),
        ("MATCH (n:Company) RETURN n", "name a property of it"),
        ("MATCH (n:Company) RETURN collect(n) AS all_of_them", "name a property of it"),
        ("MATCH (n:Company) RETURN *", "is no expression"),
        ("MATCH (n:Company) RETURN m.id", "m is no node or relation"),
        ("MATCH (n:Company) RETURN count(n)", "needs a name"),
        ("MATCH (n:Company) RETURN n.id AS x, n.name_ko AS x", "bear one name"),
        ("MATCH (n:Company) RETURN apoc.load.json('http://x') AS x", "'load' is no property"),
        ("MATCH (n:Company) RETURN exists(n.id) AS x", "is no expression"),
        ("MATCH (n:Company) RETURN sleep(5) AS x", "the function sleep is not allowed"),
        ("MATCH (n:Company) RETURN size([x IN [1] | x]) AS s", "expected ,"),
        ("MATCH (n:Company) WHERE EXISTS { MATCH (m) } RETURN n.id", "is no expression"),
        ("MATCH (n:Company) RETURN n.id LIMIT 'all'", "take a whole number"),
        ("MATCH (n:Company) RETURN n.id LIMIT 1 + 1", "take a whole number"),
        ("MATCH (n:Company) WHERE n.id = $id RETURN n.id", "$id is bound to nothing"),
        ("MATCH (n:Company) WITH n.id RETURN 1 AS x", "each column of WITH needs a name"),
        ("MATCH (n:Company) WHERE n.id = 'unfinished RETURN n.id", "at character"),
        ("MATCH (n:Company) RETURN n.id AS delete", "is no alias"),
        ("MATCH (n:Company)", "begins no read clause"),
        ("", "begins no read clause"),
        ("MATCH (n:Company) WHERE " + "(" * 40 + "1=1" + ")" * 40 + " RETURN n.id", "nested over"),
        ("MATCH (n:Company) WHERE n.id IN [" + "1," * 80 + "1] RETURN n.id", "over 50 items"),
        ("MATCH " + ", ".join("(a)-[:AFFECTS]->(b)" for _ in range(12)) + " RETURN a.id", "over 8 relations"),
        ("MATCH (n:Company) " * 20 + "RETURN n.id", "over 10 clauses"),
        ("MATCH (n:Company) RETURN n.id " + " " * 5_000, "over 4000 characters"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text, reason) -> None:
    """Writes, procedures, unknown names, wrong directions and whatever is not in the subset are refused."""
    with pytest.raises(CypherRefused) as refused:
        render(checked(text), 25)
    assert reason in str(refused.value)


def test_attacks_are_refused_as_statements() -> None:
    """None of the attack strings is a statement that may run, alone or behind one that may."""
    for attack in ATTACKS:
        for text in (attack, f"MATCH (n:Company) RETURN n.id {attack}"):
            try:
                rendered = render(checked(text), 25)
            except CypherRefused:
                continue
            assert text.split() == ["MATCH", "(n:Company)", "RETURN", "n.id", *attack.split()]
            assert rendered.text == "MATCH (n:Company)\nRETURN n.id LIMIT $row_limit"


def test_attacks_in_a_string_are_a_parameter() -> None:
    """Whatever a string literal holds is bound, and the text that runs is the same for all of them."""
    for attack in ATTACKS:
        written = attack.replace("\\", "\\\\").replace("'", "\\'")
        if len(written) > 3_000:
            continue
        rendered = render(checked(f"MATCH (n:Company) WHERE n.id = '{written}' RETURN n.id"), 25)
        assert rendered.text == "MATCH (n:Company) WHERE (n.id = $text_1)\nRETURN n.id LIMIT $row_limit"
        assert rendered.parameters["text_1"] == attack


def test_attacks_as_label_relation_or_limit_are_refused() -> None:
    """A name or a number cannot carry anything else."""
    for attack in ATTACKS:
        for text in (
            f"MATCH (n:{attack}) RETURN n.id",
            f"MATCH (n)-[:{attack}]->(m) RETURN n.id",
            f"MATCH (n:Company) RETURN n.{attack} AS x",
        ):
            with pytest.raises(CypherRefused):
                render(checked(text), 25)


def test_the_check_of_directions_is_on_record() -> None:
    """Each relation is recorded as it was held against the schema, with the labels that fit."""
    found = checked("MATCH (a)-[:BELONGS_TO]->(t:MacroTheme), (a)-[:AFFECTS]->(c:Company) RETURN a.id")
    assert found.directions == (
        "(EconomicIndicator)-[:BELONGS_TO]->(MacroTheme)",
        "(EconomicIndicator)-[:AFFECTS]->(Company)",
    )
