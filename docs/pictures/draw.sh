#!/bin/sh
# Draws the pictures of the docs from the samples, each line below one picture beside this script. The same program gives the
# same files.
#   sh docs/pictures/draw.sh [BUILD] [NAME...]   all, or those named, by BUILD/picture and BUILD/sarrus (default build/release)
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
if [ $# -gt 0 ]; then shift; fi
wanted=" $* "
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

is_wanted() { # NAME
  case $wanted in "  " | *" $1 "*) echo "$1" ;; *) return 1 ;; esac
}

scene() { # NAME TIMES OPTION...: of samples/NAME.yaml
  is_wanted "$1" || return 0
  name=$1 times=$2
  shift 2
  "$build/picture" scene "samples/$name.yaml" --at "$times" "$@" --out "docs/pictures/$name.svg"
}

# Samples (samples/README.md)
scene pendulum12 0,0.16,1,1.5 --view side
scene double_pendulum 0,0.5,1,1.5 --view side --trace tip
scene sphere 0,0.5,1
scene boxes_sliding 0,1 --view 25,15
scene boxes_stacking 0,2 --view 25,10 --size 150
scene arm_wipe 0 --view 30,20

# Linkages (docs/hinges.md)
scene sarrus_linkage 0,0.06,0.12 --view 125,22
scene four_bar 0,0.3,0.6,0.9 --trace crank --trace coupler
scene slider_crank 0,0.1,0.2,0.3 --view -20,25
scene stewart 0,0.5,1.5 --view 30,20
scene delta 0,0.5,1,2.5 --view 20,25 --trace platform
scene walker 0,0.5,1,1.5 --view -25,15
scene gripper 10 --view 20,15

# Hart and Anitescu's experiments (docs/experiments.md)
scene ellipse 0,0.5,1,2,4,20 --view top --columns 6 --size 170,150 --window -8,-1,8,11
scene disks 0,2,4,20 --view top --columns 2 --size 400
scene pyramid1 0,1,2,4 --view top
scene balance2 0,0.5,1,2 --view top
scene dice3 0,0.5,1,2 --view 35,25
scene setup6 0,0.25,0.5,2 --view 145,25

# Infeasibility, contacts being sought within REACH steps.
run_with() { # NAME REACH GAMMA H FILE.csv CONTACTS: prints the mean infeasibility; CONTACTS (true, false) in the file
  reach=$(awk "BEGIN { print $2 * $4 }")
  sed "s/ distance: [0-9.]*,/ distance: $reach,/; s/stabilisation: [0-9.]*}/stabilisation: $3}/; s/^dt: .*/dt: $4/; s/every: 1}/every: 1, contacts: $6}/" \
    "samples/$1.yaml" >"$place/scene.yaml"
  "$build/sarrus" run "$place/scene.yaml" --quiet --json --out "$5" | sed -n 's/.*"infeasibility_mean": \([^,]*\).*/\1/p'
}

over_time() { # NAME REACH H: stabilised and not
  is_wanted "$1_over_time" || return 0
  run_with "$1" "$2" 1 "$3" "$place/one.csv" true >/dev/null
  run_with "$1" "$2" 0 "$3" "$place/none.csv" true >/dev/null
  "$build/picture" plot "$place/one.csv" --and "$place/none.csv" --x time --y contact:infeasibility --label 'gamma = 1' \
    --label 'gamma = 0' --y-label 'infeasibility (m)' --out "docs/pictures/$1_over_time.svg"
}

against_step() { # NAME REACH H...: for four gammas
  is_wanted "$1_against_step" || return 0
  name=$1 steps=$2
  shift 2
  echo 'h,1,0.5,0.25,0' >"$place/steps.csv"
  for h in "$@"; do
    line=$h
    for gamma in 1 0.5 0.25 0; do line=$line,$(run_with "$name" "$steps" $gamma "$h" "$place/one.csv" false); done
    echo "$line" >>"$place/steps.csv"
  done
  "$build/picture" plot "$place/steps.csv" --x h --y 1,0.5,0.25,0 --log-x --log-y --label 'gamma = 1' --label 'gamma = 0.5' \
    --label 'gamma = 0.25' --label 'gamma = 0' --x-label 'step (s)' --y-label 'mean infeasibility (m)' \
    --out "docs/pictures/${name}_against_step.svg"
}

over_time ellipse 6 0.05
against_step ellipse 6 0.1 0.05 0.025 0.0125 0.00625 0.003125
against_step disks 6 0.1 0.05 0.025 0.0125

# Chakraborty, Berard, Akella & Trinkle's experiments (docs/experiments.md)
polygon() { # CORNERS H FILE.csv: the disc of samples/rolling_disc.yaml as a prism, by semi-implicit-euler
  awk -v n="$1" 'BEGIN {
    for (i = 0; i < n; i++) for (z = -1; z <= 1; z += 2)
      printf "%s[%.17g, %.17g, %g]", (i + z == -1 ? "" : ", "), cos(8 * atan2(1, 1) * i / n), sin(8 * atan2(1, 1) * i / n), 0.05 * z
  }' >"$place/points"
  every=$(awk "BEGIN { print int(0.05 / $2 + 0.5) }")
  sed "s/^integrator: .*/integrator: semi-implicit-euler/; s/^dt: .*/dt: $2/; s/energies: true/energies: true, every: $every/" \
    samples/rolling_disc.yaml | awk -v points="$place/points" '
    /kind: ellipsoid/ { getline text < points; print "    shapes: [{kind: hull, link: disc, points: [" text "]}]"; next } { print }' \
    >"$place/scene.yaml"
  "$build/sarrus" run "$place/scene.yaml" --quiet --out "$3" >/dev/null
}

disc_energy() { # against corners, against the step
  is_wanted disc_energy || return 0
  "$build/sarrus" run samples/rolling_disc.yaml --quiet --every 5 --out "$place/disc.csv" >/dev/null
  for n in 12 100 1000 10000; do polygon $n 0.01 "$place/corners_$n.csv"; done
  for h in 0.001 0.0005; do polygon 1000 $h "$place/step_$h.csv"; done
  "$build/picture" plot "$place/disc.csv" --and "$place/corners_10000.csv" --and "$place/corners_1000.csv" \
    --and "$place/corners_100.csv" --and "$place/corners_12.csv" --x time --y energy:kinetic --label disc --label '10000 corners' \
    --label '1000 corners' --label '100 corners' --label '12 corners' --y-label 'kinetic energy (J)' --y-range 0,7 \
    --out docs/pictures/disc_energy.svg
  "$build/picture" plot "$place/disc.csv" --and "$place/step_0.0005.csv" --and "$place/step_0.001.csv" \
    --and "$place/corners_1000.csv" --x time --y energy:kinetic --label disc --label 'h = 0.5 ms' --label 'h = 1 ms' \
    --label 'h = 10 ms' --y-label 'kinetic energy (J)' --y-range 0,7 --out docs/pictures/disc_energy_against_step.svg
}

# Of the contacts of samples/two_spheres.yaml: normal force times mu, friction, slip, from the state and the forces.
two_spheres() {
  is_wanted two_spheres || return 0
  "$build/sarrus" run samples/two_spheres.yaml --quiet --out "$place/spheres.csv" >/dev/null
  awk -F, -v OFS=, '
    NR == 1 {
      for (i = 1; i <= NF; i++) at[$i] = i
      for (k = 1; k <= 2; k++) for (i = 1; i <= NF; i++) if ($i ~ (k == 1 ? "larger" : "smaller") ".*:fx$") force[k] = i
      print "time,vx,vy,vz,wx,wy,wz,limit1,friction1,slip1,limit2,friction2,slip2"
      next
    }
    {
      for (i = 0; i < 3; i++) { q[i] = $(at["q:sphere.x"] + i); v[i] = $(at["v:sphere.vx"] + i); b[i] = $(at["v:sphere.wx"] + i) }
      s = $(at["q:sphere.qw"]); for (i = 0; i < 3; i++) u[i] = $(at["q:sphere.qx"] + i)
      for (i = 0; i < 3; i++) { j = (i + 1) % 3; k = (i + 2) % 3; t[i] = 2 * (u[j] * b[k] - u[k] * b[j]) }
      for (i = 0; i < 3; i++) { j = (i + 1) % 3; k = (i + 2) % 3; w[i] = b[i] + s * t[i] + u[j] * t[k] - u[k] * t[j] }
      line = $1 OFS v[0] OFS v[1] OFS v[2] OFS w[0] OFS w[1] OFS w[2]
      for (c = 1; c <= 2; c++) {
        n[0] = q[0]; n[1] = q[1] - (c == 1 ? 0 : 11.4); n[2] = q[2]
        length_ = sqrt(n[0]^2 + n[1]^2 + n[2]^2)
        push = 0; along = 0
        for (i = 0; i < 3; i++) { n[i] /= length_; push += n[i] * $(force[c] + i); along += n[i] * v[i] }
        if (push < 0) { push = -push; sign = -1 } else sign = 1
        friction = 0; slip = 0
        for (i = 0; i < 3; i++) {
          j = (i + 1) % 3; k = (i + 2) % 3
          friction += (sign * $(force[c] + i) - push * n[i])^2
          slip += (v[i] - along * n[i] - (w[j] * n[k] - w[k] * n[j]))^2
        }
        line = line OFS 0.2 * push OFS sqrt(friction) OFS (push > 1e-9 ? sqrt(slip) : 0)
      }
      print line
    }' "$place/spheres.csv" >"$place/forces.csv"
  "$build/picture" plot "$place/forces.csv" --x time --y vx,vy,vz,wx,wy,wz --y-label 'm/s, rad/s' \
    --out docs/pictures/two_spheres_velocity.svg
  for c in 1 2; do
    "$build/picture" plot "$place/forces.csv" --x time --y "limit$c,friction$c,slip$c" --label 'mu times normal force (N)' \
      --label 'friction (N)' --label 'sliding speed (m/s)' --y-label 'N, m/s' --out "docs/pictures/two_spheres_contact$c.svg"
  done
}

disc_energy
two_spheres
