#!/bin/sh
# Do the commands of README and docs work? Runs, in an empty folder that has samples/ and build/release as the source tree has them,
#   every line of their ```sh blocks, in order, but for those that build or test everything, which other stages do;
#   every `sarrus ...` in a line of its own or within a sentence that names a file and has no placeholder (NAME, FILE, S);
#   README's CMake and C, built against what its own commands have installed; the whole scenes among the YAML;
#   docs/tutorials, whose blocks that begin with a comment of a file's name are written first.
# Runs without --duration are cut at 0.1 s, sweeps without --most-runs at 20 runs. Python's blocks have a test of their own, python/test_texts.
#   check_commands.sh BUILD
set -eu
cd "$(dirname "$0")/.."
source=$PWD
build=$(cd "$1" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
mkdir -p build/demo home # samples/demo.sh makes the folder
ln -s "$build" build/release
cp -r "$source/samples" samples
HOME=$place/home
export HOME

# FILE<tab>COMMAND for every command of a page, in order.
commands_of() { # PAGE
  awk -v page="$1" '
    function say(line) {
      sub(/[ \t]+#.*$/, "", line)
      sub(/^ +/, "", line)
      if (line != "") print page "\t" line
    }
    /^```/ { inside = !inside; language = substr($0, 4); next }
    inside { if (language == "sh") say($0); next }
    /^    (build\/release\/)?sarrus / { say($0); next }
    { line = $0
      while (match(line, /`sarrus [a-z]+ [^`]*`/)) {
        command = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        if (command ~ /(samples|build)\//) say(command)
      } }' "$source/$1"
}

# What a command becomes here; nothing where other stages run it, or it stands for many.
adapted() { # COMMAND
  case $1 in
    'sh samples/demo.sh'* | 'sh tests/run.sh'* | *--preset* | 'cmake -S'* | valgrind* | *cpack* | ctest* | *SARRUS_SOURCE=* | *'-m venv'* | *pip*) return ;;
  esac
  case $1 in
    'export PATH='*) return ;;
    'python3 '*) [ -z "$python" ] || echo "PYTHONPATH=$build/python $python ${1#python3 }"; return ;;
  esac
  echo "$1" | sed 's/^\(build\/release\/\)\{0,1\}sarrus /build\/release\/sarrus /' |
    sed '/sarrus run /{/--duration/!s/$/ --duration 0.1/;}; /sarrus sweep /{/--most-runs/!s/$/ --most-runs 20/;}' |
    grep -vE 'sarrus .*(^|[ /=])(NAME|FILE|DIR|SCENE|MODEL|PROBLEM|RUN|S|N|X|SUBCOMMAND|OUT|COLUMNS)([ .]|$)|\.\.\.|…' || :
}

sed -n '/^```c$/,/^```$/p' "$source/README.md" | grep -v '^```' >swing.c
ran=0 left=0 wrong=0
build/release/sarrus run samples/pendulum12.yaml --duration 1 --record-problems some --record 1 --out p.csv >/dev/null 2>&1
cp some/problem-*.hdf5 problem.hdf5
build/release/sarrus solve problem.hdf5 --json >theirs.json
build/release/sarrus solve problem.hdf5 --out solved.hdf5 >/dev/null
mv solved.hdf5 problem.hdf5

{
  commands_of README.md
  commands_of samples/README.md
  for page in "$source"/docs/*.md; do commands_of "docs/$(basename "$page")"; done
  for page in "$source"/docs/tutorials/*.md; do commands_of "docs/tutorials/$(basename "$page")"; done
} >commands
python=$(sed -n 's/^Python3_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")

# The files of a tutorial: blocks whose first line is "# NAME" or "// NAME".
awk 'FNR == 1 { inside = 0; file = "" }
  /^```/ { inside = !inside; is_first = inside; file = ""; next }
  inside && is_first && /^(#|\/\/) [a-z_]+\.(yaml|py|c)$/ { file = $2; printf "" >file }
  { is_first = 0 }
  inside && file != "" { print >file }' "$source"/docs/tutorials/*.md
tab=$(printf '\t')
while IFS=$tab read -r page command; do
  here=$(adapted "$command")
  if [ -z "$here" ]; then
    left=$((left + 1))
    continue
  fi
  ran=$((ran + 1))
  case $here in
    export*) eval "$here" && continue ;;
  esac
  if ! sh -c "$here" >output 2>&1 </dev/null; then
    echo "$page: $command"
    tail -n 5 output | sed 's/^/    /'
    wrong=$((wrong + 1))
  fi
done <commands

# README's CMake, for the program of its C.
{
  echo 'cmake_minimum_required(VERSION 3.25)'
  echo 'project(swing C CXX)'
  sed -n '/^```cmake$/,/^```$/p' "$source/README.md" | grep -v '^```'
} >CMakeLists.txt
ran=$((ran + 1))
if ! { cmake -S . -B swing-build -G Ninja -DCMAKE_PREFIX_PATH="$HOME/sarrus" && cmake --build swing-build && swing-build/swing; } >output 2>&1; then
  echo "README.md: its CMake"
  tail -n 5 output
  wrong=$((wrong + 1))
fi

# YAML: whole scenes of files that the samples have, sweeps, and what stands around an arm.
for page in scene control sweep; do
  awk -v page=$page '/^```yaml/ { inside = 1; n++; next } /^```/ { inside = 0 } inside { print >("samples/sweeps/" page n ".yaml") }' \
    "$source/docs/$page.md"
done
try() { # PAGE COMMAND...
  ran=$((ran + 1))
  if ! "$@" >output 2>&1 </dev/null; then
    echo "$*" && tail -n 5 output
    wrong=$((wrong + 1))
  fi
}
for scene in samples/sweeps/scene*.yaml samples/sweeps/control*.yaml samples/sweeps/sweep[0-9]*.yaml; do
  file=$(sed -n 's/.*file: \([a-z0-9]*\.urdf\).*/\1/p' "$scene" | head -n 1)
  if [ -n "$file" ] && [ ! -e "samples/$file" ]; then continue; fi # a robot of the reader's
  mv "$scene" samples/here.yaml
  if grep -q '^scene:' samples/here.yaml; then
    mv samples/here.yaml samples/sweeps/here.yaml
    try build/release/sarrus sweep samples/sweeps/here.yaml --most-runs 3 --out swept.csv
  elif grep -q '^models:' samples/here.yaml; then
    try build/release/sarrus run samples/here.yaml --duration 0.1 --out s.csv
  elif grep -q '^environment:' samples/here.yaml; then
    echo 'models: [{file: arm.urdf}]' >>samples/here.yaml
    try build/release/sarrus run samples/here.yaml --duration 0.1 --out s.csv
  fi
done

# C that is a piece of a program: it compiles where its names are known. Python that reads a run, where it can.
{
  echo '#include <sarrus/sarrus.h>'
  echo '#include <stdio.h>'
  echo 'void piece(srs_sim *sim, const srs_model *model, double *A, double *B, double *q, double *v, double *q_out, double *torques, int n, srs_status *status);'
  echo 'void piece(srs_sim *sim, const srs_model *model, double *A, double *B, double *q, double *v, double *q_out, double *torques, int n, srs_status *status) { srs_error error; char text[256];'
  awk '/^```c$/ { inside = 1; print "{"; next } /^```/ { if (inside) print "}"; inside = 0 } inside' "$source/docs/control.md"
  echo '}'
} >piece.c
try cc -Wall -Werror -fsyntax-only "-I$HOME/sarrus/include" piece.c
if [ -n "$python" ] && "$python" -c 'import h5py, pandas' 2>/dev/null; then
  build/release/sarrus run samples/pendulum12.yaml --duration 0.5 --contacts --out run.h5 --force >/dev/null 2>&1
  awk '/^```python$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/trajectories.md" >read.py
  try "$python" read.py
fi

echo "$ran commands ran, $wrong of them failed; $left are run by other stages or stand for many"
[ "$wrong" = 0 ] && [ "$ran" -ge 60 ]
