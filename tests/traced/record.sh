#!/usr/bin/env bash
# Runs every file of the course and the corpus on the GPU of this machine. Keeps the answers of the GPU, and how its
# threads compare with those of the CPU machine.  tests/traced/record.sh   (after tests/run.sh has built the programs)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root"
build/release/traced_record "$folder" kernels/*/*.cu tests/corpus/*.cu tests/traced/kernels/*.cu
cp "$folder/parity.json" tests/traced/parity.json
tar -C "$folder" -cf - $(cd "$folder" && ls ./*.log) | xz -9 >tests/traced/h200.tar.xz
