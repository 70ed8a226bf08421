#!/bin/sh
# Do the Debian packages hold what they should? Makes them from a build folder, asks apt whether they could be installed
# (where it may), unpacks them into an empty root, and there runs the command, builds and runs a program, and imports the module.
#   check_packages.sh BUILD
set -eu
cd "$(dirname "$0")/.."
source=$PWD
build=$(cd "$1" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

(cd "$build" && cpack -G DEB -B "$place/made" >"$place/log" 2>&1) || { cat "$place/log" >&2; exit 1; }
root=$place/root
mkdir "$root"
for package in "$place"/made/*.deb; do
  echo "$(dpkg-deb -f "$package" Package): $(dpkg-deb -f "$package" Depends)"
  dpkg-deb -x "$package" "$root"
done
[ "$(find "$place/made" -name '*.deb' | wc -l)" -ge 4 ] || { echo "a package is missing" >&2; exit 1; }
if apt-get --version >/dev/null 2>&1; then apt-get --simulate --quiet install "$place"/made/*.deb | tail -n 8; fi

"$root/usr/bin/sarrus" --version
find "$root" -name sarrus-run.1 | grep .
find "$root/usr/share/bash-completion" -name sarrus | grep .
find "$root/usr/share/doc" -name theory.md | grep .

libraries=$(dirname "$(find "$root/usr" -name 'libsarrus.so')")
PKG_CONFIG_PATH=$libraries/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags are a list
cc -std=c11 "$source/tests/consumer/consumer.c" $(pkg-config --cflags --libs sarrus) -lm -o "$place/consumer"
LD_LIBRARY_PATH=$libraries "$place/consumer"

python=$(sed -n 's/^Python3_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
if [ -n "$python" ]; then
  PYTHONPATH=$root/usr/lib/python3/dist-packages "$python" -B -c 'import sarrus; print(sarrus.__version__, sarrus.__file__)'
fi
