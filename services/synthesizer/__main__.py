"""`python -m services.synthesizer`: the synthesizer as a process of its own."""

from services.catalog.topology import topology
from services.runtime.server import serve
from services.synthesizer.servicer import register

serve("synthesizer", register, topology)
