#!/bin/sh
# Writes the page of performance: what the benches print on this machine, which should have nothing else to do. Some ten
# minutes; engines that are installed (packages/peers.txt) stand beside ours.
# SARRUS_OTHER_BUILD: libbench_ours.so of another build, for a column beside this one's.
#   sh tools/book/performance.sh BUILD [PORTABLE] >docs/performance.md      BUILD with -DSARRUS_BUILD_BENCH=ON; PORTABLE, for the
# last section, with -DSARRUS_KERNEL_CLONES=OFF
set -eu
cd "$(dirname "$0")/../.."
bench=$(cd "$1/tests/bench" && pwd)
SARRUS_SOURCE=$PWD OPENBLAS_NUM_THREADS=1
export SARRUS_SOURCE OPENBLAS_NUM_THREADS

cat <<PAGE
# Performance

What the benches printed, as they stand, in one run on one machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores,
$(cc --version | head -n 1). Ratios travel better than times. \`sh tools/book/performance.sh BUILD\` makes the page anew;
[tests/bench](../tests/bench/README.md) says how each one measures, and on which machines other tables of these pages were made.

PAGE
table() { # TITLE PROGRAM [ARGUMENT...]
  echo "## $1"
  echo
  shift
  echo "\`$*\`"
  echo
  echo '```text'
  program=$1
  shift
  "$bench/$program" "$@" 2>&1
  echo '```'
  echo
}
table "Kinematics and dynamics" bench_dynamics ${SARRUS_OTHER_BUILD:+--other "$SARRUS_OTHER_BUILD"}
table "The pendulum of 12 links with contacts" bench_pendulum
table "Steps with contacts beside other engines" bench_contact_scenes
table "Batches of states" bench_batch
table "Derivatives" bench_derivatives
table "Code of one model" bench_generated
table "Rollouts on all cores" bench_rollout
table "Loops" bench_loops
table "Many links" bench_long
table "Minimal and redundant coordinates" bench_coordinates
table "One contact problem" bench_contact
table "Collision" bench_collision
table "Loading files" bench_loading
[ $# -ge 2 ] || exit 0
cat <<'PAGE'
## Steps with contacts

Where their instructions go, by part of the library (valgrind, the copy for any processor, the first 0.4 s of the samples). The rest is BLAS, the C library, and
functions whose name several parts have (`eliminate` and `divide` of the dense factors, a good half of `boxes_stacking`).

`sh tests/bench/gate/contact_steps.sh BUILD`

PAGE
SARRUS_SECONDS=0.4 sh tests/bench/gate/contact_steps.sh "$2"
