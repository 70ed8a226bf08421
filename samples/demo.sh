#!/bin/sh
# The demo: a chain of 12 links strikes a floor, a wall and itself. Installs what is missing, builds, simulates, and says where
# the results are.
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

echo "Simulating samples/pendulum12.yaml: 12 links swing for 20 s between a floor and a wall ..."
build/release/sarrus run samples/pendulum12.yaml --contacts --out build/demo/pendulum12.csv
build/release/sarrus plot build/demo/pendulum12.csv q:hinge1,q:hinge6,q:hinge12 --panel 'v:hinge1,v:hinge12' \
  --title '12 links between a floor and a wall' --out build/demo/pendulum12.svg --force >/dev/null
page=
if build/release/sarrus view build/demo/pendulum12.csv --title '12 links between a floor and a wall' --force >build/demo/view.log 2>&1
then page=build/demo/pendulum12.html
fi

echo
echo "The trajectory:    build/demo/pendulum12.csv (time, q:<joint> in rad, v:<joint> in rad/s, contact forces)"
echo "Its description:   build/demo/pendulum12.csv.yaml (scene, integrator, units)"
echo "Its curves:        build/demo/pendulum12.svg (open it in a browser)"
if [ -n "$page" ]; then
  echo "Its motion:        $page (open it in a browser, for instance: xdg-open $page)"
else
  echo "Its motion:        not drawn; $(cat build/demo/view.log)"
fi
echo "Next:              build/release/sarrus run samples/boxes_sliding.yaml; README.md has the tour"
