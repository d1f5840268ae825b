"""`hapju eval`: sets of questions with what is right, run through the real services and scored.

rows.py       a file's rows, checked, with the sets' own clock
asking.py     the real services over sockets, asked as a row says
score.py      counts, misses, what a program and a person read
routing.py  plans.py  followups.py  readings.py      one kind of set each
answers/    whole answers, through all services
"""
