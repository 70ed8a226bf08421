#!/bin/sh
# Can a stranger use the installed library? Installs a build into a new folder, then builds tests/consumer against it by
# CMake's find_package and by pkg-config, shared and static each, and the README's C program; runs them all.
#   check_install.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
root=$PWD consumer=$PWD/tests/consumer
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
prefix=$place/prefix

cmake --install "$build" --prefix "$prefix" >/dev/null
cd "$place"

echo "installed command"
"$prefix/bin/sarrus" --help >/dev/null

python=$(sed -n 's/^Python3_EXECUTABLE:[A-Z]*=//p' "$root/$build/CMakeCache.txt")
if [ -n "$python" ]; then
  echo "installed Python module"
  PYTHONPATH=$prefix/lib/python3/dist-packages "$python" -B -c 'import sarrus; print(sarrus.__version__, sarrus.__file__)'
fi

echo "find_package"
cmake -S "$consumer" -B cmake -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
cmake --build cmake
cmake/consumer_shared
cmake/consumer_static

echo "pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name sarrus.pc)")
export PKG_CONFIG_PATH
libraries=$(pkg-config --variable=libdir sarrus)
# shellcheck disable=SC2046  # flags are lists
{
  cc -std=c11 -Wall -Werror "$consumer/consumer.c" $(pkg-config --cflags --libs sarrus) -lm -o shared
  cc -std=c11 -Wall -Werror "$consumer/consumer.c" $(pkg-config --static --cflags --libs sarrus | sed 's/-lsarrus/-l:libsarrus.a/') -o static
}
export LD_LIBRARY_PATH="$libraries"
./shared
./static
if ldd static | grep libsarrus; then echo "the static program wants the shared library" >&2; exit 1; fi

echo "the README's program"
sed -n '/^```c$/,/^```$/p' "$root/README.md" | grep -v '^```' >readme.c
# shellcheck disable=SC2046  # flags are a list
cc -std=c11 -Wall -Werror readme.c $(pkg-config --cflags --libs sarrus) -o readme
cd "$root"
"$place/readme" | grep joint7
