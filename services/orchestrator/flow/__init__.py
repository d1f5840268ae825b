"""The path of one flow: from its question through plan, steps and actions to its answer; conductor.py reads like it."""
