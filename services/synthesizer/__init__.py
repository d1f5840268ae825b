"""The synthesizer: writes the answer from what the agents found, streamed, every figure held against the rows."""
