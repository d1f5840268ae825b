"""Serves the orchestrator: python -m services.orchestrator."""

from services.catalog.topology import topology
from services.orchestrator.servicer import register
from services.runtime.server import serve

if __name__ == "__main__":
    serve("orchestrator", register, topology)
