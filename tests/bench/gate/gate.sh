#!/bin/sh
# Has a kernel become slower? Counts the instructions of ten kernels under valgrind and compares them with
# instructions.txt: fails where one takes 5 % more. Unlike times the counts are the same on every run.
#
#   sh tests/bench/gate/gate.sh BUILD           compares
#   sh tests/bench/gate/gate.sh BUILD --write   writes the table anew, which is to be done where a kernel became faster,
#                                               or slower for a reason that the commit gives
#
# BUILD is a release build of the copy for any processor, the same on all of x86-64:
#   cmake -S . -B BUILD -DSARRUS_BUILD_BENCH=ON -DSARRUS_KERNEL_CLONES=OFF -DSARRUS_BUILD_PYTHON=OFF
# The counts are of one compiler, which the table names; with another one nothing is compared.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
table=$folder/instructions.txt
[ $# = 1 ] || { [ $# = 2 ] && [ "$2" = --write ]; } || { echo "usage: sh $0 BUILD [--write]" >&2; exit 2; }
build=$1
program=$build/tests/bench/bench_dynamics

left_out() { echo "instructions of kernels: left out, $1"; exit 0; }
command -v valgrind >/dev/null || left_out 'valgrind is not installed'
[ -x "$program" ] || { echo "$0: no $program: build bench_dynamics there" >&2; exit 2; }
grep -q '^SARRUS_KERNEL_CLONES:BOOL=OFF' "$build/CMakeCache.txt" || { echo "$0: $build is not built with -DSARRUS_KERNEL_CLONES=OFF" >&2; exit 2; }
compiler=$("$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")" --version | head -n 1 | sed 's/^gcc /cc /') # one compiler by two names

count() { # MODEL QUANTITY: instructions a call
  line=$(sh "$folder/../callgrind.sh" "$program" "$1" "$2" sarrus 256) || return 1
  echo "$line" | sed 's/.*: \([0-9]*\) instructions.*/\1/'
}

if [ $# = 2 ]; then
  new=$(mktemp)
  trap 'rm -f "$new"' EXIT
  echo "# Instructions a call, of a release build with -DSARRUS_KERNEL_CLONES=OFF; written by gate.sh BUILD --write" >"$new"
  echo "# $compiler" >>"$new"
  for kernel in 'chain12 fk' 'chain12 rnea' 'chain12 crba' 'chain12 aba' 'chain12 lambda1' 'chain12 lambda12' 'chain12 step' \
    'anymal crba' 'anymal aba' 'anymal lambda12'; do
    # shellcheck disable=SC2086  # two words
    instructions=$(count $kernel)
    echo "$kernel $instructions" | tee -a "$new"
  done
  cp "$new" "$table"
  exit 0
fi

was=$(sed -n '2s/^# //p' "$table")
[ "$compiler" = "$was" ] || left_out "the table is of $was and this build of $compiler"
slower=0
printf '%-9s %-9s %8s %8s %7s\n' model kernel before now ratio
while read -r model quantity before; do
  case $model in '#'*) continue ;; esac
  now=$(count "$model" "$quantity" </dev/null)
  awk -v m="$model" -v k="$quantity" -v a="$before" -v b="$now" 'BEGIN {
    printf "%-9s %-9s %8d %8d %7.3f%s\n", m, k, a, b, b / a, (b > 1.05 * a ? "  more than 5 % slower" : "")
    exit (b > 1.05 * a) }' || slower=$((slower + 1))
done <"$table"
[ $slower = 0 ] || { echo "$slower kernels take over 5 % more instructions than tests/bench/gate/instructions.txt says" >&2; exit 1; }
