"""`python -m services.planner`: the planner as a process of its own."""

from services.catalog.answerers import ask_domains
from services.catalog.topology import topology
from services.planner.servicer import register
from services.runtime.server import serve

serve("planner", register, topology, ask_domains)
