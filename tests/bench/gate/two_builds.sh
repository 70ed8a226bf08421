#!/bin/sh
# Has the library become faster? Runs bench_dynamics of two builds in turn, five times each, and prints the ratio of every
# row of time: its median and its least and greatest. Both builds for release.
#   sh tests/bench/gate/two_builds.sh BUILD_BEFORE BUILD_AFTER [--models LIST] [--quantities LIST]
set -eu
[ $# -ge 2 ] || { echo "usage: sh $0 BUILD_BEFORE BUILD_AFTER [--models LIST] [--quantities LIST]" >&2; exit 2; }
before=$1/tests/bench/bench_dynamics after=$2/tests/bench/bench_dynamics
for program in "$before" "$after"; do
  [ -x "$program" ] || { echo "$0: no program $program" >&2; exit 2; }
done
shift 2
rows() { # WHICH PROGRAM OPTION...: which, quantity, model, time
  which=$1
  shift
  "$@" --quick --engines sarrus 2>/dev/null | awk -v which="$which" '
    /, microseconds a call/ { sub(/, microseconds.*/, ""); quantity = $0; next }
    quantity != "" && NF >= 4 && $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9.]+$/ { print which "|" quantity "|" $1 "|" $3 }'
}
for _ in 1 2 3 4 5; do
  rows before "$before" "$@"
  rows after "$after" "$@"
done | awk -F'|' '
  { key = $2 "|" $3; if (!(key in seen)) { seen[key] = 1; order[++n] = key } }
  $1 == "before" { a[key, ++na[key]] = $4 }
  $1 == "after" { b[key, ++nb[key]] = $4 }
  function middle(list, k, i, j, t) {
    for (i = 2; i <= k; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
    return list[int((k + 1) / 2)]
  }
  END {
    printf "%-34s %-9s %9s %9s %6s   %s\n", "microseconds a call", "model", "before", "after", "ratio", "least to greatest"
    for (i = 1; i <= n; i++) {
      key = order[i]; k = na[key] < nb[key] ? na[key] : nb[key]
      for (j = 1; j <= k; j++) { x[j] = a[key, j]; y[j] = b[key, j]; r[j] = b[key, j] / a[key, j] }
      split(key, name, "|"); before = middle(x, k); after = middle(y, k); ratio = middle(r, k)
      printf "%-34s %-9s %9.3f %9.3f %6.2f   %.2f to %.2f\n", name[1], name[2], before, after, ratio, r[1], r[k]
    }
  }'
