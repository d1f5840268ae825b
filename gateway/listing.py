"""The agents of a deployment as a person reads them: what each is called and answers, what the ids in events mean."""

from hapju.agent.v1 import agent_description_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.catalog.loader import Catalog
from services.plugin.declarations import Agent


def listed_agents(catalog: Catalog, locale: str) -> pb.ListAgentsResponse:
    """Return every agent of the catalog, by id, with what domains and intents are called."""
    agents = sorted(catalog.agents.values(), key=lambda agent: agent.id)
    titles = {agent.id: agent.title.of(locale) for agent in agents}
    titles |= {domain.domain: domain.title.of(locale) for domain in catalog.domains.values()}
    titles |= {intent.id: intent.description.of(locale) for intent in catalog.intents.values()}
    return pb.ListAgentsResponse(agents=[_listed(agent, catalog, locale) for agent in agents], titles=titles)


def _listed(agent: Agent, catalog: Catalog, locale: str) -> pb.ListedAgent:
    description = agent_description_pb2.DescribeResponse(
        agent=agent.id,
        answers=agent.answers.of(locale),
        declines=agent.declines.of(locale),
        tools=[binding.name for binding in agent.tools] if agent.served else [],
    )
    return pb.ListedAgent(
        description=description,
        served=agent.served,
        intents=[intent.id for intent in catalog.intents.values() if agent.id in intent.owners],
        title=agent.title.of(locale),
    )
