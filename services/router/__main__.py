"""`python -m services.router`: the router as a process of its own."""

from services.catalog.topology import topology
from services.router.servicer import register_warm
from services.runtime.server import serve

serve("router", register_warm, topology)
