"""What a request may take at most, and what its answer has cost, by the prices that the deployment names."""

from collections.abc import Iterable
from functools import cache
from math import ceil

from prompts.fields import PromptOutput
from services.contract.flow import Usage
from services.llm.formats import instruction
from services.llm.model import ModelRequest, OutputMode, TokenCount
from services.runtime.ledger import tokens_of
from services.runtime.model_settings import ModelPrice


class Prices:
    """Prices by model. A model without one costs nothing, and no limit of money holds it back."""

    def __init__(self, prices: Iterable[ModelPrice] = ()) -> None:
        self._prices = {price.model: price for price in prices}

    def usage(self, model: str, tokens: TokenCount) -> Usage:
        """Return what an answered request used, its cost in micro USD rounded up."""
        price = self._prices.get(model)
        # A dollar for a million tokens is a millionth of a dollar for each.
        cost = 0 if price is None else ceil(tokens.input * price.input + tokens.output * price.output)
        return Usage(input_tokens=tokens.input, output_tokens=tokens.output, cost_micro_usd=cost)

    def claim(self, request: ModelRequest, output: type[PromptOutput] | None = None) -> Usage:
        """Return the most that one call may come to: a bound of its input, and all of its output limit.

        Args:
            request: What will be asked.
            output: The schema that goes along as response_format; None where none does.
        """
        asked = sum(tokens_of(message.text) for message in request.messages)
        if output is not None and request.mode is OutputMode.JSON_SCHEMA:
            asked += _schema_tokens(output)
        return self.usage(request.model, TokenCount(asked, request.max_tokens))


@cache
def _schema_tokens(output: type[PromptOutput]) -> int:
    return tokens_of(instruction(output, "en"))
