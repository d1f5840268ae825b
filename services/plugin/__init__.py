"""What a domain is made of, and how the installed ones are found.

installed.py     the installed domains, found by their entry points; documents.py reads their YAML
declarations.py  the shapes of a domain's YAML files: intents, cues, agents, tools; entries.py what all of them share
planning.py      the shapes of their sections planning, values, slots and reuse
questions.py     what a domain's module `planning` is given of a question: for values and slots that no table says
slots.py         how the language's slots are read, and the parts that a domain's own are read with
agent.py         AgentSpec, the whole definition of an agent; findings.py what it computes with and what it finds
answers.py       what a domain adds to answers: sections and cautions; wording.py texts in both languages
figures/         kinds of figures, how data ages, and figures as lines of an answer
tools/           Tool, its arguments, rows and effects, and what it reads with
data/            tables, graph, data sets for typed queries, sample
asks/            typed asks: reading of sentences, roles, edits, and what answers them
"""
