"""The OpenAI-compatible door: chat front ends use hapju as a model, and their users talk to it as they do to one."""
