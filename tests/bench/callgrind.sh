#!/bin/sh
# Instructions a call, counted by valgrind: the difference of two runs of unequal length, so that starting up drops out.
#
#   tests/bench/callgrind.sh build/bench/tests/bench/bench_dynamics chain12 aba [engine [calls]]
#
# The build needs -DSARRUS_KERNEL_CLONES=OFF where valgrind does not know all of AVX2 (3.19 does not): what is counted is
# then the copy for any processor.
#
# Unlike a time this is the same on every run, and a change of 1 % can be seen. With SARRUS_CALLGRIND_OUT=FILE the longer
# run's profile is kept, for callgrind_annotate.
set -eu

if [ $# -lt 3 ]; then
  echo "usage: $0 BENCH_DYNAMICS MODEL QUANTITY [ENGINE [CALLS]]" >&2
  exit 2
fi
program=$1 model=$2 quantity=$3 engine=${4:-sarrus} calls=${5:-2048}

count() { # CALLS OUT: instructions of the whole run
  log=$(valgrind --tool=callgrind --callgrind-out-file="$2" "$program" --models "$model" --quantities "$quantity" \
    --engines "$engine" --count "$1" 2>&1) || {
    echo "$log" >&2
    case $log in
    *"nrecognised instruction"*) echo "$0: build with -DSARRUS_KERNEL_CLONES=OFF for this valgrind (docs/build.md)" >&2 ;;
    esac
    exit 1
  }
  echo "$log" | sed -n 's/^==[0-9]*== Collected : *//p'
}

short=$(count "$calls" /dev/null)
long=$(count $((3 * calls)) "${SARRUS_CALLGRIND_OUT:-/dev/null}")
echo "$model $quantity $engine: $(((long - short) / (2 * calls))) instructions a call"
