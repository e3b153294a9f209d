#!/usr/bin/env bash
# Takes docs/images/report.png: the report of the stick-slip example in headless Chromium, 1280 pixels wide.
#   tools/docs/picture.sh [PROGRAM]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(realpath "${1:-$root/build/release/apps/bristle/bristle}")
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "no chromium: the picture stays as it is" >&2; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$root/examples/stick_slip/model.yaml" stick_slip.yaml
"$program" run stick_slip.yaml --out out --quiet
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$work/profile" --virtual-time-budget=5000 --window-size=1280,1600 \
  --screenshot="$work/report.png" "file://$work/out/report.html" > /dev/null 2>&1
mkdir -p "$root/docs/images"
mv "$work/report.png" "$root/docs/images/report.png"
echo "written: docs/images/report.png"
