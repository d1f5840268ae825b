"""What a domain is made of, and how the installed ones are found.

installed.py     the installed domains, found by their entry points
declarations.py  the shapes of a domain's YAML files: intents, cues, agents, tools
planning.py      the shapes of their sections planning, values, slots and reuse
questions.py     what a domain's module `planning` is given of a question: for values and slots that no table says
slots.py         how the language's slots are read, and the parts that a domain's own are read with
agent.py         AgentSpec, the whole definition of an agent
findings.py      what an agent computes with and what it finds
figure_kinds.py  what kinds of figures a domain declares: label, unit, rounding, and the words that name them
figures.py       the kinds of the installed domains, by the names of metrics
figure_lines.py  figures as lines of an answer
data_types.py    what the kinds of data are called and how they age
answers.py       what a domain adds to answers: sections and cautions
rows.py          the rows of evidence, read back
tool.py          Tool, the whole definition of a tool, and its arguments; fields.py types of arguments
reads.py         rows, where they come from, and what a tool reads with; found.py rows that were searched for
computed.py      rows that are computed
effect.py        Effect, the part of a tool that changes something
wording.py       texts in both languages
documents.py     reads YAML
"""
