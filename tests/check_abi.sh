#!/bin/sh
# Can a program that was linked with an older libsarrus run with a newer one of the same soname? Compares two builds of
# the shared library, with debug information (-DCMAKE_BUILD_TYPE=RelWithDebInfo): by abidiff, functions and the structs
# that they take; where it is not installed by nm, functions alone. Additions are fine; what is gone or changed is not.
#   check_abi.sh OLD/libsarrus.so NEW/libsarrus.so
#   check_abi.sh            tries itself on two small libraries
set -eu

symbols() { nm -D --defined-only "$1" | sed -n 's/^[0-9a-f]* [TDBR] \(srs_[a-z0-9_]*\).*/\1/p' | sort; }

compare() { # OLD NEW
  for library in "$1" "$2"; do
    [ -r "$library" ] || { echo "check_abi.sh: $library is not there" >&2 && return 2; }
  done
  old=$(mktemp) new=$(mktemp)
  symbols "$1" >"$old" && symbols "$2" >"$new"
  [ -s "$old" ] || { echo "check_abi.sh: $1 exports no srs_ function" >&2 && rm -f "$old" "$new" && return 2; }
  gone=$(comm -23 "$old" "$new")
  rm -f "$old" "$new"
  if [ -n "$gone" ]; then echo "gone: $(echo "$gone" | tr '\n' ' ')" && return 1; fi
  command -v abidiff >/dev/null || { echo "no function is gone; structs were not compared: abidiff (abigail-tools) is not installed" && return 0; }
  status=0
  abidiff --no-added-syms "$1" "$2" || status=$?
  [ $((status & 12)) = 0 ] # 4: changed, 8: incompatible
}

itself() {
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  one='typedef struct { double x, y; } srs_s; double srs_a(const srs_s *s); double srs_a(const srs_s *s) { return s->x; }'
  two='typedef struct { float x; double y; } srs_s; double srs_a(const srs_s *s); double srs_a(const srs_s *s) { return s->x; }'
  more='int srs_b(void); int srs_b(void) { return 1; }'
  library() { echo "$2" >"$place/$1.c" && cc -g -shared -fPIC -o "$place/$1.so" "$place/$1.c"; }
  library old "$one" && library more "$one $more" && library other "$two" && library none "$more"
  compare "$place/old.so" "$place/more.so" >/dev/null || { echo "an addition was refused" && return 1; }
  if compare "$place/old.so" "$place/none.so" >/dev/null; then echo "a function that is gone was not seen" && return 1; fi
  if command -v abidiff >/dev/null && compare "$place/old.so" "$place/other.so" >/dev/null; then
    echo "a struct that changed was not seen" && return 1
  fi
  echo "additions pass, what is gone is seen"
}

case $# in
  0) itself ;;
  2) compare "$1" "$2" ;;
  *) echo "usage: sh tests/check_abi.sh OLD.so NEW.so" >&2 && exit 2 ;;
esac
