"""The Korean-first text layer: what a question says, read exactly or asked about, and never guessed.

Pure and synchronous; the only input beside the arguments is the package's own data. `reading.read` is the door: it
normalises (spec 1.3), splits into words and morphemes (1.5) and reads amounts, dates and entities (2.1, 1.6.9).
"""
