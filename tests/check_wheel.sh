#!/bin/sh
# Does the wheel carry all that it needs, the command too? Builds it from a build folder, installs it into a new environment that sees Debian's
# NumPy and cffi, and there, with no compiler on the path and far from the source, runs a simulation and the samples.
#   check_wheel.sh BUILD
set -eu
cd "$(dirname "$0")/.."
root=$PWD
build=$(cd "$1" && pwd)
python=$(sed -n 's/^Python3_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
[ -n "$python" ] || { echo "check_wheel.sh: $build has no Python module" >&2; exit 1; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

SARRUS_BUILD=$build "$python" -m pip wheel --quiet --disable-pip-version-check --no-index --no-build-isolation --no-deps -w "$place" .
ls "$place"/sarrus-*-cp39-abi3-linux_*.whl

"$python" -m venv --system-site-packages "$place/env"
"$place/env/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps "$place"/sarrus-*.whl

cp -r "$root/samples" "$place/samples"
cd "$place"
unset PYTHONPATH
mkdir tools && ln -s "$(command -v rm)" tools/rm
PATH=$place/env/bin:$place/tools
export PATH
python -c 'import sarrus; assert sarrus.__file__.startswith("'"$place"'"), sarrus.__file__; print(sarrus.__version__)'
sarrus run samples/chain12.urdf --duration 0.1 --json >/dev/null
python -c 'from sarrus import page; assert page.find_command().startswith("'"$place"'"), page.find_command()'
python samples/python/arm_reach.py
python samples/python/environments.py
