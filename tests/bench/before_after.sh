#!/bin/sh
# How long do large problems take in one build beside another? Makes scenes whose problems have hundreds of rows, runs each with both commands in
# turn, and prints processor time (least of three runs, s), ratio, and how far the final coordinates differ.
#   sh tests/bench/before_after.sh BUILD_BEFORE BUILD_AFTER [SCENE...]
# BUILD/sarrus are the commands, both built for release. Scenes:
#   ladder   two chains with 60 rungs between them: 180 rows of loops in one tree
#   chain    a chain of 120 balls that falls on a floor: up to 360 rows in one tree, mncp-rlm
#   plm      the same with 120 balls, mncp-plm
#   lemke    the same with 45 balls, mlcp-lemke
#   block    729 balls in a face-centred lattice that falls apart: 3600 contacts, relaxed, one step
set -eu
[ $# -ge 2 ] || { echo 'usage: sh tests/bench/before_after.sh BUILD_BEFORE BUILD_AFTER [SCENE...]' >&2; exit 2; }
before=$1/sarrus after=$2/sarrus
for command in "$before" "$after"; do
  [ -x "$command" ] || { echo "before_after.sh: no command $command" >&2; exit 2; }
done
shift 2
[ $# -gt 0 ] || set -- ladder chain plm lemke block
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

ladder() {
  awk -v n=60 'BEGIN {
    print "models:\n  - name: ladder\n    links:"
    for (i = 1; i <= n; i++) {
      for (s = 1; s <= 2; s++)
        printf "      - {name: l%d_%d, mass: 0.1, com: [0, 0, -0.05], inertia: [1e-4, 1e-4, 1e-5]}\n", s, i
      printf "      - {name: r%d, mass: 0.1, com: [0.15, 0, 0], inertia: [1e-5, 1e-3, 1e-3]}\n", i
    }
    print "    joints:"
    for (i = 1; i <= n; i++) {
      for (s = 1; s <= 2; s++) {
        printf "      - {name: j%d_%d, kind: spherical, child: l%d_%d, ", s, i, s, i
        if (i > 1) printf "parent: l%d_%d, origin: {position: [0, 0, -0.1]}}\n", s, i - 1
        else printf "origin: {position: [%g, 0, 0]}}\n", 0.3 * (s - 1)
      }
      printf "      - {name: k%d, kind: spherical, child: r%d, parent: l1_%d, origin: {position: [0, 0, -0.1]}}\n", i, i, i
    }
    print "    closures:"
    for (i = 1; i <= n; i++)
      printf "      - {name: c%d, kind: point, frame_a: r%d, frame_b: l2_%d, pose_a: {position: [0.3, 0, 0]}, pose_b: {position: [0, 0, -0.1]}}\n", i, i, i
    print "initial: {v: {j1_1: [0, 1, 0], j1_2: [0, 1, 0.2]}}\nassemble: false\ndt: 0.001\nduration: 0.1"
  }'
}

balls() { # COUNT SOLVER
  awk -v n="$1" -v solver="$2" 'BEGIN {
    print "models:\n  - name: chain\n    base: floating\n    position: [0, 0, 0.06]\n    links:"
    for (i = 1; i <= n; i++) printf "      - {name: l%d, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n", i
    print "    joints:"
    for (i = 2; i <= n; i++)
      printf "      - {name: j%d, kind: spherical, child: l%d, parent: l%d, origin: {position: [%g, 0, 0]}}\n", i, i, i - 1, 0.12
    print "    shapes:"
    for (i = 1; i <= n; i++) printf "      - {link: l%d, kind: sphere, radius: 0.05}\n", i
    print "environment:\n  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}"
    print "contact: {friction: 0.4}\ninitial: {v: {root: [0.5, 0.3, 0, 0, 0, 0.5]}}\nsolver: {name: " solver "}\ndt: 0.001\nduration: 0.1"
  }'
}

block() {
  awk -v n="9" 'BEGIN {
    print "models:"
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        for (k = 0; k < n; k++) {
          printf "  - {name: b%d_%d_%d, base: floating, position: [%g, %g, %g], links: [{name: b, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}],\n", i, j, k, 0.1 * i + 0.05 * (k % 2), 0.1 * j + 0.05 * (k % 2), 0.07071 * k + 0.05
          print "     shapes: [{link: b, kind: sphere, radius: 0.05}]}"
        }
    print "environment:\n  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}"
    print "contact: {friction: 0.5}\nsolver: {name: relaxed}\ndt: 0.002\nduration: 0.002"
  }'
}

scene() {
  case $1 in
  ladder) ladder ;;
  chain) balls 120 mncp-rlm ;;
  plm) balls 120 mncp-plm ;;
  lemke) balls 45 mlcp-lemke ;;
  block) block ;;
  *) echo "before_after.sh: no scene $1" >&2; exit 2 ;;
  esac
}

seconds() { # COMMAND SCENE OUT: processor time of a run
  "$1" run "$2" --quiet --out "$3" >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
}

timed() { (seconds "$@"; times) | awk 'NR == 2 { split($1, t, /[ms]/); split($2, u, /[ms]/); print 60 * (t[1] + u[1]) + t[2] + u[2] }'; }

printf '%-8s %9s %9s %7s %12s\n' scene before after ratio 'differ by'
for name in "$@"; do
  scene "$name" >"$place/scene.yaml"
  a= b=
  for try in 1 2 3; do
    a="$a $(timed "$before" "$place/scene.yaml" "$place/a.csv")"
    b="$b $(timed "$after" "$place/scene.yaml" "$place/b.csv")"
  done
  worst=$(tail -qn 1 "$place/a.csv" "$place/b.csv" | awk -F, '
    NR == 1 { n = split($0, first) }
    NR == 2 { for (i = 1; i <= n; i++) { d = $i - first[i]; if (d < 0) d = -d; if (d > worst) worst = d } printf "%.1g", worst }')
  echo "$name $worst;$a;$b" | awk -F';' '
    function least(list, t, n, i, m) { n = split(list, t, " "); m = t[1]; for (i = 2; i <= n; i++) if (t[i] < m) m = t[i]; return m }
    { split($1, head, " "); a = least($2); b = least($3); printf "%-8s %9.2f %9.2f %7.2f %12s\n", head[1], a, b, b / a, head[2] }'
done
