#!/bin/sh
# How well does a sweep use all cores? Short sweeps by one thread and by two take turns, so that other work on the machine
# meets both alike. Prints for each pair the runs a second by the clock and the processor time of a run, then the medians:
# the efficiency, (rate of two / rate of one) / 2, which means something on a quiet machine, and the processor time of two
# threads over that of one, which means something on any.
#   sh tests/bench/rollout/sweep_threads.sh [COMMAND [SWEEP [RUNS [PAIRS]]]]
set -eu
here=$(cd "$(dirname "$0")/../../.." && pwd)
command=${1:-$here/build/release/sarrus} sweep=${2:-$here/samples/sweeps/gear_grasp.yaml} runs=${3:-400} pairs=${4:-9}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# THREADS: runs a second, processor time of a run in ms
measure() (
  "$command" sweep "$sweep" --out "$folder/rows.csv" --force --quiet --threads "$1" --most-runs "$runs" >"$folder/said"
  times >"$folder/times"
  rate=$(sed -n 's/^now .* \([0-9.e+]*\) a second$/\1/p' "$folder/said")
  tail -n 1 "$folder/times" | tr 'ms' '  ' |
    awk -v rate="$rate" -v runs="$runs" '{ print rate, (60 * $1 + $2 + 60 * $3 + $4) / runs * 1000 }'
)

i=0
while [ "$i" -lt "$pairs" ]; do
  echo "$(measure 1) $(measure 2)"
  i=$((i + 1))
done | awk '
  function median(x, n,   i, k, t) {
    for (i = 2; i <= n; i++) for (k = i; k > 1 && x[k] < x[k - 1]; k--) { t = x[k]; x[k] = x[k - 1]; x[k - 1] = t }
    return x[int((n + 1) / 2)]
  }
  { printf "one thread: %g a second, %.3g ms; two: %g a second, %.3g ms\n", $1, $2, $3, $4
    efficiency[NR] = $3 / $1 / 2; processor[NR] = $4 / $2 }
  END { printf "efficiency %.3f, processor time of two over one %.3f\n", median(efficiency, NR), median(processor, NR) }'
