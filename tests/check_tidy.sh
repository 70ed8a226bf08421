#!/bin/sh
# Is the code free of what clang-tidy knows? All of our files, headers by themselves too. Files of the benchmarks' peers
# are read only where BUILD compiled them, since they need the peers' headers.
#   check_tidy.sh BUILD   a build folder with compile_commands.json
set -eu
cd "$(dirname "$0")/.."
build=$1

list() { find topology collision contact engine python samples tools tests "$@" 2>/dev/null | sort; }

{
  list \( -name '*.c' -o -name '*.cpp' \) | while read -r file; do
    case $file in
      tests/bench/*) grep -q "/$file\"" "$build/compile_commands.json" || continue ;;
    esac
    echo "$file"
  done
  list -name '*.h'
} | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$build" --extra-arg=-Wno-pragma-once-outside-header \
    --extra-arg=-Wno-unused-function --extra-arg=-Wno-unused-const-variable
