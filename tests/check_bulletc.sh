#!/bin/sh
# Does the stand-in for libbulletc show what bulletc.h declares and nothing else? And does libbulletc have it all: the
# names are looked for in SARRUS_DATA/libbulletc-names.txt, where that is. The library must keep them to itself.
#   check_bulletc.sh LIBBULLETC.so LIBSARRUS.so
set -eu
cd "$(dirname "$0")/.."
stand_in=$1 library=$2
names=${SARRUS_DATA:-../shared/data}/libbulletc-names.txt
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

sed 's/\/\/.*//' collision/bullet/bulletc.h | grep -o '\bbt[A-Za-z0-9_]*(' | tr -d '(' | sort >"$place/declared"
[ -s "$place/declared" ] || { echo "collision/bullet/bulletc.h declares nothing" >&2; exit 1; }
nm -D --defined-only "$stand_in" | sed 's/.* //' | sort >"$place/shown"
diff "$place/declared" "$place/shown" || { echo "$stand_in does not show what collision/bullet/bulletc.h declares" >&2; exit 1; }

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
