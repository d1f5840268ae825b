"""The agents by domain; each file with an AGENT is one."""
