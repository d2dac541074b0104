#!/usr/bin/env bash
# Makes this machine ready, builds Lanescope with its tests and runs them.
#   tests/run.sh                        every suite except sanitizers, soak test, fuzzing, the analyser and the version for browsers
#   tests/run.sh quick                  unit, golden and lessons
#   tests/run.sh all                    every suite, as a change must pass them before it is merged
#   tests/run.sh [--rebase] SUITE…      these suites; --rebase makes what comes out now the expectation of golden, screens and checks
# The last line is "N passed, N failed, N skipped"; the exit status is 0 only when nothing failed and something ran.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

quick_suites=(unit golden lessons)
usual_suites=(style unit golden readme lessons clock cudart corpus checks programs screens window page python dap serve install)
slow_suites=(soak tidy web sanitized)
narrow_suites=(cudart readme programs page python dap serve install soak)  # each uses one core, so that they run beside each other
passed=0 failed=0 skipped=0
cores=$(nproc)

# What the suites took the last time, for the bar; at first what they take on two cores.
seconds_file="$root/build/tests/seconds.txt"
declare -A pids began seconds=([style]=5 [unit]=60 [golden]=20 [readme]=60 [lessons]=60 [clock]=60 [cudart]=60 [corpus]=40 [checks]=40 [programs]=90 [screens]=60 [window]=150 [page]=40 [python]=60 [dap]=15 [serve]=60
    [install]=40 [soak]=60 [tidy]=180 [web]=700 [sanitized]=600)

read_seconds() {
    local name value
    while read -r name value; do seconds[$name]=$value; done < <(cat "$seconds_file" 2>/dev/null || true)
}

write_seconds() {
    local name
    for name in "${!seconds[@]}"; do echo "$name ${seconds[$name]}"; done >"$seconds_file"
}

# timed FILE COMMAND…: writes "REAL USER SYSTEM", in seconds, into the file.
timed() {
    local file=$1 TIMEFORMAT='%0R %0U %0S'
    shift
    { time { ("$@") 2>&3; }; } 3>&2 2>"$file"
}

# tell_times NAME FILE WHAT
tell_times() {
    local real user system
    read -r real user system <"$2"
    printf '%-10s %s (%d s, %d s of CPU time)\n' "$1" "$3" "$real" $((user + system))
    seconds[$1]=$real
}

is_narrow() { [[ " ${narrow_suites[*]} " == *" $1 "* ]]; }

run_suites() {
    local suite alone=() beside=()
    for suite in "${suites[@]}"; do
        if is_narrow "$suite"; then beside+=("$suite"); else alone+=("$suite"); fi
    done
    run_at_once 1 "${alone[@]}"
    run_at_once "$cores" "${beside[@]}"
}

# run_at_once COUNT SUITE…: at most so many at a time.
run_at_once() {
    local most=$1 suite running=() left
    shift
    while [ $(($# + ${#running[@]})) -gt 0 ]; do
        while [ $# -gt 0 ] && [ ${#running[@]} -lt "$most" ]; do
            timed "$root/build/tests/$1.seconds" run_one "$1" >"$root/build/tests/$1.txt" 2>&1 &
            pids[$1]=$! began[$1]=$SECONDS running+=("$1")
            shift
        done
        show_progress "${running[@]}"
        sleep 0.2
        left=()
        for suite in "${running[@]}"; do
            if kill -0 "${pids[$suite]}" 2>/dev/null; then left+=("$suite"); else finish_suite "$suite"; fi
        done
        running=("${left[@]}")
    done
}

# The last line of a suite's output holds its counts, which are added up.
finish_suite() {
    local name=$1 output="$root/build/tests/$1.txt" last p f s
    clear_bar
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
    tell_times "$name" "$root/build/tests/$name.seconds" "$p passed, $f failed, $s skipped"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# At a terminal the bar tells how far all suites are.
show_progress() {
    local suite cost here all=0 done=0
    [ -t 2 ] || return 0
    for suite in "${suites[@]}"; do
        cost=${seconds[$suite]:-60}
        ! is_narrow "$suite" || cost=$((cost / cores))
        all=$((all + cost))
        [ -n "${began[$suite]-}" ] || continue
        here=$((SECONDS - began[$suite]))
        if [[ " $* " != *" $suite "* ]] || [ "$here" -gt "$cost" ]; then here=$cost; fi
        done=$((done + here))
    done
    draw_bar "testing: $*" "$done" "$all" $((all - done))
}

# For all suites but those that need no build or have one of their own; with the soak test also the programs that are run by hand.
build_release() {
    local suite targets=()
    for suite in "${suites[@]}"; do
        [[ $suite = style || $suite = tidy || $suite = sanitized ]] || targets[0]=all
        [ "$suite" != soak ] || targets[1]=tools
    done
    [ ${#targets[@]} -gt 0 ] || return 0
    timed "$root/build/tests/build.seconds" build_preset release ON "${targets[@]}"
    tell_times build "$root/build/tests/build.seconds" release
}

run_sanitized() {
    if timed "$root/build/tests/build.seconds" build_preset asan ON sanitized; then
        tell_times build "$root/build/tests/build.seconds" sanitized
        ASAN_OPTIONS=malloc_context_size=6 UBSAN_OPTIONS=print_stacktrace=1 python3 "$root/tests/ctest.py" unit,fuzz,soak "$root/build/asan"
    else
        echo "FAILED sanitized: the build failed"
        echo "0 passed, 1 failed, 0 skipped"
    fi
}

run_web() {
    if "$root/app/web.sh" --tests; then
        python3 "$root/tests/web/run.py"
    else
        echo "FAILED web: the build failed"
        echo "0 passed, 1 failed, 0 skipped"
    fi
}

run_tidy() {
    logged cmake -S "$root" --preset tidy -DLANESCOPE_TESTS=OFF -DLANESCOPE_CUDA_ROOT="$cuda_root"
    logged ninja -C "$root/build/tidy" lanescope_glad
    python3 "$root/tests/style/run.py" --tidy "$root/build/tidy"
}

run_one() {
    local suite=$1
    case $suite in
        sanitized | tidy | web) "run_$suite" ;;
        style) python3 "$root/tests/style/run.py" ;;
        golden | screens | checks)
            if [ ${#rebase[@]} -gt 0 ]; then
                python3 "$root/tests/$suite/run.py" --rebase
            else
                python3 "$root/tests/ctest.py" "$suite"
            fi
            ;;
        *) python3 "$root/tests/ctest.py" "$suite" ;;
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
    case " ${suites[*]} " in
        *" tidy "* | *" sanitized "*) packages+=("${clang_packages[@]}") ;;
    esac

    prepare "${packages[@]}"
    mkdir -p "$root/build/tests"
    # Without an index the suite's case counts as skipped.
    [[ " ${suites[*]} " != *" install "* ]] || "$root/app/python/wheel.sh" --tools || say "no tools for wheels"
    build_release
    read_seconds
    run_suites
    write_seconds
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
}

main "$@"
exit
