#!/usr/bin/env bash
# Builds Lanescope for browsers: build/web, a folder for any static server.
#   app/web.sh [--toolchain-only | --tests]     --tests: also the tests that node runs
#
# The compiler is Emscripten: the one that $EMSCRIPTEN names or PATH has, if it is new enough; else a pinned one from the internet (emsdk);
# else the package of Debian 13, in a folder of its own, which needs root. It is kept in $LANESCOPE_EMSCRIPTEN
# (default: ~/.cache/lanescope-build/emscripten) and serves every checkout.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

emsdk_version=3.1.69
oldest=3.1.60
kept=${LANESCOPE_EMSCRIPTEN:-${XDG_CACHE_HOME:-$HOME/.cache}/lanescope-build/emscripten}
site="$root/build/web"
web_packages=(git patchelf debootstrap)
command -v node >/dev/null || web_packages+=(nodejs)

new_enough() {
    [ -f "$1/emscripten-version.txt" ] || return 1
    local version
    version=$(tr -d '"' <"$1/emscripten-version.txt")
    [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ]
}

use_installed() {
    local folder
    for folder in "${EMSCRIPTEN-}" "$(dirname "$(command -v emcc || echo /)")"; do
        [ -z "$folder" ] || ! new_enough "$folder" || { export EMSCRIPTEN="$folder" && return; }
    done
    return 1
}

use_emsdk() {
    local folder="$kept/emsdk"
    if [ ! -d "$folder/upstream/emscripten" ]; then
        timeout 20 git ls-remote -q https://github.com/emscripten-core/emsdk HEAD >/dev/null 2>&1 || return 1
        say "getting Emscripten $emsdk_version (emsdk)"
        rm -rf "$folder"
        logged git clone -q --depth 1 --branch "$emsdk_version" https://github.com/emscripten-core/emsdk "$folder"
        logged "$folder/emsdk" install "$emsdk_version"
        logged "$folder/emsdk" activate "$emsdk_version"
    fi
    export EMSCRIPTEN="$folder/upstream/emscripten" EM_CONFIG="$folder/.emscripten"
}

# The package's programs run outside of its root: with its loader and its libraries, which patchelf writes into them. Node is this system's,
# because Debian's looks for its modules in fixed places.
use_debian() {
    local folder="$kept/debian-13" mirror programs=() program
    if [ ! -f "$folder/ready" ]; then
        become_root || stop "Emscripten is missing and cannot be fetched: install it, set EMSCRIPTEN to its folder, or start this as root"
        say "getting Emscripten as Debian 13 has it (debootstrap, about 400 MB)"
        rm -rf "$folder"
        mkdir -p "$folder"
        mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\(http[^ ]*debian[/]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources \
            2>/dev/null | head -n 1 || true)
        logged "${as_root[@]}" debootstrap --variant=minbase --include=emscripten trixie "$folder" ${mirror:+"$mirror"}
        mirror=$(sed -n 's/^deb \([^ ]*\) .*/\1/p' "$folder/etc/apt/sources.list" | head -n 1)
        echo "deb-src $mirror trixie main" | "${as_root[@]}" tee "$folder/etc/apt/sources.list.d/sources.list" >>"$log"
        logged "${as_root[@]}" cp /etc/resolv.conf "$folder/etc/"
        logged "${as_root[@]}" chroot "$folder" sh -c 'apt-get -q update && mkdir -p /sources && cd /sources &&
            apt-get -q source --download-only --tar-only imgui zlib libpng1.6 giflib md4c'
        for program in "$folder"/sources/*.orig.tar.*; do
            mkdir -p "${program%%_*}"
            logged tar -xf "$program" -C "${program%%_*}" --strip-components=1
        done
        mapfile -t programs < <(find "$folder/usr/bin" "$folder/usr/lib/llvm-19/bin" -type f \( -name 'wasm-*' -o -name clang -o -name lld \
            -o -name 'llvm-ar' -o -name 'llvm-nm' -o -name 'llvm-objcopy' -o -name 'llvm-dwarfdump' \))
        for program in "${programs[@]}"; do
            logged patchelf --set-interpreter "$folder/usr/lib64/ld-linux-x86-64.so.2" --force-rpath \
                --set-rpath "$folder/usr/lib/x86_64-linux-gnu:$folder/usr/lib/llvm-19/lib" "$program"
        done
        logged "${as_root[@]}" rm -rf "$folder/var/cache/apt/archives" "$folder/usr/share/doc"
        printf '%s\n' "LLVM_ROOT = '$folder/usr/lib/llvm-19/bin'" "BINARYEN_ROOT = '$folder/usr'" "NODE_JS = '$(command -v node)'" \
            "CACHE = '$folder/usr/share/emscripten/cache'" >"$folder/emscripten.config"
        touch "$folder/ready"
    fi
    export EMSCRIPTEN="$folder/usr/share/emscripten" EM_CONFIG="$folder/emscripten.config" NODE_PATH="$folder/usr/share/nodejs"
    local name package
    for name in imgui:imgui zlib:zlib png:libpng1.6 gif:giflib md4c:md4c; do
        package=${name#*:}
        sources+=("-DFETCHCONTENT_SOURCE_DIR_$(printf '%s' "${name%%:*}" | tr '[:lower:]' '[:upper:]')=$folder/sources/$package")
    done
}

# Everything that the program reads: the course, compiled, its recordings, fonts.
pack_course() {
    local stage="$root/build/wasm/course" face
    rm -rf "$stage"
    mkdir -p "$stage/assets/fonts"
    (cd "$root" && find kernels \( -name '*.cu' -o -name 'lesson.toml' -o -name 'lesson.*.toml' \) -exec cp --parents {} "$stage" \;)
    (cd "$root" && find assets -type f -not -path 'assets/readme/*' -not -path 'assets/desktop/*' -not -name '*.py' -exec cp --parents {} "$stage" \;)
    cp -r "$root/build/release/installed/compiled" "$stage/compiled"
    for face in Inter-Regular Inter-SemiBold JetBrainsMono-Regular; do
        find /usr/share/fonts /usr/local/share/fonts \( -name "$face.otf" -o -name "$face.ttf" \) -print -quit 2>/dev/null |
            xargs -r -I{} cp -L {} "$stage/assets/fonts/"
    done
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=u+rw,go+r --format=ustar -C "$stage" -cf - . | gzip -9n >"$site/course.tar.gz"
}

main() {
    local sources=() programs=(program) tests=OFF
    prepare "${build_packages[@]}" "${web_packages[@]}"
    use_installed || use_emsdk || use_debian
    if [ "${1-}" = --tests ]; then
        programs+=(unit_parity)
        tests=ON
        [ ! -d /usr/src/googletest ] || sources+=(-DFETCHCONTENT_SOURCE_DIR_GTEST=/usr/src/googletest)
    fi
    [ "${1-}" != --toolchain-only ] || { say "Emscripten: $EMSCRIPTEN" && exit; }
    build_preset release any lanescope install_data  # the lessons, compiled
    if [ ! -f "$root/build/wasm/build.ninja" ] || [ "$tests" = ON ]; then
        say "configuring (web)"
        logged cmake -S "$root" --preset web -DLANESCOPE_TESTS="$tests" -DLANESCOPE_CUDA_ROOT="$cuda_root" "${sources[@]}"
    fi
    say "building (web)"
    run_ninja "$root/build/wasm" "${programs[@]}"
    mkdir -p "$site"
    cp "$root"/app/web/page/* "$root/build/wasm/program.js" "$site/"
    gzip -9nc "$root/build/wasm/program.wasm" >"$site/program.wasm.gz"
    pack_course
    say "built $site; try it: python3 -m http.server -d build/web"
}

main "$@"
exit
