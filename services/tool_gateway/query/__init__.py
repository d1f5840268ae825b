"""query_data: a typed query over the data sets that the installed domains declare.

model.py      the query as a caller writes it
compiling.py  the one statement that it becomes
tool.py       the tools: query_data, and query_own_data for what belongs to the caller
"""
