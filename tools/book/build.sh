#!/bin/sh
# Builds the book, docs/ and the reference of the public headers, as HTML. Fails where Doxygen warns.
#   sh tools/book/build.sh [OUT]     default build/book; open OUT/html/index.html
set -eu
cd "$(dirname "$0")/../.."
out=${1:-build/book}
mkdir -p "$out"
headers=$(sed -n 's/^set(public_headers \(.*\))$/\1/p' CMakeLists.txt)
{
  cat tools/book/Doxyfile
  echo "OUTPUT_DIRECTORY = $out"
  echo "PROJECT_NUMBER = $(sed -n 's/^project(sarrus VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
  echo "INPUT = docs/book.md README.md CHANGELOG.md docs docs/tutorials docs/pictures/README.md samples/README.md tests/README.md tests/bench/README.md topology/README.md collision/README.md contact/README.md engine/README.md $headers"
  echo "IMAGE_PATH = docs/pictures"
  echo "WARN_LOGFILE = $out/warnings"
} >"$out/Doxyfile"
doxygen "$out/Doxyfile"
if [ -s "$out/warnings" ]; then
  cat "$out/warnings" >&2
  exit 1
fi
echo "$out/html/index.html"
