"""concierge_ask: what the city's concierge, an agent of another house, answers."""

from hapju.plugin import ForeignAnswer, ForeignQuestion, Text, Tool, by_a2a

TOOL = Tool(
    name="concierge_ask",
    description_ko="호텔 안내소에 묻습니다.",
    description_en="Asks the hotel desk.",
    arguments=ForeignQuestion,
    row=ForeignAnswer,
    read=by_a2a("concierge", "hotels"),
    domain="concierge",
    title=Text("호텔 안내소", "the hotel desk"),
    data_type="lodging",
    timeout_seconds=8.0,
)
