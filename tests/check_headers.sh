#!/bin/sh
# Do the public headers compile alone? Each by itself as C11, C17 and C++17, warnings as errors.
#   check_headers.sh INCLUDE   the folder that holds sarrus/*.h
set -eu
include=$1 wrong=0

for header in "$include"/sarrus/*.h; do
  line="#include <sarrus/$(basename "$header")>"
  for standard in c11 c17 c++17; do
    case $standard in
      c++*) compiler=${CXX:-g++} language=c++ ;;
      *) compiler=${CC:-gcc} language=c ;;
    esac
    echo "$line" | $compiler -x $language -std=$standard -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only \
      -I"$include" - || { echo "$header: does not compile alone as $standard"; wrong=1; }
  done
done
exit $wrong
