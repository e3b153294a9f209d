#!/usr/bin/env bash
# Writes everything in the documentation that comes from the program: docs/reference, the tables of README.md and docs/modeling, the
# tables of docs/validation (about three minutes), and the picture of the report.
#   tools/docs/update.sh [PROGRAM]          default: build/release/apps/bristle/bristle
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${1:-$root/build/release/apps/bristle/bristle}
[ -x "$program" ] || { echo "there is no program at $program; build it with script/build" >&2; exit 2; }
"$root/tools/docs/make_reference.py" "$program"
"$root/tools/docs/make_validation.py" "$program"
"$root/tools/docs/picture.sh" "$program"
