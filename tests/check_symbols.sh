#!/bin/sh
# Does the shared library show what the public headers declare, and nothing else? Does it leave the process alone? And does its name carry the version?
#   check_symbols.sh LIBRARY HEADERS SONAME
set -eu
found=$(mktemp)
wanted=$(mktemp)
trap 'rm -f "$found" "$wanted"' EXIT
nm -D --defined-only "$1" | awk '{ print $NF }' | sed 's/@.*//' | LC_ALL=C sort -u >"$found"
# Declarations alone: comments and types of functions are left out.
cat "$2"/*.h | sed 's/\/\/.*//' | grep -o 'srs_[a-z0-9_]*(' | tr -d '(' | LC_ALL=C sort -u >"$wanted"
[ -s "$wanted" ] || { echo "no header declares anything" >&2; exit 1; }
status=0
if ! diff "$wanted" "$found"; then
  echo "the headers (<) and $1 (>) differ" >&2
  status=1
fi
# Nor may it end the process.
if nm -D --undefined-only "$1" | grep -E ' (exit|_exit|_Exit|quick_exit|abort|__assert_fail)(@|$)'; then
  echo "$1 calls what ends the process" >&2
  status=1
fi
name=$(readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p')
[ "$name" = "$3" ] || { echo "the soname is $name, not $3" >&2; status=1; }
exit $status
