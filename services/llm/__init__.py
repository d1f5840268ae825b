"""The model seam: a prompt and its inputs go in, a validated decision or streamed text comes out.

build.decider_from(settings, service)      what the services use
-> decider.Decider.decide / .stream      rule, model, one repair, fallback; each decision recorded
-> structured, formats              schema in, validated object out
-> model.Model                      the protocol that these implement:
providers.openai_compatible    any OpenAI-compatible endpoint
replay                         what a flow's record says
"""
