#!/bin/sh
# Do two builds give the same results? Runs every sample scene of this tree with the command of each, on 1 and on 2 threads,
# and names each scene whose CSV, messages (but for times taken) or exit status differ in any byte. Scenes are read by both commands: they must
# know all of their words.
#   sh tests/compare_samples.sh BUILD_A BUILD_B [SCENE...]
# BUILD_A/sarrus and BUILD_B/sarrus are the commands; a scene is a name such as four_bar.
set -u
if [ $# -lt 2 ]; then
  echo 'usage: sh tests/compare_samples.sh BUILD_A BUILD_B [SCENE...]' >&2
  exit 2
fi
a=$(cd "$1" && pwd) && b=$(cd "$2" && pwd) || exit 2
shift 2
for build in "$a" "$b"; do
  [ -x "$build/sarrus" ] || { echo "compare_samples.sh: no command $build/sarrus" >&2; exit 2; }
done
cd "$(dirname "$0")/../samples" || exit 2
if [ $# = 0 ]; then
  for scene in *.yaml; do set -- "$@" "${scene%.yaml}"; done
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
run() { # BUILD NAME SCENE THREADS: writes NAME.csv and NAME.log
  : >"$out/$2.csv"
  OPENBLAS_NUM_THREADS=$4 OMP_NUM_THREADS=$4 "$1/sarrus" run "$3.yaml" --quiet --out "$out/$2.csv" >"$out/$2.log" 2>&1
  echo "exit status $?" >>"$out/$2.log"
  sed "/^wall time /d; /^realtime factor /d; s#$out/$2#OUT#g" "$out/$2.log" >"$out/$2.words"
}

different=0 compared=0
for scene in "$@"; do
  for threads in 1 2; do
    run "$a" a "$scene" "$threads"
    run "$b" b "$scene" "$threads"
    compared=$((compared + 1))
    for kind in csv words; do
      cmp -s "$out/a.$kind" "$out/b.$kind" && continue
      different=$((different + 1))
      if [ $kind = csv ]; then
        line=$(cmp "$out/a.csv" "$out/b.csv" 2>&1 | sed -n 's/.* line \([0-9]*\).*/, first in line \1/p')
        echo "$scene, $threads thread(s): the CSVs differ$line"
      else
        echo "$scene, $threads thread(s): the messages differ"
        diff "$out/a.words" "$out/b.words" | head -n 5
      fi
    done
  done
done
echo "$compared runs compared, $different differences"
[ $different = 0 ]
