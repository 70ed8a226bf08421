#!/bin/sh
# The demo: a chain of 12 links swings freely. Installs what is missing, builds, simulates, and says where the results are.
set -eu
cd "$(dirname "$0")/.."

sh packages/install.sh

echo "Building Sarrus (Release) in build/release ..."
mkdir -p build/demo
if ! { cmake --preset release && cmake --build --preset release --target sarrus_command; } >build/demo/build.log 2>&1; then
  cat build/demo/build.log >&2
  echo "demo.sh: the build failed; its log is build/demo/build.log" >&2
  exit 1
fi

echo "Simulating samples/chain12.yaml: 12 links, no contact ..."
build/release/sarrus run samples/chain12.yaml --out build/demo/chain12.csv

echo
echo "The trajectory:    build/demo/chain12.csv (time, q:<hinge> in rad, v:<hinge> in rad/s)"
echo "Its description:   build/demo/chain12.csv.yaml (scene, integrator, units)"
echo "Next:              build/release/sarrus info samples/arm.urdf; README.md has the tour"
