#!/usr/bin/env bash
# Builds what the deploy tier watches hapju with, from Go modules, into a cache that outlives the checkout: Prometheus with
# promtool, an OpenTelemetry collector, and Jaeger. What is there already is left; what was cut off goes on where it was.
#   tests/deploy/watchers/build.sh [prometheus|collector|jaeger ...]
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/hapju-watchers"
export GOTOOLCHAIN=local CGO_ENABLED=0
mkdir -p "$cache/bin"

built() { # NAME VERSION TAGS PACKAGE...: the programs of one module
    local folder="$cache/$1" version="$2"
    local -x GOFLAGS="-mod=mod -tags=$3"
    shift 3
    mkdir -p "$folder"
    cd "$folder"
    [ -f go.mod ] || go mod init watchers
    go get -tool "${@/%/@$version}"
    go build -trimpath -ldflags='-s -w' -o "$cache/bin/" "$@"
}

[ $# -gt 0 ] || set -- prometheus collector jaeger
for name in "$@"; do
    case "$name" in
        prometheus)
            # It is told everything and finds nobody by itself: the clients of two dozen clouds stay out.
            [ -x "$cache/bin/promtool" ] && [ -x "$cache/bin/prometheus" ] || built prometheus v0.316.0 remove_all_sd \
                github.com/prometheus/prometheus/cmd/prometheus github.com/prometheus/prometheus/cmd/promtool ;;
        collector)
            # Of other parts than it was built of, it is built anew.
            [ -x "$cache/bin/otelcol" ] && cmp -s "$here/collector.yaml" "$cache/collector.yaml" && continue
            mkdir -p "$cache/collector" && cd "$cache/collector"
            go run go.opentelemetry.io/collector/cmd/builder@v0.140.0 --config "$here/collector.yaml" --ldflags='-s -w'
            mv built/otelcol "$cache/bin/"
            cp "$here/collector.yaml" "$cache/collector.yaml" ;;
        jaeger)
            [ -x "$cache/bin/jaeger" ] || built jaeger v1.76.0 "" github.com/jaegertracing/jaeger/cmd/jaeger ;;
        *) echo "no watcher is named $name" >&2; exit 2 ;;
    esac
done
