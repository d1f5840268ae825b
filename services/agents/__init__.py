"""The domain agents: one servicer and one loop for all, and one file of data for each.

servicer.py      the contract: Describe and Run
loop.py          the run of a step: read, compute, say
tool_calls.py    the only way to data: the tool gateway; a failed call is data
summary.py       a model's summary, checked by services.grounding before it leaves
outcome.py       the typed result, its status, cautions and confidence
registry.py      finds the definitions in the installed domains
"""
