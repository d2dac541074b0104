#!/usr/bin/env bash
# Profiles kernel files on the GPU of this machine:
#   record.sh PROGRAM PTX_FOLDER RESULTS FILE.cu…
# PROGRAM is hardware_launches; its "compile" wrote PTX_FOLDER. The script writes launches.txt, counters.csv and the
# names of GPU and profiler to RESULTS; pack.py makes one JSON file of them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1 ptx=$2 results=$3
shift 3
mkdir -p "$results"
ncu --version >"$results/profiler.txt"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$results/gpu.txt"
ncu --clock-control none --cache-control none --replay-mode kernel --csv --page raw --print-units base \
    --metrics "$(paste -sd, "$here/metrics.txt")" --log-file "$results/counters.csv" \
    "$program" launch "$ptx" "$@" >"$results/launches.txt"
