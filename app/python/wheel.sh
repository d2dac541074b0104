#!/usr/bin/env bash
# Makes a wheel of what app/run.sh built, for Python 3.10 or later on every Linux with glibc 2.34 or later.
#   app/python/wheel.sh FOLDER       the wheel's folder; needs patchelf, and pip for the tools (once)
#   app/python/wheel.sh --tools      gets the tools only
# LANESCOPE_BUILD: another build folder than build/release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "${LANESCOPE_BUILD:-$root/build/release}")
target=${1:?the folder for the wheel, or --tools}
tools=$root/build/wheel-tools
wanted=(scikit-build-core==1.1.2 auditwheel==6.8.2 patchelf==0.17.2.4)
platform=manylinux_2_34_x86_64

if [ "$(cat "$tools/installed.txt" 2>/dev/null)" != "${wanted[*]}" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --no-input --disable-pip-version-check --only-binary :all: "${wanted[@]}"
    echo "${wanted[*]}" >"$tools/installed.txt"
fi
[ "$target" != --tools ] || exit 0

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$tools/bin/pip" wheel --quiet --no-deps --no-build-isolation --no-index --disable-pip-version-check --wheel-dir "$made" \
    -C "cmake.define.LANESCOPE_BUILD=$build" "$root"
# Fails if a symbol is newer than the platform's, and tells which.
PATH="$tools/bin:$PATH" "$tools/bin/auditwheel" repair --plat "$platform" --wheel-dir "$target" "$made"/*.whl >"$made/log" 2>&1 ||
    { cat "$made/log" >&2; exit 1; }
ls "$target"/*"$platform".whl
