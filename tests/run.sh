#!/usr/bin/env bash
# Makes this machine ready, builds Lanescope with its tests and runs them.
#   tests/run.sh [--rebase] [SUITE…]     suites: unit golden screens window sanitized
# --rebase makes what comes out now the expectation of the golden and screens suites.
# The last line is "N passed, N failed, N skipped"; the exit status is 0 only when nothing failed and something ran.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

rebase=()
suites=()
for word in "$@"; do
    case $word in
        --rebase) rebase=(--rebase) ;;
        unit | golden | screens | window | sanitized) suites+=("$word") ;;
        *) stop "unknown argument $word: tests/run.sh [--rebase] [unit] [golden] [screens] [window] [sanitized]" ;;
    esac
done
[ ${#suites[@]} -gt 0 ] || suites=(unit golden screens window sanitized)

# Runs one suite; its output ends with its counts, which are added up.
passed=0 failed=0 skipped=0
run_suite() {
    local name=$1 output="$root/build/tests/$1.txt" start=$SECONDS last p f s
    shift
    ("$@") >"$output" 2>&1 || true
    last=$(tail -n 1 "$output")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
        sed '$d' "$output"
    else
        p=0 f=1 s=0
        cat "$output"
    fi
    if [ $((p + f + s)) = 0 ]; then
        f=1
        echo "FAILED $name: no case was found"
    fi
    printf '%-10s %d passed, %d failed, %d skipped (%d s)\n' "$name" "$p" "$f" "$s" $((SECONDS - start))
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

sanitized() {
    UBSAN_OPTIONS=print_stacktrace=1 python3 "$root/tests/unit/run.py" "$root/build/asan"
}

prepare "${build_packages[@]}" "${test_packages[@]}"
build_preset release ON all
mkdir -p "$root/build/tests"
for suite in "${suites[@]}"; do
    case $suite in
        unit) run_suite unit python3 "$root/tests/unit/run.py" "$root/build/release" ;;
        golden | screens) run_suite "$suite" python3 "$root/tests/$suite/run.py" "${rebase[@]}" ;;
        window) run_suite window python3 "$root/tests/window/run.py" ;;
        sanitized)
            (build_preset asan ON all) || failed=$((failed + 1))
            run_suite sanitized sanitized
            ;;
    esac
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
