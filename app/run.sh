#!/usr/bin/env bash
# Makes this machine ready (packages, CUDA compiler library), builds Lanescope and starts it.
#   app/run.sh [--build-only] [arguments of lanescope…]
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build_only=false
if [ "${1-}" = --build-only ]; then
    build_only=true
    shift
fi

program="$root/build/release/lanescope"
if [ -x "$program" ] && [ ! -w "$root/build" ] && ! "$build_only"; then
    exec "$program" "$@"  # another user's build, such as a shared installation
fi

prepare "${build_packages[@]}"
build_preset release any lanescope

if "$build_only"; then
    say "built $program"
    exit 0
fi
exec "$program" "$@"
