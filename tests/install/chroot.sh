#!/usr/bin/env bash
# Installs the packages into a bare Debian 12, with no CUDA Toolkit and no source tree, and uses them there; prints a transcript.
#   tests/install/chroot.sh FOLDER        FOLDER: where the systems are made; several hundred MB. Needs root and mmdebstrap.
# The packages are those that cpack made in build/packages. CHROOT_SOURCES names a file with apt sources; by default this machine's.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:?the folder for the systems}
sources=${CHROOT_SOURCES:-/etc/apt/sources.list.d/debian.sources}
deb=$(ls "$root"/build/packages/lanescope_*.deb)
archive=$(ls "$root"/build/packages/lanescope-*.tar.xz)

# Clears the environment.
inside() {
    local system=$1
    shift
    chroot "$system" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}

# shown SYSTEM COMMAND: prints the command, what it prints, and its exit status.
shown() {
    local status=0
    printf '\n# %s\n' "$2"
    inside "$1" bash -c "$2" 2>&1 || status=$?
    printf '[exit %d]\n' "$status"
}

make_system() {
    local system=$1
    [ -f "$folder/base.tar" ] || mmdebstrap --quiet --variant=minbase bookworm "$folder/base.tar" "$sources"
    rm -rf "$system"
    mkdir -p "$system"
    tar -C "$system" -xf "$folder/base.tar"
    cp /etc/resolv.conf "$system/etc/resolv.conf"
    mount -t proc proc "$system/proc"
    trap 'umount "$folder"/*/proc 2>/dev/null || true' EXIT
}

use_program() {
    local system=$1
    shown "$system" 'lanescope --version; lanescope list | head -4'
    shown "$system" 'cd /root && lanescope run kernels/reduction/modulo.cu --set n=128 | tail -4'
    shown "$system" 'cd /root && lanescope run kernels/atomics/lost_update.cu --schedule all | head -6'
    shown "$system" 'cd /root && lanescope run kernels/scan/brent_kung.cu --code optimized --set n=64 | tail -3'
    shown "$system" 'cd /root && lanescope export kernels/scan/brent_kung.cu -o page.html && ls -l page.html'
    # shellcheck disable=SC2016
    shown "$system" 'cd /root && cp $(lanescope list --json | grep -o "/[^\"]*/modulo.cu") own.cu && echo >> own.cu && lanescope run own.cu'
}

draw() {
    local system=$1
    shown "$system" 'cd /root && lanescope render kernels/scan/brent_kung.cu --step 12 -o step.png && ls -l step.png'
    shown "$system" 'cd /root && lanescope preview assets/images/harbour.png --mask sobel -o filtered.png && ls -l filtered.png'
}

echo "### The .deb in a bare Debian 12"
debian=$folder/debian
make_system "$debian"
cp "$deb" "$debian/root/lanescope.deb"
ls -l "$deb" | awk '{print "package:", $5, "bytes"}'
shown "$debian" 'cat /etc/debian_version; dpkg-query -W | wc -l; ls /usr/local/cuda /usr/lib/x86_64-linux-gnu/libnvrtc* 2>&1'
shown "$debian" 'dpkg -I /root/lanescope.deb | grep -E "Depends|Recommends|Installed-Size"'
shown "$debian" 'apt-get -qq update && apt-get -qq install -y --no-install-recommends /root/lanescope.deb >/root/apt.log 2>&1; tail -n 1 /root/apt.log; dpkg-query -W lanescope'
use_program "$debian"
draw "$debian"
shown "$debian" 'apt-get -qq install -y --no-install-recommends xvfb xauth xdotool imagemagick >/root/apt2.log 2>&1; tail -n 1 /root/apt2.log'
shown "$debian" 'cd /root && Xvfb :7 -screen 0 1280x800x24 >/dev/null 2>&1 & sleep 3; export DISPLAY=:7; cd /root; lanescope kernels/reduction/modulo.cu --no-tour >window.log 2>&1 & sleep 8; xdotool search --onlyvisible --name Lanescope getwindowname; xdotool key Right Right Right; sleep 1; import -window root window.png && ls -l window.png; xdotool key ctrl+q; sleep 2; cat window.log; jobs -r | grep -c lanescope; kill %1'
shown "$debian" 'apt-get -qq install -y --no-install-recommends libcurl4 ca-certificates >/root/apt3.log 2>&1; cd /root; time lanescope doctor --get-compiler; lanescope run own.cu | tail -2; du -sh .local/share/lanescope/cuda'
shown "$debian" 'apt-get -qq remove -y lanescope >/dev/null 2>&1; ls /usr/bin/lanescope /usr/share/lanescope'

echo
echo "### The portable archive in a bare Debian 12"
portable=$folder/portable
make_system "$portable"
ls -l "$archive" | awk '{print "archive:", $5, "bytes"}'
tar -C "$portable/opt" -xf "$archive"
shown "$portable" 'cd /opt/lanescope*/ && ls . lib/lanescope lib/lanescope/x11 share/lanescope/assets/fonts share/doc/lanescope/licences; ln -s "$PWD/bin/lanescope" /usr/local/bin/lanescope; ldd bin/lanescope | grep -c "not found"'
use_program "$portable"
shown "$portable" 'cd /root && lanescope render kernels/scan/brent_kung.cu --step 12 -o step.png'
shown "$portable" 'apt-get -qq update && apt-get -qq install -y --no-install-recommends libegl1 libgl1 libgl1-mesa-dri >/root/apt.log 2>&1; tail -n 1 /root/apt.log'
draw "$portable"
