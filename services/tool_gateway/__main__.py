"""`python -m services.tool_gateway`: the tool gateway as a process of its own."""

from services.catalog.topology import topology
from services.runtime.server import serve
from services.tool_gateway.servicer import register

serve("tool_gateway", register, topology)
