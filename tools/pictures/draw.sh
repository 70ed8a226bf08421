#!/bin/sh
# Draws the pictures of the docs, in docs/pictures: most from the samples, that of the rooms from the includes. The same program
# gives the same files.
#   sh tools/pictures/draw.sh [BUILD] [NAME...]   all, or those named, by BUILD/picture and BUILD/sarrus (default build/release)
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
  "$build/picture" scene "samples/$name.yaml" --at "$times" "$@" --out "docs/pictures/$room/$name.svg"
}

# Samples (samples/README.md)
room=samples
scene pendulum12 0,0.16,1,1.5 --view side
scene double_pendulum 0,0.5,1,1.5 --view side --trace tip
scene sphere 0,0.5,1
scene boxes_sliding 0,1 --view 25,15
scene boxes_stacking 0,2 --view 25,10 --size 150
scene arm_wipe 0 --view 30,20

if is_wanted pendulum_basin; then
  sed "s|count: 100|count: 150|; s|^scene: \.\./|scene: $PWD/samples/|" samples/sweeps/pendulum_basin.yaml >"$place/basin.yaml"
  "$build/sarrus" sweep "$place/basin.yaml" --out "$place/basin.csv" >/dev/null
  "$build/sarrus" plot "$place/basin.csv" turns --heat shoulder,elbow --size 560,460 --force --out "docs/pictures/$room/pendulum_basin.svg" >/dev/null
fi

# Linkages (docs/joints.md)
room=linkages
scene sarrus_linkage 0,0.06,0.12 --view 125,22
scene four_bar 0,0.3,0.6,0.9 --trace crank --trace coupler
scene slider_crank 0,0.1,0.2,0.3 --view -20,25
scene stewart 0,0.5,1.5 --view 30,20
scene delta 0,0.5,1,2.5 --view 20,25 --trace platform
scene walker 0,0.5,1,1.5 --view -25,15
scene gripper 10 --view 20,15

# Hart and Anitescu's experiments (docs/experiments.md)
room=hart_anitescu
scene ellipse 0,0.5,1,2,4,20 --view top --columns 6 --size 170,150 --window -8,-1,8,11
scene disks 0,2,4,20 --view top --columns 2 --size 400
scene pyramid1 0,1,2,4 --view top
scene balance2 0,0.5,1,2 --view top
scene dice3 0,0.5,1,2 --view 35,25
scene setup6 0,0.25,0.5,2 --view 145,25
scene brazil_nut 0,18.75,37.5,75 --view top --mark nut/disc

# Infeasibility, contacts being sought within REACH steps of 1 m/s.
run_with() { # NAME REACH GAMMA H FILE.csv CONTACTS: prints the mean infeasibility; CONTACTS (true, false) in the file
  reach=$(awk "BEGIN { print $2 * $4 }")
  sed "s/ distance: [0-9.]*,/ distance: $reach,/; s/error_reduction: [0-9.]*}/error_reduction: $3}/; s/^dt: .*/dt: $4/; s/every: 1}/every: 1, contacts: $6}/" \
    "samples/$1.yaml" >"$place/scene.yaml"
  "$build/sarrus" run "$place/scene.yaml" --quiet --json --out "$5" | sed -n 's/.*"infeasibility_mean": \([^,]*\).*/\1/p'
}

over_time() { # NAME REACH H LABEL: stabilised and not
  is_wanted "$1_over_time" || return 0
  run_with "$1" "$2" 1 "$3" "$place/one.csv" true >/dev/null
  run_with "$1" "$2" 0 "$3" "$place/none.csv" true >/dev/null
  "$build/picture" plot "$place/one.csv" --and "$place/none.csv" --x time --y contact:infeasibility --label 'gamma = 1' \
    --label 'gamma = 0' --y-label "$4" --out "docs/pictures/$room/$1_over_time.svg"
}

against_step() { # NAME REACH LABEL H...: for four gammas
  is_wanted "$1_against_step" || return 0
  name=$1 steps=$2 label=$3
  shift 3
  echo 'h,1,0.5,0.25,0' >"$place/steps.csv"
  for h in "$@"; do
    line=$h
    for gamma in 1 0.5 0.25 0; do line=$line,$(run_with "$name" "$steps" $gamma "$h" "$place/one.csv" false); done
    echo "$line" >>"$place/steps.csv"
  done
  "$build/picture" plot "$place/steps.csv" --x h --y 1,0.5,0.25,0 --log-x --log-y --label 'gamma = 1' --label 'gamma = 0.5' \
    --label 'gamma = 0.25' --label 'gamma = 0' --x-label 'step (s)' --y-label "$label" \
    --out "docs/pictures/$room/${name}_against_step.svg"
}

over_time ellipse 6 0.05 'infeasibility (m)'
against_step ellipse 6 'mean infeasibility (m)' 0.1 0.05 0.025 0.0125 0.00625 0.003125
against_step disks 6 'mean infeasibility (m)' 0.1 0.05 0.025 0.0125
for name in pyramid1 balance2 dice3 setup6; do over_time $name 1 0.01 infeasibility; done
for name in balance2 dice3 setup6; do against_step $name 1 'mean infeasibility' 0.02 0.01 0.005 0.0025; done
against_step pyramid1 1 'mean infeasibility' 0.04 0.02 0.01 0.005

# Corners (docs/corners.md)
room=corners
without_corners() { # NAME TIMES OPTION...: of samples/NAME.yaml with planes without end
  is_wanted "$1_convex" || return 0
  name=$1 times=$2
  shift 2
  sed 's/^\(contact: {.*\|  \)corners: max/\1corners: convex/' "samples/$name.yaml" >"$place/$name.yaml"
  "$build/picture" scene "$place/$name.yaml" --at "$times" "$@" --out "docs/pictures/$room/${name}_convex.svg"
}

scene hole 0,0.4,0.7,1 --contacts --view top --window -6,-3,6,3.5
without_corners hole 0,0.4,0.7,1 --contacts --view top --window -6,-3,6,3.5
scene table_edge 0,0.02,0.04,0.05,0.06,0.08,0.1 --overlay --window -0.55,-0.1,0.55,0.2 --size 480
without_corners table_edge 0,0.02,0.04,0.05,0.06,0.08,0.1 --overlay --window -0.55,-0.1,0.55,0.2 --size 480
scene stairs 0,0.06,0.12,0.2,0.26,1 --overlay --window -0.6,-0.1,0.8,0.45 --size 480
scene peg_in_slot 0,0.15,0.2,1 --view top --window -0.25,-0.2,0.25,0.3

if is_wanted hole_speed; then
  for form in max convex; do
    sed "s/^  corners: max/  corners: $form/" samples/hole.yaml >"$place/hole.yaml"
    "$build/sarrus" run "$place/hole.yaml" --quiet --out "$place/$form.csv" >/dev/null
  done
  "$build/picture" plot "$place/max.csv" --and "$place/convex.csv" --x time --y v:block.x --label max --label convex \
    --y-label 'speed of the block (m/s)' --y-range 0,4.5 --out "docs/pictures/$room/hole_speed.svg"
fi

# Smooth bodies (docs/experiments.md)
room=smooth_bodies
scene rolling_disc 0,0.5,1,1.5 --view top --overlay --size 480 --trace disc
scene two_spheres 0,3,3.4,3.7,4 --view 60,15 --overlay --size 480 --trace sphere

# The disc of rolling_disc.yaml as a prism with N corners, by the semi-implicit Euler method.
polygon() { # N H FILE.csv
  awk -v n="$1" 'BEGIN {
    for (i = 0; i < 2 * n; i++) {
      angle = 6.283185307179586 * (i % n) / n - 1.5707963267948966
      points = points sprintf("%s[%.15g, %.15g, %s]", i ? ", " : "", cos(angle), sin(angle), i < n ? -0.1 : 0.1)
    }
  }
  /shapes:/ { print "    shapes: [{kind: hull, link: disc, points: [" points "]}]"; next }
  /^integrator:/ { print "integrator: semi-implicit-euler"; next }
  { print }' samples/rolling_disc.yaml >"$place/polygon.yaml"
  "$build/sarrus" run "$place/polygon.yaml" --quiet --dt "$2" --out "$3" >/dev/null
}

if is_wanted rolling_disc_energy; then
  "$build/sarrus" run samples/rolling_disc.yaml --quiet --out "$place/disc.csv" >/dev/null
  for n in 10 100 1000 10000; do polygon $n 0.01 "$place/$n.csv"; done
  "$build/picture" plot "$place/disc.csv" --and "$place/10000.csv" --and "$place/1000.csv" --and "$place/100.csv" --and "$place/10.csv" \
    --x time --y energy:kinetic --label disc --label '10000 corners' --label '1000 corners' --label '100 corners' --label '10 corners' \
    --y-label 'kinetic energy (J)' --y-range 0,7 --out "docs/pictures/$room/rolling_disc_energy.svg"
fi

if is_wanted rolling_disc_against_step; then
  echo 'h,disc,1000,100' >"$place/steps.csv"
  for h in 0.04 0.02 0.01 0.005 0.0025; do
    "$build/sarrus" run samples/rolling_disc.yaml --quiet --dt $h --out "$place/disc.csv" >/dev/null
    polygon 1000 $h "$place/1000.csv"
    polygon 100 $h "$place/100.csv"
    echo "$h,$(for curve in disc 1000 100; do tail -n 1 "$place/$curve.csv" | cut -d, -f8; done | paste -sd,)" >>"$place/steps.csv"
  done
  "$build/picture" plot "$place/steps.csv" --x h --y disc,1000,100 --log-x --label disc --label '1000 corners' --label '100 corners' \
    --x-label 'step (s)' --y-label 'kinetic energy after 10 s (J)' --y-range 0,7 --out "docs/pictures/$room/rolling_disc_against_step.svg"
fi

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
    --out "docs/pictures/$room/two_spheres_velocity.svg"
  for c in 1 2; do
    "$build/picture" plot "$place/forces.csv" --x time --y "limit$c,friction$c,slip$c" --label 'mu times normal force (N)' \
      --label 'friction (N)' --label 'sliding speed (m/s)' --y-label 'N, m/s' --out "docs/pictures/$room/two_spheres_contact$c.svg"
  done
}

two_spheres
scene quasi_rigid 0,0.3356,0.5,0.7 --view top
scene grasp 0,0.02,0.03,3 --view top
scene gear_grasp 0,0.31,0.36,0.5 --view top --size 170 --window -0.05,-0.04,0.05,0.04

if is_wanted gear_grasp_success; then # 4410 runs: some minutes
  sed "s|^repeat: .*|repeat: 10|; s|^scene: \.\./|scene: $PWD/samples/|" samples/sweeps/gear_grasp.yaml >"$place/grasps.yaml"
  "$build/sarrus" sweep "$place/grasps.yaml" --out "$place/grasps.csv" >/dev/null
  "$build/sarrus" plot "$place/grasps.csv" success --heat x,y --size 560,460 --force --out "docs/pictures/$room/gear_grasp_success.svg" >/dev/null
fi

# Of samples/quasi_rigid.yaml with a layer of 5 cm and one of 1 m: the spring's force, and the energy with what is in the spring.
quasi_rigid() {
  is_wanted quasi_rigid || return 0
  for thickness in 0.05 1; do
    sed "s/thickness: 0.05/thickness: $thickness/" samples/quasi_rigid.yaml >"$place/quasi_rigid.yaml"
    "$build/sarrus" run "$place/quasi_rigid.yaml" --quiet --out "$place/quasi.csv" >/dev/null
    awk -F, -v OFS=, '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "time,height,velocity,spring,energy"; next }
      {
        y = $(at["q:disc.y"]); gives = y < 1 ? 1 - y : 0
        energy = $(at["energy:kinetic"]) + $(at["energy:potential"]) + 500 * gives^2
        print $1, y, $(at["v:disc.y"]), 1000 * gives, energy
      }' "$place/quasi.csv" >"$place/quasi_$thickness.csv"
  done
  set -- height 'height of the disc (m)' velocity 'velocity of the disc (m/s)' spring "force of the layer's spring (N)" energy 'energy (J)'
  while [ $# -gt 0 ]; do
    range=
    if [ "$1" = energy ]; then range='--y-range 9,15'; fi
    # shellcheck disable=SC2086
    "$build/picture" plot "$place/quasi_0.05.csv" --and "$place/quasi_1.csv" --x time --y "$1" --y-label "$2" --label '5 cm' \
      --label '1 m' $range --out "docs/pictures/$room/quasi_rigid_$1.svg"
    shift 2
  done
}

quasi_rigid

# Control (docs/control.md)
if is_wanted balance; then
  "$build/samples/balance" "$place/balance.csv" >/dev/null
  "$build/sarrus" plot "$place/balance.csv" q:slide --panel 'q:lower_hinge,q:upper_hinge' --size 480,150 \
    -o docs/pictures/control/balance.svg --force >/dev/null
fi
if is_wanted arm_polish; then
  "$build/samples/arm_polish" "$place/arm_polish.csv" >/dev/null
  "$build/sarrus" plot "$place/arm_polish.csv" 'contact:hand.2:floor:fz' --panel 'pose:tool:[xy]' --panel q:joint3 --size 480,190 \
    -o docs/pictures/control/arm_polish.svg --force >/dev/null
fi
if is_wanted swing_up; then
  "$build/samples/swing_up" "$place/swing_up.csv" >/dev/null
  "$build/sarrus" plot "$place/swing_up.csv" 'q:*' --panel 'tau:shoulder' --size 480,150 \
    -o docs/pictures/control/swing_up.svg --force >/dev/null
fi
if is_wanted stand; then
  "$build/samples/stand" "$place/stand.csv" >/dev/null
  "$build/sarrus" plot "$place/stand.csv" 'sensor:body:y' --panel 'sensor:*_*:fz' --size 480,150 \
    -o docs/pictures/control/stand.svg --force >/dev/null
fi
if is_wanted gripper_lift; then
  "$build/samples/gripper_lift" "$place/gripper_lift.csv" >/dev/null
  "$build/sarrus" plot "$place/gripper_lift.csv" 'sensor:box:[xz]' --panel 'sensor:grip_left:f?' --size 480,150 \
    -o docs/pictures/control/gripper_lift.svg --force >/dev/null
fi
if is_wanted computed_torque; then
  "$build/samples/computed_torque" "$place/computed_torque.csv" >/dev/null
  "$build/sarrus" plot "$place/computed_torque.csv" 'effort:joint[1-4]' --panel 'v:joint[1-4]' --size 480,150 \
    -o docs/pictures/control/computed_torque.svg --force >/dev/null
fi

if is_wanted rooms; then sh tools/rooms.sh >docs/pictures/rooms.svg; fi
