"""The Korean-first text layer: what a question says, read exactly or asked about, and never guessed.

Pure and synchronous; the only input beside the arguments is the package's own data. `reading.read` is the door: it
normalises, splits into words and morphemes and reads amounts, dates and entities.
"""
