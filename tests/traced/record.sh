#!/usr/bin/env bash
# On a machine with a GPU: runs every file of the course and the corpus there, and keeps what the GPU answered and how its
# threads compare with the CPU machine's.  tests/traced/record.sh   (after tests/run.sh has built the programs)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root"
build/release/traced_record "$folder" kernels/*/*.cu tests/corpus/*.cu
cp "$folder/parity.json" tests/traced/parity.json
tar -C "$folder" -cf - $(cd "$folder" && ls ./*.log) | xz -9 >tests/traced/h200.tar.xz
