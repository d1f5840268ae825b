"""Whole answers, judged by what a person asked for: does the opening answer it, is it right, is it short?

said.py      the sums, percentages and numbers that a text says, in whatever way they are written
checks.py    what a row wants of a text, and whether it is met
verdicts.py  a row's verdict on the answers of its conversation
talking.py   the conversation, with the gateway of an ensemble in this process
scoring.py   all rows on a copy of the data folder; rows that act each on one of their own
"""
