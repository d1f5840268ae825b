"""The graph of themes, indicators, events, companies, regions and their evidence.

schema.py       labels, relations and their properties; everything else here follows it
ddl.py          what each engine needs before rows can be written
engines.py      opens the graph at a URL: embedded.py (ladybug) or bolt.py (Neo4j), read-only
statements.py   named Cypher templates with typed parameters
cypher/         reads a model's Cypher, refuses what is no plain read, and writes it anew
loading.py      what the seed writes
"""
