#!/bin/sh
# Is the code free of what clang-tidy knows? All of our files. Headers must compile by themselves; clang-tidy reads those of
# a folder together, since most of what one takes is what it includes. Files of the benchmarks' peers are read only where
# BUILD compiled them, since they need the peers' headers.
#   check_tidy.sh BUILD   a build folder with compile_commands.json
set -eu
cd "$(dirname "$0")/.."
source=$PWD
build=$(cd "$1" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
status=0

list() { find topology collision contact engine python samples tools tests "$@" 2>/dev/null | sort; }
tidy() { # -p BUILD or nothing; files come on stdin
  xargs -P "$(nproc)" -n 4 clang-tidy --quiet "$@" --config-file="$source/.clang-tidy" --extra-arg=-Wno-pragma-once-outside-header \
    --extra-arg=-Wno-unused-function --extra-arg=-Wno-unused-const-variable || status=1
}

list \( -name '*.c' -o -name '*.cpp' \) | while read -r file; do
  case $file in
    tests/bench/*) grep -q "/$file\"" "$build/compile_commands.json" || continue ;;
  esac
  echo "$file"
done >"$place/sources"
# Of the benchmarks' headers some are C++, and one wants a peer's.
list -path 'tests/bench/*' -name '*.h' | while read -r file; do
  case $file in
    tests/bench/peers/mujoco_*) grep -q '/peer_mujoco.c"' "$build/compile_commands.json" || continue ;;
  esac
  echo "$file"
done >>"$place/sources"
tidy -p "$build" <"$place/sources"

# All folders that any file of BUILD is compiled with.
{
  printf '%s\n' -std=gnu17 -D_GNU_SOURCE
  grep -o -E -- '-(I|isystem )/[^ "]*' "$build/compile_commands.json" | sort -u | tr ' ' '\n'
} >"$place/compile_flags.txt"
list -not -path 'tests/bench/*' -name '*.h' >"$place/headers"
# shellcheck disable=SC2046  # a list of flags
xargs -P "$(nproc)" -n 32 clang -fsyntax-only -w $(cat "$place/compile_flags.txt") <"$place/headers" || status=1
while read -r header; do
  echo "#include \"$header\"" >>"$place/$(dirname "$header" | tr / -).c"
done <"$place/headers"
printf '%s\n' "$place"/*.c >"$place/folders"
tidy <"$place/folders"
exit $status
