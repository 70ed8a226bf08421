#!/bin/sh
# Writes the page of performance, all of it: what the benches print on this machine, which should have nothing else to do. Some
# fifteen minutes; engines that are installed (packages/peers.txt), or where BUILD finds them, stand beside ours.
#   sh tools/book/performance.sh BUILD [PORTABLE] >docs/performance.md      BUILD with -DSARRUS_BUILD_BENCH=ON; PORTABLE, for the
# last section, with -DSARRUS_KERNEL_CLONES=OFF
# SARRUS_OTHER_BUILD: libbench_ours.so of another build, for a column beside this one's.
# SARRUS_QUICK=1: shorter batches of the first table, chains of up to 10^4 links, three runs of steps with contacts.
set -eu
cd "$(dirname "$0")/../.."
bench=$(cd "$1/tests/bench" && pwd) build=$1 quick=${SARRUS_QUICK:+--quick}
SARRUS_SOURCE=$PWD OPENBLAS_NUM_THREADS=1
export SARRUS_SOURCE OPENBLAS_NUM_THREADS

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; } # NAME: its value in the build
first() { sed -n "$2" "$1" 2>/dev/null | head -n 1; }            # FILE SED-COMMAND: the first line that it prints
peers() { # those of the first table, by their headers
  mujoco=$(first "$(cached MUJOCO_INCLUDE_DIR)/mujoco/mujoco.h" 's/^#define mjVERSION_HEADER *\(.\)\(.\)\(.\)$/MuJoCo \1.\2.\3/p')
  pinocchio=$(first "$(cached PINOCCHIO_INCLUDE_DIR)/pinocchio/config.hpp" 's/^# *define PINOCCHIO_VERSION "\(.*\)"/Pinocchio \1/p')
  rbdl=$(first "$(cached RBDL_INCLUDE_DIR)/rbdl/rbdl_config.h" \
    's/^#define RBDL_API_VERSION (\(.*\) << 16) + (\(.*\) << 8) + \(.*\)$/RBDL \1.\2.\3/p')
  echo "${mujoco:-no MuJoCo}, ${pinocchio:-no Pinocchio}, ${rbdl:-no RBDL}."
  [ -z "$pinocchio$rbdl" ] || echo "Pinocchio and RBDL by $("$(cached CMAKE_CXX_COMPILER)" --version | head -n 1), \`$(cached BENCH_PEER_FLAGS | tr ';' ' ')\`."
}
load() { cut -d ' ' -f 2 /proc/loadavg; } # of the last five minutes
begun=$(load)

cat <<PAGE
# Performance

What the benches printed, as they stand, in one run on one machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores,
$(cc --version | head -n 1). Ratios travel better than times. \`sh tools/book/performance.sh BUILD\` makes the page;
[tests/bench](../tests/bench/README.md) says how each one measures, and on which machines other tables of these pages were made.

PAGE
section() { # TITLE, and a remark under it from standard input
  echo "## $1"
  echo
  remark=$(cat)
  [ -z "$remark" ] || printf '%s\n\n' "$remark"
}
run() { # PROGRAM [ARGUMENT...]
  printf '`%s`\n\n```text\n' "$(echo "$*" | sed "s|/[^ ]*/||g")" # paths by their last part
  program=$1
  shift
  "$bench/$program" "$@" 2>&1
  printf '```\n\n'
}
table() { # TITLE PROGRAM [ARGUMENT...]
  section "$1" </dev/null
  shift
  run "$@"
}
peers | section "Kinematics and dynamics"
# shellcheck disable=SC2086  # an option or none
run bench_dynamics $quick --engines sarrus,mujoco,pinocchio,rbdl,batch ${SARRUS_OTHER_BUILD:+--other "$SARRUS_OTHER_BUILD"}
table "The pendulum of 12 links with contacts" bench_pendulum
section "Steps with contacts beside other engines" <<'REMARK'
The mean of the wall has its first step, which is solved from nothing, within it.
REMARK
run bench_contact_scenes ${SARRUS_QUICK:+3}
table "Batches of states" bench_batch
table "Derivatives" bench_derivatives
table "Code of one model" bench_generated
table "Rollouts on all cores" bench_rollout
table "Rollouts in lanes" bench_lanes
table "Loops" bench_loops
# shellcheck disable=SC2086
table "Many links" bench_long $quick
table "Minimal and redundant coordinates" bench_coordinates
table "One contact problem" bench_contact
table "Random contact problems" bench_solvers 500
table "Contact problems of others" bench_contact_problems
table "Collision" bench_collision
table "Loading files" bench_loading
echo "Processes that wanted a processor, mean of five minutes: $begun at the begin of this page, $(load) here."
[ $# -ge 2 ] || exit 0
echo
section "Steps with contacts" <<'REMARK'
Where their instructions go, by part of the library (valgrind, the copy for any processor, the first 0.4 s of the samples). The rest is BLAS, the C library, and
functions whose name several parts have (`eliminate` and `divide` of the dense factors, a good half of `boxes_stacking`).

`sh tests/bench/gate/contact_steps.sh BUILD`
REMARK
SARRUS_SECONDS=0.4 sh tests/bench/gate/contact_steps.sh "$2"
