#!/bin/sh
# Does a libbulletc show what bulletc.h declares? It may show more; our stand-in for it, "alone", may not. And does
# libbulletc have it all: the names are looked for in SARRUS_DATA/libbulletc-names.txt, where that is. The library must
# keep them to itself.
#   check_bulletc.sh LIBBULLETC.so LIBSARRUS.so [alone]
set -eu
cd "$(dirname "$0")/.."
bulletc=$1 library=$2 alone=${3-}
names=${SARRUS_DATA:-../shared/data}/libbulletc-names.txt
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

sed 's/\/\/.*//' collision/bullet/bulletc.h | grep -o '\bbt[A-Za-z0-9_]*(' | tr -d '(' | sort >"$place/declared"
[ -s "$place/declared" ] || { echo "collision/bullet/bulletc.h declares nothing" >&2; exit 1; }
nm -D --defined-only "$bulletc" | sed 's/.* //' | sort >"$place/shown"
comm -23 "$place/declared" "$place/shown" >"$place/missing"
[ ! -s "$place/missing" ] || { echo "$bulletc does not show:" >&2; cat "$place/missing" >&2; exit 1; }
if [ -n "$alone" ] && ! diff "$place/declared" "$place/shown"; then
  echo "$bulletc shows more than collision/bullet/bulletc.h declares" >&2 && exit 1
fi

if nm -D --defined-only "$library" | grep ' bt[A-Z]'; then echo "$library shows symbols of libbulletc" >&2; exit 1; fi

if [ -f "$names" ]; then
  sort "$names" >"$place/names"
  comm -23 "$place/declared" "$place/names" >"$place/unknown"
  [ ! -s "$place/unknown" ] || { echo "libbulletc has no:" >&2; cat "$place/unknown" >&2; exit 1; }
elif [ -n "${SARRUS_DATA-}" ]; then
  echo "$names is missing" >&2 && exit 1
else
  echo "[  SKIPPED ] names_are_those_of_libbulletc"
fi

# Each function that is declared is called: the list is no longer than it must be.
for name in $(cat "$place/declared"); do
  grep -q "\b$name(" collision/*/*.c || { echo "collision/bullet/bulletc.h declares $name, which nobody calls" >&2; exit 1; }
done
