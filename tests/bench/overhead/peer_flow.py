"""Run by an interpreter that has LangGraph, not by ours: times its five-call flow and prints the seconds as JSON.

    route ─► plan ─► two agents, side by side ─► synthesis      each asks a model once, which answers at once

Every superstep is kept by its SQLite checkpointer as that comes: WAL, and a thread of the flow for each question.
"""

import asyncio
import json
import operator
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

WARM_UP = 10


class State(TypedDict, total=False):
    """What goes from node to node."""

    question: str
    route: str
    plan: list[str]
    found: Annotated[list[str], operator.add]
    answer: str


async def model(prompt: str) -> str:
    """Answers at once."""
    return f"said to {prompt}"


async def route(state: State) -> State:
    """Decides what the question is about."""
    return {"route": await model(state["question"])}


async def plan(state: State) -> State:
    """Decides who answers it."""
    return {"plan": [await model(state["route"])]}


async def look_up(state: State) -> State:
    """Answers a part of it."""
    return {"found": [await model(state["plan"][0])]}


async def synthesize(state: State) -> State:
    """Writes the answer."""
    return {"answer": await model(" ".join(state["found"]))}


def graph() -> StateGraph:
    """Returns the flow."""
    made = StateGraph(State)
    for name, node in {"route": route, "plan": plan, "first": look_up, "second": look_up, "write": synthesize}.items():
        made.add_node(name, node)
    made.add_edge(START, "route")
    made.add_edge("route", "plan")
    made.add_edge("plan", "first")
    made.add_edge("plan", "second")
    made.add_edge(["first", "second"], "write")
    made.add_edge("write", END)
    return made


async def main(flows: int) -> None:
    """Prints the seconds of each flow."""
    seconds = []
    with TemporaryDirectory(prefix="hapju-bench-") as folder:
        async with AsyncSqliteSaver.from_conn_string(str(Path(folder) / "checkpoints.db")) as saver:
            app = graph().compile(checkpointer=saver)
            for number in range(WARM_UP + flows):
                began = perf_counter()
                ended = await app.ainvoke(
                    {"question": "how is the market doing? " * 6, "found": []},
                    config={"configurable": {"thread_id": str(number)}},
                )
                seconds.append(perf_counter() - began)
                if len(ended["found"]) != 2 or not ended["answer"]:
                    raise RuntimeError(f"the flow ended with {ended}")
    sys.stdout.write(json.dumps(seconds[WARM_UP:]))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
