#!/usr/bin/env bash
# Makes this machine ready, builds Lanescope with its tests and runs them.
#   tests/run.sh [--rebase] [SUITE…]     suites: unit golden readme lessons corpus checks screens window page sanitized
# --rebase makes what comes out now the expectation of the golden and screens suites, and the table of checks.
# The last line is "N passed, N failed, N skipped"; the exit status is 0 only when nothing failed and something ran.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

all_suites=(unit golden readme lessons corpus checks screens window page sanitized)
passed=0 failed=0 skipped=0

# run_suite NAME COMMAND…: the command's last line holds its counts, which are added up.
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

run_sanitized() {
    if (build_preset asan ON all); then
        run_suite sanitized env UBSAN_OPTIONS=print_stacktrace=1 python3 "$root/tests/unit/run.py" "$root/build/asan"
    else
        echo "FAILED sanitized: it does not build"
        failed=$((failed + 1))
    fi
}

main() {
    local rebase=() suites=() word suite
    for word in "$@"; do
        if [ "$word" = --rebase ]; then
            rebase=(--rebase)
        elif [[ " ${all_suites[*]} " == *" $word "* ]]; then
            suites+=("$word")
        else
            stop "unknown argument $word; known: --rebase ${all_suites[*]}"
        fi
    done
    [ ${#suites[@]} -gt 0 ] || suites=("${all_suites[@]}")

    prepare "${build_packages[@]}" "${test_packages[@]}"
    build_preset release ON all
    mkdir -p "$root/build/tests"
    for suite in "${suites[@]}"; do
        case $suite in
            unit) run_suite unit python3 "$root/tests/unit/run.py" "$root/build/release" ;;
            golden | screens | checks) run_suite "$suite" python3 "$root/tests/$suite/run.py" "${rebase[@]}" ;;
            readme | lessons | corpus | window | page) run_suite "$suite" python3 "$root/tests/$suite/run.py" ;;
            sanitized) run_sanitized ;;
        esac
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
}

main "$@"
exit
