# shellcheck shell=bash disable=SC2034
# Sourced by app/run.sh and tests/run.sh: makes the machine ready, then configures and builds.
# It prints one line per thing that it does, and nothing when there is nothing to do; build/setup.log has the rest.
#
# LANESCOPE_CUDA_ROOT=FOLDER     use this CUDA Toolkit
# LANESCOPE_NO_SYSTEM_CUDA=1     use none that is installed, but NVIDIA's Python wheels

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log="$root/build/setup.log"
wheels="$root/build/cuda-wheels"

build_packages=(g++ cmake ninja-build ccache pkg-config python3
    libglfw3-dev libegl-dev libgl-dev libimgui-dev python3-glad
    libcli11-dev nlohmann-json3-dev libtomlplusplus-dev zlib1g-dev libgif-dev libpng-dev
    libjpeg-dev liblz4-dev libzstd-dev libdw-dev libcurl4-openssl-dev libmicrohttpd-dev libminizip-dev libmd-dev libmd4c-dev patchelf
    libegl1 libgl1 libgl1-mesa-dri fonts-inter fonts-jetbrains-mono)
test_packages=(libgtest-dev libbenchmark-dev libfftw3-double3 libfftw3-single3 xvfb xdotool chromium poppler-utils python3-pil gettext libopencv-core-dev libopencv-imgproc-dev clang-format qemu-user locales python3-numpy python3-nbclient python3-ipykernel python3-pytest)
clang_packages=(clang clang-tidy libclang-rt-dev llvm)  # llvm: names in the sanitizers' stack traces

# NVRTC and the headers that CUDA C++ sources include.
mapfile -t cuda_wheels < <(grep '^[a-z]' "$root/app/wheels/pinned.txt")

say() { printf 'lanescope: %s\n' "$*" >&2; }

stop() {
    say "$@"
    exit 2
}

# logged COMMAND…: its output goes to the log; when it fails, the end of the log is shown.
logged() {
    local start status=0
    start=$(wc -l <"$log")
    printf '\n$ %s\n' "$*" >>"$log"
    "$@" >>"$log" 2>&1 || status=$?
    [ "$status" = 0 ] && return
    tail -n "+$((start + 2))" "$log" | tail -n 25 >&2
    say "failed (exit $status): ${*:1:4}; everything is in $log"
    exit 1
}

open_log() {
    mkdir -p "$root/build" 2>/dev/null || true
    [ -w "$root/build" ] || stop "cannot write to $root/build: copy the folder to a place of your own, or change its owner"
    : >"$log"
}

# --- System packages ----------------------------------------------------------------------------------------------

missing_packages() {
    local installed
    installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p' || true)
    printf '%s\n' "$@" | grep -vxF -f <(printf '%s\n' "$installed") || true
}

# As root, with sudo that asks nothing, or with sudo that may ask the person at the terminal.
become_root() {
    if [ "$(id -u)" = 0 ]; then
        as_root=()
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    elif command -v sudo >/dev/null && [ -t 0 ] && [ -t 2 ]; then
        as_root=(sudo)
    else
        return 1
    fi
}

install_packages() {
    local missing
    if ! command -v dpkg-query apt-get >/dev/null; then
        require_tools
        return
    fi
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} = 0 ] && return
    become_root || stop "these packages are missing; install them, then start this again:
    sudo apt-get install --no-install-recommends ${missing[*]}"
    say "installing ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
    logged "${apt[@]}" -q update
    mapfile -t missing < <(offered_packages "${missing[@]}")
    [ ${#missing[@]} = 0 ] || logged "${apt[@]}" -q -y install --no-install-recommends "${missing[@]}"
}

# Prints the given packages that this release of the system has; CMake fetches the other libraries.
offered_packages() {
    local package
    for package in "$@"; do
        if [ -n "$(apt-cache show --no-all-versions "$package" 2>/dev/null)" ]; then
            echo "$package"
        else
            say "this system has no package $package"
        fi
    done
}

# On systems without apt the libraries come through CMake (FetchContent); only the tools have to be there.
require_tools() {
    local tool absent=()
    for tool in c++ cmake ninja python3; do
        command -v "$tool" >/dev/null || absent+=("$tool")
    done
    [ ${#absent[@]} = 0 ] || stop "these programs are missing; install them, then start this again: ${absent[*]}"
}

# --- CUDA Toolkit: NVRTC and headers; no GPU and no driver are needed -----------------------------------------------

is_cuda_root() {
    local library
    [ -f "$1/include/nvrtc.h" ] || return 1
    for library in "$1"/{lib64,lib,lib/*-linux-gnu,targets/*/lib}/libnvrtc.so.1[2-9]; do
        [ -e "$library" ] && return
    done
    return 1
}

# Prints the folder of a toolkit of version 12 or later; fails when there is none.
installed_cuda_root() {
    local candidates=() candidate
    if [ -z "${LANESCOPE_NO_SYSTEM_CUDA-}" ]; then
        candidates=("${CUDA_HOME-}" "${CUDA_PATH-}" /usr/local/cuda)
        mapfile -t -O ${#candidates[@]} candidates < <(printf '%s\n' /usr/local/cuda-* | sort -Vr)
        candidates+=(/opt/cuda /usr)
    fi
    for candidate in "${LANESCOPE_CUDA_ROOT-}" "${candidates[@]}"; do
        [ -n "$candidate" ] && is_cuda_root "$candidate" && echo "$candidate" && return
    done
    return 1
}

have_wheels() { [ "$(cat "$wheels/installed.txt" 2>/dev/null)" = "${cuda_wheels[*]}" ]; }

# The first Python that has pip; the system's own last, which gets it from the package python3-pip.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -m pip --version >/dev/null 2>&1 && echo "$python" && return
    done
    return 1
}

install_wheels() {
    local python
    python=$(python_with_pip) || stop "no pip for python3: install it, or a CUDA Toolkit, then start this again"
    say "no CUDA Toolkit found: getting NVRTC and its headers as NVIDIA's Python wheels (about 100 MB)"
    rm -rf "$wheels"
    logged "$python" -m pip install --no-input --disable-pip-version-check --no-deps --only-binary :all: \
        --target "$wheels" "${cuda_wheels[@]}"
    printf '%s\n' "${cuda_wheels[*]}" >"$wheels/installed.txt"
}

# prepare PACKAGE…: installs what is missing of these and sets cuda_root.
prepare() {
    local packages=("$@")
    open_log
    [ -z "${LANESCOPE_CUDA_ROOT-}" ] || is_cuda_root "$LANESCOPE_CUDA_ROOT" ||
        stop "LANESCOPE_CUDA_ROOT=$LANESCOPE_CUDA_ROOT holds no include/nvrtc.h with libnvrtc of CUDA 12 or later"
    if cuda_root=$(installed_cuda_root); then
        install_packages "${packages[@]}"
        return
    fi
    cuda_root="$wheels/nvidia/cu13"
    have_wheels || python_with_pip >/dev/null || packages+=(python3-pip)
    install_packages "${packages[@]}"
    have_wheels || install_wheels
    is_cuda_root "$cuda_root" || stop "NVIDIA's wheels in $wheels are damaged: remove that folder and start this again"
}

# --- Build ----------------------------------------------------------------------------------------------------------

# build_preset PRESET TESTS TARGET…: TESTS is ON, OFF or "any" (as it was; OFF at first).
build_preset() {
    local preset=$1 tests=$2 folder="$root/build/$1" stamp="$root/build/$1/setup.txt" ours=false previous=""
    shift 2
    if grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        ours=true
        [ -f "$folder/build.ninja" ] && previous=$(cat "$stamp" 2>/dev/null || true)
    fi
    [ "$tests" != any ] || { tests=${previous##*tests=}; tests=${tests:-OFF}; }
    local wanted="cuda=$cuda_root tests=$tests"
    if [ "$previous" != "$wanted" ]; then
        say "configuring ($preset)"
        # A build folder that was copied or moved cannot be configured again.
        "$ours" || rm -rf "$folder"
        logged cmake -S "$root" --preset "$preset" -DLANESCOPE_TESTS="$tests" -DLANESCOPE_CUDA_ROOT="$cuda_root"
        printf '%s' "$wanted" >"$stamp"
    elif [ "$(ninja -C "$folder" -n "$@" 2>/dev/null | tail -n 1)" = "ninja: no work to do." ]; then
        return
    fi
    say "building ($preset)"
    run_ninja "$folder" "$@"
}

# draw_bar WHAT DONE ALL SECONDS_LEFT: one line at the terminal, which the next one replaces.
draw_bar() {
    local what=$1 percent=$((100 * $2 / ($3 > 0 ? $3 : 1))) left=$4 filled
    filled=$((percent * 30 / 100))
    printf '\r\033[K%s  [%s%s] %d %%, about %d:%02d left' "$what" "$(printf '%*s' "$filled" '' | tr ' ' '#')" \
        "$(printf '%*s' $((30 - filled)) '' | tr ' ' '-')" "$percent" $((left / 60)) $((left % 60)) >&2
}

clear_bar() {
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Turns ninja's "[12/340] …" into the bar. The time that is left is guessed from the steps done so far.
show_steps() {
    local line done all start=$SECONDS
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
        [ "$done" = 0 ] || draw_bar "$1" "$done" "$all" $(((SECONDS - start) * (all - done) / done))
    done
}

# The bar while a person waits at a terminal; the log has the rest.
run_ninja() {
    if [ ! -t 2 ]; then
        logged ninja -C "$@"
        return
    fi
    local status=0
    ninja -C "$@" 2>&1 | tee -a "$log" | show_steps "lanescope: building" || status=$?
    clear_bar
    [ "$status" = 0 ] && return
    tail -n 25 "$log" >&2
    say "the build failed; everything is in $log"
    exit 1
}
