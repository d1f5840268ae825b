"""concierge.desk: asks the city's concierge and tells its answer under its name."""

from concierge.tools.concierge_ask import TOOL
from hapju.plugin import AgentSpec, Source, Text, quoted

AGENT = AgentSpec(
    id="concierge.desk",
    sources=(Source.of(TOOL),),
    analyse=quoted,
    covers=Text("호텔 안내소가 답합니다.", "The hotel desk answers."),
    foreign=True,
    confidence_max=0.6,
)
