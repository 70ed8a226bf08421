#!/bin/sh
# Where does the time of steps with contacts go? Runs sample scenes under valgrind and prints the share of the instructions of
# srs_sim_step that each part of the library takes by itself, as a table for docs/performance.md.
#   sh tests/bench/gate/contact_steps.sh BUILD [SCENE...]
# BUILD: for release, with -DSARRUS_KERNEL_CLONES=OFF. A function is told from others by its name: where several parts have one
# of that name it counts as the rest.
set -eu
[ $# -ge 1 ] || { echo "usage: sh $0 BUILD [SCENE...]" >&2; exit 2; }
command=$1/sarrus
samples=$(cd "$(dirname "$0")/../../../samples" && pwd)
[ -x "$command" ] || { echo "$0: no command $command" >&2; exit 2; }
command -v valgrind >/dev/null || { echo "$0: valgrind is not installed" >&2; exit 2; }
build=$1
shift
[ $# -gt 0 ] || set -- pendulum12 boxes_stacking grasp arm_wipe gripper_lift walker
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Each function's part, by the object that it is in.
(cd "$build/CMakeFiles/sarrus_objects.dir" && find . -name '*.o' | while read -r object; do
  case $object in
  ./collision/*) part=collision ;;
  ./contact/*) part=contact ;;
  ./engine/dynamics/*) part=dynamics ;;
  ./engine/rows/*) part=rows ;;
  ./engine/islands/*) part=islands ;;
  ./engine/conservation/*) part=sums ;;
  ./engine/step/* | ./engine/simulation/* | ./engine/state/* | ./engine/control/* | ./engine/loops/*) part=step ;;
  *) part=rest ;;
  esac
  nm --defined-only "$object" | awk -v part=$part '$2 ~ /^[tT]$/ { sub(/\..*/, "", $3); print $3, part }'
done) | sort -u >"$place/parts"

printf '| scene | steps | instructions a step | collision | dynamics | rows | islands | contact problems | momentum and energy | step | the rest |\n'
printf '|---|---|---|---|---|---|---|---|---|---|---|\n'
for scene in "$@"; do
  valgrind --tool=callgrind --toggle-collect=srs_sim_step --callgrind-out-file="$place/out" "$command" run "$samples/$scene.yaml" \
    --quiet --every 1 --duration "${SARRUS_SECONDS:-0.5}" --out "$place/run.csv" >"$place/log" 2>&1 || { tail -n 5 "$place/log" >&2; exit 1; }
  callgrind_annotate --threshold=100 "$place/out" 2>/dev/null | awk -v scene="$scene" '
    NR == FNR { if ($1 in part_of && part_of[$1] != $2) part_of[$1] = "rest"; else part_of[$1] = $2; next }
    /^ *[0-9,]+ \(.*PROGRAM TOTALS/ { total = $1; gsub(",", "", total); next }
    /^ *[0-9,]+ \(/ {
      n = $1; gsub(",", "", n)
      name = $0
      sub(/^ *[0-9,]+ \([^)]*\) */, "", name); sub(/^[^:]*:/, "", name); sub(/[ .].*/, "", name)
      sum[name in part_of ? part_of[name] : "rest"] += n
    }
    function share(part) { return sprintf("%.0f %%", 100 * sum[part] / total) }
    END {
      listed = 0
      for (p in sum) if (p != "rest") listed += sum[p]
      sum["rest"] = total - listed
      printf "%s %.0f | %s | %s | %s | %s | %s | %s | %s | %s |\n", scene, total, share("collision"), share("dynamics"), share("rows"), share("islands"), share("contact"), share("sums"), share("step"), share("rest")
    }' "$place/parts" - >"$place/row"
  steps=$(($(wc -l <"$place/run.csv") - 1))
  awk -v steps="$steps" '{ t = $2; sub(/^[^ ]* [^ ]* /, ""); printf "| %s | %d | %.0f %s\n", name, steps, t / steps, $0 }' name="$scene" "$place/row"
done
