"""Serves the gateway: python -m gateway."""

from gateway.servicer import register
from services.catalog.topology import topology
from services.runtime.server import serve

if __name__ == "__main__":
    serve("gateway", register, topology)
