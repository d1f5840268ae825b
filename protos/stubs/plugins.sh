#!/usr/bin/env bash
# Gets the plugins that the templates name, from Debian, Go's modules and npm, into a cache that outlives the checkout; what
# is there already is left. C#'s is built from Debian's source of gRPC, which packs every other; NuGet has it too.
#   protos/stubs/plugins.sh
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/hapju-stubs"
mkdir -p "$cache/bin"
export DEBIAN_FRONTEND=noninteractive

packages=(protobuf-compiler protobuf-compiler-grpc protobuf-compiler-grpc-java-plugin)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
    apt-get update -qq
    apt-get install -y -qq "${packages[@]}" >/dev/null
fi
ln -sf /usr/bin/grpc_java_plugin "$cache/bin/protoc-gen-grpc-java"

if command -v go >/dev/null; then
    export GOBIN="$cache/bin"
    [ -x "$GOBIN/protoc-gen-go" ] || go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.10
    [ -x "$GOBIN/protoc-gen-go-grpc" ] || go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.5.1
fi

if command -v npm >/dev/null && [ ! -e "$cache/bin/protoc-gen-es" ]; then
    npm install --silent --no-audit --no-fund --prefix "$cache" @bufbuild/protoc-gen-es@2 @bufbuild/protobuf@2
    ln -sf ../node_modules/.bin/protoc-gen-es "$cache/bin/protoc-gen-es"
fi

if command -v g++ >/dev/null && [ ! -x "$cache/bin/grpc_csharp_plugin" ]; then
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/parts" "$work/lists/partial"
    # Sources are asked for here alone: the machine's own list of packages stays as it is.
    sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/parts/source.sources"
    apt=(apt-get -o "Dir::Etc::SourceParts=$work/parts" -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root)
    "${apt[@]}" update -qq
    (cd "$work" && "${apt[@]}" source -qq --download-only grpc >/dev/null && tar xzf grpc_*.orig.tar.gz --strip-components 1)
    dpkg -s libprotoc-dev >/dev/null 2>&1 || apt-get install -y -qq libprotoc-dev >/dev/null
    (cd "$work" && g++ -O1 -std=c++17 -I. -Iinclude src/compiler/csharp_plugin.cc src/compiler/csharp_generator.cc \
        -lprotoc -lprotobuf -lpthread -o "$cache/bin/grpc_csharp_plugin")
fi
