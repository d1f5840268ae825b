"""The planner service."""

import asyncio

import grpc

from hapju.planner.v1 import planner_service_pb2 as pb
from hapju.planner.v1 import planner_service_pb2_grpc as pb_grpc
from services.catalog.loader import catalog
from services.contract.mapping import from_proto, to_proto
from services.contract.planner import (
    DraftPlanRequest,
    DraftPlanResponse,
    PrepareQuestionRequest,
    PrepareQuestionResponse,
)
from services.llm.build import decider_from
from services.planner.normalising import Switches
from services.planner.planning import Planning
from services.planner.rules import checked, planning_rules
from services.runtime import ledger, run
from services.runtime.model_settings import LlmSettings
from services.runtime.server import Service


class PlannerServicer(pb_grpc.PlannerServiceServicer):
    """Serves hapju.planner.v1.PlannerService."""

    def __init__(self, planning: Planning) -> None:
        self._planning = planning

    async def PrepareQuestion(self, request: pb.PrepareQuestionRequest, context: object) -> pb.PrepareQuestionResponse:
        """Return what could be decided on a question before its route."""
        asked = from_proto(request, PrepareQuestionRequest)
        with run.use(asked.run):
            spent = await self._planning.prepare(asked)
        return to_proto(PrepareQuestionResponse(spent), pb.PrepareQuestionResponse)

    async def DraftPlan(self, request: pb.DraftPlanRequest, context: object) -> pb.DraftPlanResponse:
        """Return the steps that answer one routed question, or the question that they wait for."""
        asked = from_proto(request, DraftPlanRequest)
        with run.use(asked.run):
            plan, obstacle = await self._planning.draft(asked)
        return to_proto(DraftPlanResponse(plan, ledger.spent(), obstacle), pb.DraftPlanResponse)


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Add the planner service to a server.

    Raises:
        CatalogError: The catalog contradicts itself.
        ValueError: The planner's data names what the catalog does not declare.
    """
    decider = decider_from(service.settings.llm, service.name)
    service.stack.push_async_callback(decider.aclose)
    rule_decider = decider_from(LlmSettings(), service.name)
    rules = await asyncio.to_thread(lambda: checked(planning_rules(), catalog()))
    settings = service.settings
    switches = Switches(settings.query_rewrite, settings.query_normalization, settings.decide_ahead)
    planning = Planning(catalog(), rules, decider, rule_decider, switches)
    pb_grpc.add_PlannerServiceServicer_to_server(PlannerServicer(planning), server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["PlannerService"].full_name)
