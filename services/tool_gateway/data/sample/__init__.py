"""The sample data set: published series as they were published, and deterministic generated rows (spec 3.2).

    files.py, *.yaml     what the generators start from: universes, levels, names
    randomness.py        one random stream a name
    sessions.py          real trading days
    equities.py macro.py realty.py products.py    generated, marked as sample
    published.py         real series out of installed packages, kept with their own dates
    block.py             what each of them hands to the seed

Only the seeding child process imports the generators: they load numpy and the exchange calendars.
"""
