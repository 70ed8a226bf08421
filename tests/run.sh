#!/bin/sh
# Does all of it hold? Builds with warnings as errors and tests, tests again under the sanitizers, runs the fuzzers, then
# looks at the form: formatting, static analysis, include arrows, public headers, installing, the demo. The last line sums
# all of it.
#   sh tests/run.sh           everything but the tests labelled `long`, whose number is told
#   sh tests/run.sh --long    these too, with and without sanitizers, and each fuzzer for 10 minutes in place of 30 s
# SARRUS_DATA names the folder of shared data; where it is set no test may be skipped.
set -u
cd "$(dirname "$0")/.." || exit 1

long=no
case ${1-} in
  '') ;;
  --long) long=yes ;;
  *) echo "usage: sh tests/run.sh [--long]" >&2 && exit 2 ;;
esac
if [ -n "${SARRUS_DATA-}" ]; then
  SARRUS_DATA=$(cd "$SARRUS_DATA" && pwd) || { echo "tests/run.sh: SARRUS_DATA is not a folder" >&2 && exit 2; }
  export SARRUS_DATA
else
  unset SARRUS_DATA
fi

jobs=$(nproc)
logs=$PWD/build/logs
passed=0 failed=0
rm -rf "$logs" && mkdir -p "$logs" || exit 1

# Each stage is one line with its time and that of the processors; the output of one that failed follows it and stays in
# build/logs.
begin() { # NAME
  log=$logs/$(echo "$1" | tr -c 'a-z0-9\n' '-').log
  tally
  begun=$(date +%s) used_before=$used
  printf '%-44s' "$1"
}
end() { # STATUS [REMARK]
  if [ "$1" = 0 ]; then word=ok; else word=FAILED; fi
  tally
  printf '%-7s%4d s, of processors %4d s%s\n' "$word" $(($(date +%s) - begun)) $((used - used_before)) "${2:+   $2}"
}
tally() { # used: the seconds that all programs so far had of the processors; within $(...) the shell would forget them
  times >"$log.times"
  used=$(awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%d", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$log.times")
  rm "$log.times"
}

# A stage that counts as one: check NAME COMMAND...
check() {
  begin "$1"
  shift
  "$@" >"$log" 2>&1
  status=$?
  end $status
  if [ $status = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    tail -n 500 "$log"
  fi
  return $status
}

# Stages that have one processor busy, beside what follows: beside FUNCTION, and before the total join. They are told together.
beside() {
  (
    # shellcheck disable=SC2030,SC2031  # told by the sum
    passed=0 failed=0
    "$1"
    echo "passed=$((passed)) failed=$((failed))" >"$logs/beside.sum"
  ) >"$logs/beside.out" 2>&1 &
}
join() {
  wait
  cat "$logs/beside.out"
  # shellcheck disable=SC1091,SC2031  # written above
  others_passed=$passed others_failed=$failed passed=0 failed=1 # where they ended before their sum
  if [ -e "$logs/beside.sum" ]; then . "$logs/beside.sum"; fi
  passed=$((passed + others_passed)) failed=$((failed + others_failed))
}

build() { # FOLDER OPTION...
  folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DSARRUS_WERROR=ON "$@" &&
    cmake --build "$folder" -j "$jobs"
}

# The demo comes first, in the folder of the build proper, so that what it builds is not built twice.
demo() {
  cmake --preset release -DSARRUS_WERROR=ON -DSARRUS_BUILD_BENCH=ON && sh samples/demo.sh
}

# -O2, little for debuggers, assertions on.
sanitized() {
  build build/test-asan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSARRUS_SANITIZE=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O2 -g1' \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O2 -g1'
}

fuzzers() { # clang's -O1: half the time to build, and nearly as many inputs a second
  command -v clang >/dev/null || { echo "clang is not installed (packages/gate.txt): nothing is fuzzed" && return 1; }
  CC=clang CXX=clang++ cmake -S . -B build/fuzz -G Ninja -DSARRUS_BUILD_FUZZ=ON -DSARRUS_BUILD_TESTS=OFF \
    -DSARRUS_BUILD_SAMPLES=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O1 -g1' \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' &&
    cmake --build build/fuzz -j "$jobs" --target fuzzers
}

unoptimised() { # other loads and stores, and assertions on; Python's interface is never without optimisation
  build build/test-debug -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DSARRUS_BUILD_TESTS=OFF \
    -DSARRUS_BUILD_PYTHON=OFF && build/test-debug/samples/arm_reach
}

for_avx512() { # one copy of the kernels, as -march=native gives on such a machine; compiled, not run
  [ "$(uname -m)" = x86_64 ] || { echo 'left out, this is no x86-64' && return 0; }
  cmake -S . -B build/avx512 -G Ninja -DSARRUS_BUILD_TESTS=OFF -DSARRUS_BUILD_SAMPLES=OFF -DSARRUS_BUILD_PYTHON=OFF \
    -DSARRUS_WERROR=ON -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-march=x86-64-v4 &&
    cmake --build build/avx512 -j "$jobs" --target sarrus_objects
}

instructions() { # the copy for any processor, counted by valgrind
  command -v valgrind >/dev/null || { echo 'instructions of kernels: left out, valgrind is not installed' && return 0; }
  cmake -S . -B build/gate -G Ninja -DSARRUS_BUILD_BENCH=ON -DSARRUS_BUILD_TESTS=OFF -DSARRUS_BUILD_SAMPLES=OFF \
    -DSARRUS_BUILD_PYTHON=OFF -DSARRUS_KERNEL_CLONES=OFF -DCMAKE_BUILD_TYPE=Release &&
    cmake --build build/gate -j "$jobs" --target bench_dynamics && sh tests/bench/gate/gate.sh build/gate
}

# A stage that counts as many as it has tests: suite NAME FOLDER [CTEST-OPTION...]
suite() {
  begin "$1"
  folder=$2
  shift 2
  ctest --test-dir "$folder" -j "$jobs" -V --output-junit "$log.xml" "$@" >"$log" 2>&1
  status=$?
  total=$(grep -c '<testcase ' "$log.xml")
  good=$(grep -c '<testcase .* status="run"' "$log.xml")
  bad=$((total - good))
  if [ $status != 0 ] || [ "$total" = 0 ]; then bad=$((bad > 0 ? bad : 1)); fi
  if [ $bad != 0 ]; then status=1; fi
  passed=$((passed + good)) failed=$((failed + bad))
  end $status "$good passed, $bad failed"
  if [ $status != 0 ]; then show_failed_tests; fi
}

show_failed_tests() { # what each of them said, then ctest's list of them
  list=$(sed -n '/^The following tests /,$p' "$log")
  for number in $(echo "$list" | sed -n 's/^[[:space:]]*\([0-9][0-9]*\) - .*/\1/p'); do
    grep "^$number: " "$log" | tail -n 200
  done
  if [ -n "$list" ]; then echo "$list"; else tail -n 40 "$log"; fi
}

long_tests() { ctest --test-dir "$1" -N -L '^long$' | sed -n 's/.*Test *#[0-9]*: //p'; } # FOLDER

# Every file tests/FOLDER/test_NAME.c has run as the test FOLDER/test_NAME, but for those named EXEMPT or in a folder so named.
nothing_forgotten() { # RESULTS EXEMPT...
  results=$1
  shift
  find tests -name 'test_*.c' | sed 's/^tests\///; s/\.c$//' | sort | while read -r name; do
    case " $* " in *" $name "* | *" ${name%%/*} "*) continue ;; esac
    grep -qE "<testcase name=\"$name\" .* status=\"(run|fail)\"" "$results" || echo "did not run: $name"
  done | { ! grep .; }
}

# A suite, and that nothing was forgotten: run_suite NAME FOLDER EXEMPT...
run_suite() {
  name=$1 tested=$2 results=$logs/$(echo "$1" | tr ' ' '-').log.xml
  shift 2
  if [ $long = yes ]; then
    suite "$name" "$tested"
  else
    suite "$name" "$tested" -LE '^long$'
    # shellcheck disable=SC2046  # a list of names
    set -- "$@" $(long_tests "$tested")
  fi
  check "$name: none forgotten" nothing_forgotten "$results" "$@"
}

# The names of the cases that were skipped; it fails where there are any.
nothing_skipped() { ! sed -n 's/^[0-9]*: \[  SKIPPED \] \([a-z_A-Z].*\)/\1/p' "$@" 2>/dev/null | sort -u | grep .; }

# What looks at the build, or at files alone, with one process.
on_one_processor() {
  check 'formatting' sh tests/check_format.sh
  check 'include arrows' sh tests/check_arrows.sh
  check 'public headers compile alone' sh tests/check_headers.sh build/release/include
  check 'installing and using what is installed' sh tests/check_install.sh build/release
  check 'Debian packages' sh tests/check_packages.sh build/release
  check 'the check of binary compatibility' sh tests/check_abi.sh
  check 'the wheel of the Python module' sh tests/check_wheel.sh build/release
  check 'the book' sh tools/book/build.sh build/book
  check 'commands of README and docs' sh tests/check_commands.sh build/release
}

check 'packages' sh packages/install.sh
check 'demo' demo
if check 'build' build build/release -DCMAKE_BUILD_TYPE=Release -DSARRUS_BUILD_BENCH=ON; then
  run_suite 'tests' build/release
fi
beside on_one_processor
if check 'build with sanitizers' sanitized; then
  run_suite 'tests with sanitizers' build/test-asan allocation
fi
if [ $long = no ] && [ -e build/release/CTestTestfile.cmake ]; then
  echo "left for --long: $(long_tests build/release | wc -l) tests"
fi
if [ -n "${SARRUS_DATA-}" ]; then
  check 'tests: none skipped' nothing_skipped "$logs"/tests*.log
elif skipped=$(nothing_skipped "$logs"/tests*.log); then :
else echo "skipped $(echo "$skipped" | wc -l) cases: SARRUS_DATA is not set and ../shared/data is not there"
fi
join

if check 'build fuzzers' fuzzers; then
  seconds=600 seed=0
  # A large corpus takes longer to read than 30 s; without it, and with one seed, the same inputs come on every run.
  if [ $long = no ]; then seconds=30 seed=1 && rm -rf build/fuzz/corpus; fi
  if check "fuzzing, $seconds s each" env SARRUS_FUZZ_SEED=$seed sh tests/run_fuzz.sh build/fuzz $seconds; then cat "$log"; fi
fi

check 'build without optimisation, one sample' unoptimised
if [ $long = yes ] && check 'instructions of kernels' instructions; then tail -n 12 "$log"; fi
if [ $long = yes ]; then check 'build for AVX-512' for_avx512; fi
check 'static analysis' sh tests/check_tidy.sh build/release

echo "$passed passed, $failed failed"
[ $failed = 0 ]
