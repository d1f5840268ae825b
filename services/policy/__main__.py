"""`python -m services.policy`: the policy check as a process of its own."""

from services.catalog.topology import topology
from services.policy.servicer import register
from services.runtime.server import serve

serve("policy", register, topology)
