#!/usr/bin/env bash
# Installs a build into a scratch folder, builds the consumer project against it, and runs both programs.
#   run.sh BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/install.log"
cmake -G Ninja -S "$here" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$scratch/prefix" > "$scratch/configure.log" \
  || { cat "$scratch/configure.log"; exit 1; }
cmake --build "$scratch/build"
"$scratch/build/consumer"
"$scratch/prefix/bin/bristle" --version
"$scratch/prefix/bin/bristle" demo --out "$scratch/demo" --quiet
test -s "$scratch/demo/run.h5"
