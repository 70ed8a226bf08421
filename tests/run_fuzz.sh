#!/bin/sh
# Runs every fuzzer of BUILD (configured with SARRUS_BUILD_FUZZ) for SECONDS, as many at a time as there are processors,
# and prints a line for each: how many inputs it tried, and what it found. What one finds stays in BUILD/found/NAME;
# inputs that reach new code stay in BUILD/corpus/NAME and are where the next run goes on; reading them comes on top.
#   sh tests/run_fuzz.sh BUILD SECONDS [NAME...]
# The seed of the random inputs is SARRUS_FUZZ_SEED, 1 unless given: runs from the same corpus try the same inputs one
# after the other, as many as the time holds. 0 draws a new one. It is printed, to run again what failed.
# Seeds are tests/fuzz/corpus/NAME, the samples, and where SARRUS_DATA is set the robots and cases there.
set -u
if [ $# -lt 2 ]; then echo "usage: sh tests/run_fuzz.sh BUILD SECONDS [NAME...]" >&2 && exit 2; fi
tests=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
seconds=$2
shift 2
programs=$build/tests/fuzz
if [ $# = 0 ]; then
  # shellcheck disable=SC2046  # a list of names
  set -- $(sed -n 's/^.*fuzz_\([a-z]*\)\.c$/\1/p' <<LIST
$(ls "$tests"/fuzz/fuzz_*.c)
LIST
)
fi

more_seeds() { # NAME: folders
  case $1 in
    urdf) folders="$tests/../samples ${SARRUS_DATA:+$SARRUS_DATA/robots $SARRUS_DATA/cases}" ;;
    mjcf) folders="$tests/../samples $tests/oracle/mjcf ${SARRUS_DATA:+$SARRUS_DATA/mjcf}" ;;
    scene) folders="$tests/../samples ${SARRUS_DATA:+$SARRUS_DATA/cases}" ;;
    *) folders= ;;
  esac
  for folder in $folders; do [ -d "$folder" ] && echo "$folder"; done
}

fuzz() { # NAME
  log=$build/fuzz-$1.log found=$build/found/$1 corpus=$build/corpus/$1 dictionary=$tests/fuzz/$1.dict
  mkdir -p "$found" "$corpus" "$build/tmp/$1"
  # An input of 8 KiB may take 120 s (a busy machine), and a process 2.5 GB.
  # shellcheck disable=SC2046  # a list of folders
  TMPDIR=$build/tmp/$1 "$programs/fuzz_$1" -max_total_time="$seconds" -timeout=120 -report_slow_units=60 -rss_limit_mb=2560 -max_len=8192 \
    -print_final_stats=1 -seed="${SARRUS_FUZZ_SEED-1}" -close_fd_mask=1 -artifact_prefix="$found/" $([ -e "$dictionary" ] && echo "-dict=$dictionary") \
    "$corpus" "$tests/fuzz/corpus/$1" $(more_seeds "$1") >"$log" 2>&1
  status=$?
  rm -rf "$build/tmp/$1"
  seed=$(sed -n 's/^INFO: Seed: *//p' "$log")
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ $status = 0 ]; then
    printf '  %-10s %9s inputs, seed %s\n' "$1" "$count" "$seed"
  else
    printf '  %-10s %9s inputs, seed %s, then FAILED (%s)\n' "$1" "${count:-?}" "$seed" "$found"
    grep -E '^(==[0-9]+==|SUMMARY|not so|    #[0-9] )|runtime error|Test unit written' "$log" | head -n 40
  fi
  return $status
}

if [ "${SARRUS_FUZZ_ONE-}" = yes ]; then
  fuzz "$1"
else
  printf '%s\n' "$@" | SARRUS_FUZZ_ONE=yes xargs -n 1 -P "$(nproc)" sh "$0" "$build" "$seconds"
fi
