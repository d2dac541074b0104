#!/usr/bin/env bash
# Makes this machine ready, builds Lanescope with its tests and runs them.
#   tests/run.sh                        every suite except sanitizers, soak test, fuzzing and the analyser
#   tests/run.sh quick                  unit, golden and lessons
#   tests/run.sh all                    every suite, as a change must pass them before it is merged
#   tests/run.sh [--rebase] SUITE…      these suites; --rebase makes what comes out now the expectation of golden, screens and checks
# The last line is "N passed, N failed, N skipped"; the exit status is 0 only when nothing failed and something ran.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

quick_suites=(unit golden lessons)
usual_suites=(style unit golden readme lessons cudart corpus checks programs screens window page install)
slow_suites=(soak tidy sanitized)
passed=0 failed=0 skipped=0

# What the suites took the last time, for the bar; at first what they take on two cores.
seconds_file="$root/build/tests/seconds.txt"
declare -A seconds=([style]=5 [unit]=60 [golden]=20 [readme]=60 [lessons]=60 [cudart]=60 [corpus]=40 [checks]=40 [programs]=90 [screens]=60 [window]=150 [page]=40
    [install]=40 [soak]=60 [tidy]=180 [sanitized]=600)

read_seconds() {
    local name value
    while read -r name value; do seconds[$name]=$value; done < <(cat "$seconds_file" 2>/dev/null || true)
}

write_seconds() {
    local name
    for name in "${!seconds[@]}"; do echo "$name ${seconds[$name]}"; done >"$seconds_file"
}

# run_suite NAME COMMAND…: the command's last line holds its counts, which are added up.
run_suite() {
    local name=$1 output="$root/build/tests/$1.txt" start=$SECONDS last p f s
    shift
    ("$@") >"$output" 2>&1 &
    watch_suite "$!" "$name"
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
    seconds[$name]=$((SECONDS - start))
    printf '%-10s %d passed, %d failed, %d skipped (%d s)\n' "$name" "$p" "$f" "$s" "${seconds[$name]}"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# Waits for a suite; at a terminal the bar tells how far all suites are.
watch_suite() {
    local pid=$1 name=$2 began=$SECONDS all=0 before=0 found=false each here left
    for each in "${suites[@]}"; do
        all=$((all + ${seconds[$each]:-60}))
        [ "$each" = "$name" ] && found=true
        "$found" || before=$((before + ${seconds[$each]:-60}))
    done
    while [ -t 2 ] && kill -0 "$pid" 2>/dev/null; do
        here=$((SECONDS - began))
        [ "$here" -le "${seconds[$name]:-60}" ] || here=${seconds[$name]:-60}
        left=$((all - before - here))
        draw_bar "testing: $name" $((before + here)) "$all" "$left"
        sleep 1
    done
    clear_bar
    wait "$pid" || true
}

run_sanitized() {
    if (build_preset asan ON sanitized); then
        for label in unit fuzz soak; do
            UBSAN_OPTIONS=print_stacktrace=1 python3 "$root/tests/ctest.py" "$label" "$root/build/asan" || true
        done | add_counts
    else
        echo "FAILED sanitized: the build failed"
        echo "0 passed, 1 failed, 0 skipped"
    fi
}

# Passes lines on, and closes with the sum of those that are counts.
add_counts() {
    awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5; next } { print }
        END { printf "%d passed, %d failed, %d skipped\n", p, f, s }'
}

run_tidy() {
    logged cmake -S "$root" --preset tidy -DLANESCOPE_TESTS=OFF -DLANESCOPE_CUDA_ROOT="$cuda_root"
    logged ninja -C "$root/build/tidy" lanescope_glad
    python3 "$root/tests/style/run.py" --tidy "$root/build/tidy"
}

run_one() {
    local suite=$1
    case $suite in
        sanitized) run_suite sanitized run_sanitized ;;
        tidy) run_suite tidy run_tidy ;;
        golden | screens | checks)
            if [ ${#rebase[@]} -gt 0 ]; then
                run_suite "$suite" python3 "$root/tests/$suite/run.py" --rebase
            else
                run_suite "$suite" python3 "$root/tests/ctest.py" "$suite"
            fi
            ;;
        *) run_suite "$suite" python3 "$root/tests/ctest.py" "$suite" ;;
    esac
}

main() {
    local word suite packages=("${build_packages[@]}" "${test_packages[@]}")
    rebase=() suites=()
    for word in "$@"; do
        case " ${usual_suites[*]} ${slow_suites[*]} " in
            *" $word "*) suites+=("$word") && continue ;;
        esac
        case $word in
            --rebase) rebase=(--rebase) ;;
            quick) suites+=("${quick_suites[@]}") ;;
            all) suites+=("${usual_suites[@]}" "${slow_suites[@]}") ;;
            *) stop "unknown argument $word; use quick, all, --rebase or names of suites: ${usual_suites[*]} ${slow_suites[*]}" ;;
        esac
    done
    [ ${#suites[@]} -gt 0 ] || suites=("${usual_suites[@]}")
    [[ " ${suites[*]} " != *" tidy "* ]] || packages+=("${analyser_packages[@]}")

    prepare "${packages[@]}"
    if [[ " ${suites[*]} " == *" sanitized "* ]]; then
        build_preset release ON all tools
    else
        build_preset release ON all
    fi
    mkdir -p "$root/build/tests"
    read_seconds
    for suite in "${suites[@]}"; do
        run_one "$suite"
    done
    write_seconds
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
}

main "$@"
exit
