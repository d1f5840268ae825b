#!/usr/bin/env bash
# Makes what the image is built from where no registry is reached: Debian with Python, as the image's own base has it.
#   tests/deploy/base.sh IMAGE
set -euo pipefail
root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase --include=python3-minimal,python3-venv,python-is-python3,ca-certificates bookworm "$root" >&2
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale,info}/*
tar -C "$root" -c . | podman import - "$1"
