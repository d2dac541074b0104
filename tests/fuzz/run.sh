#!/usr/bin/env bash
# Runs fuzz targets under libFuzzer and counts what they find.
#   tests/fuzz/run.sh [--jobs N] [--seconds S] [--results DIR] [--binaries DIR] [TARGET…]
#   tests/fuzz/run.sh --bundle DIR      writes all that "DIR/run.sh" needs on a machine without compiler and repository
# Targets: ptx debug_info front_matter trace machine image client mask; default: all. Jobs run at the same time and are
# shared out evenly; each target gets at least one. Without --binaries the script first builds the preset "fuzz" (needs Clang
# with libFuzzer). Findings are written to DIR/findings (default: build/fuzz-results/findings), with each job's messages
# and new corpus beside them. The report has one line per target: executions, coverage, crashes, leaks, timeouts,
# memory. The exit status is 1 if anything was found.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
all_targets=(ptx debug_info front_matter trace machine image client mask)

stop() {
    printf 'fuzz: %s\n' "$*" >&2
    exit 2
}

# --- Bundle of programs and seeds -----------------------------------------------------------------------------------

# bundle DIR: copies the programs, seeds and dictionaries of the build, and the libraries that they use.
bundle() {
    local build="$root/build/fuzz" to=$1 target library
    cmake -S "$root" --preset fuzz >"$build.log" 2>&1 || stop "cannot configure, see $build.log"
    ninja -C "$build" fuzz >>"$build.log" 2>&1 || stop "cannot build, see $build.log"
    mkdir -p "$to/lib" "$to"/seeds/{ptx,debug_info,front_matter,trace,machine,image,client,mask} "$to/known"
    cp "$here/run.sh" "$to/run.sh"
    for target in "${all_targets[@]}"; do
        objcopy --strip-debug "$build/fuzz_$target" "$to/fuzz_$target"
        # Copies the C library, too: the other system may have an older one.
        ldd "$build/fuzz_$target" | grep -oE '/[^ ]+' | xargs -I{} cp -L {} "$to/lib"
        mkdir -p "$to/known/$target"
        [ ! -d "$here/findings/$target" ] || cp "$here/findings/$target"/* "$to/known/$target"
    done
    cp "$build"/tests/fuzz/seeds/ptx/* "$to/seeds/ptx"
    cp "$build"/tests/fuzz/seeds/ptx/* "$to/seeds/machine"
    cp "$build"/tests/fuzz/seeds/trace/* "$to/seeds/trace"
    cp "$build"/tests/fuzz/seeds/client/* "$to/seeds/client"
    cp "$here"/seeds/image/* "$to/seeds/image"
    cp "$here"/seeds/mask/* "$to/seeds/mask"
    cp "$here"/seeds/debug_info/* "$to/seeds/debug_info"
    cp "$here"/seeds/debug_info/* "$to/seeds/ptx"
    cp "$root"/tests/corpus/ptx/{debug_variables,inlined.debug,inlined.optimized,features.debug,forms}.ptx "$to/seeds/debug_info"
    cp "$root"/tests/corpus/ptx/forms.ptx "$to/seeds/ptx"
    find "$root/kernels" "$root/tests/corpus" -name '*.cu' -exec cp {} "$to/seeds/front_matter" \;
    cp "$build/tests/fuzz/seeds/ptx.dict" "$here/front_matter.dict" "$to"
}

# --- Running ----------------------------------------------------------------------------------------------------------

dictionary_of() {
    case $1 in
        front_matter) echo "$binaries/front_matter.dict" ;;
        trace | image | client | mask) ;;
        *) echo "$binaries/ptx.dict" ;;
    esac
}

# run_job TARGET NUMBER: restarts the target after each finding until the time is over.
run_job() {
    local target=$1 number=$2 log="$results/$1.$2.log" corpus="$results/corpus/$1" dictionary left options
    local end=$((SECONDS + seconds))
    dictionary=$(dictionary_of "$target")
    options=(-timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=16384 -print_final_stats=1 -reload=10
        -artifact_prefix="$results/findings/$target/" -use_value_profile="$((number / ${#targets[@]} % 2))")
    [[ "$target" != @(trace|client) ]] || options+=(-max_len=65536)
    [ -z "$dictionary" ] || options+=(-dict="$dictionary")
    : >"$log"
    while left=$((end - SECONDS)) && [ "$left" -gt 0 ]; do
        "${loader[@]}" "$binaries/fuzz_$target" "${options[@]}" -max_total_time="$left" -seed=$((number * 7919 + SECONDS + 1)) \
            "$corpus" "$binaries/seeds/$target" "$binaries/known/$target" >>"$log" 2>&1 || true
        # A target that crashes at once would fill the disk with the same finding.
        [ "$(find "$results/findings/$target" -type f | wc -l)" -lt 40 ] || break
        sleep 1
    done
}

# greatest WORD LOG…: prints the greatest number after a word such as "cov:".
greatest() {
    local word=$1
    shift
    cat "$@" | grep -aoE "$word[ ]*[0-9]+" | grep -oE '[0-9]+$' | sort -n | tail -n 1 || true
}

found() { find "$results/findings/$1" -type f -name "$2-*" | wc -l; }

# A run that a finding ends prints no final statistics; the last number at the head of a line replaces them.
executions() {
    cat "$@" | awk '/^#[0-9]+/ { n = substr($1, 2) + 0; if (n < last) sum += last; last = n }
                    /^Done [0-9]+ runs/ { last = $2 } END { printf "%d", sum + last }'
}

report() {
    local target logs crashes leaks timeouts memory slow bad=0
    for target in "${targets[@]}"; do
        logs=("$results/$target".*.log)
        crashes=$(found "$target" crash) leaks=$(found "$target" leak)
        timeouts=$(found "$target" timeout) memory=$(found "$target" oom) slow=$(found "$target" slow-unit)
        printf '%-13s jobs %d  executions %s  cov %s  ft %s  crashes %d  leaks %d  timeouts %d  memory %d  slow %d\n' \
            "$target" ${#logs[@]} "$(executions "${logs[@]}")" "$(greatest cov: "${logs[@]}")" "$(greatest ft: "${logs[@]}")" \
            "$crashes" "$leaks" "$timeouts" "$memory" "$slow"
        bad=$((bad + crashes + leaks + timeouts + memory))
        # A target that never printed this line did not start, so its empty findings prove nothing.
        grep -aq 'INITED' "${logs[@]}" || { echo "FAILED $target: it did not start; see ${logs[0]}"; bad=$((bad + 1)); }
    done
    [ "$bad" = 0 ]
}

main() {
    jobs=$(nproc) seconds=60 results="$root/build/fuzz-results" binaries="" targets=()
    while [ $# -gt 0 ]; do
        case $1 in
            --jobs) jobs=${2:?} && shift 2 ;;
            --seconds) seconds=${2:?} && shift 2 ;;
            --results) results=${2:?} && shift 2 ;;
            --binaries) binaries=${2:?} && shift 2 ;;
            --bundle) bundle "${2:?}" && exit ;;
            *) [[ " ${all_targets[*]} " == *" $1 "* ]] || stop "unknown target or option $1; targets: ${all_targets[*]}"
                targets+=("$1") && shift ;;
        esac
    done
    [ ${#targets[@]} -gt 0 ] || targets=("${all_targets[@]}")
    if [ -z "$binaries" ]; then
        binaries="$root/build/fuzz/bundle"
        mkdir -p "$root/build/fuzz"
        bundle "$binaries"
    fi
    binaries=$(cd "$binaries" && pwd)
    mkdir -p "$results"
    results=$(cd "$results" && pwd)
    loader=()
    "$binaries/fuzz_${targets[0]}" -help=1 >/dev/null 2>&1 ||
        loader=("$binaries"/lib/ld-linux* --library-path "$binaries/lib")
    export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1
    local target n
    for target in "${targets[@]}"; do
        mkdir -p "$results/corpus/$target" "$results/findings/$target"
    done
    [ "$jobs" -ge ${#targets[@]} ] || jobs=${#targets[@]}
    for ((n = 0; n < jobs; ++n)); do
        run_job "${targets[n % ${#targets[@]}]}" "$n" &
    done
    wait
    report | tee "$results/summary.txt"
}

main "$@"
