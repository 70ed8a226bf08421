#!/bin/sh
# Writes the page of validation: what the tests of closed forms, experiments and other engines' figures found, each with
# the numbers that it printed. Some minutes.
#   sh tools/book/validation.sh BUILD >docs/validation.md      with SARRUS_DATA set, else the robots' rows are missing
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
most_lines=14 # of figures a check
SARRUS_SOURCE=$PWD SARRUS_COMMAND=$build/sarrus
export SARRUS_SOURCE SARRUS_COMMAND

# The comment at the head of a source, as one paragraph; lines that are set in stay as they are.
head_of() { awk '!/^\/\// { exit } { sub(/^\/\/ ?/, ""); print }' "$1"; }

# Checks and what they printed: "[ RUN      ] name", figures, "[       OK ] name".
rows() {
  awk -v most=$most_lines '
    /^\[ RUN/ { name = $4; gsub("_", " ", name); n = 0; next }
    /^\[       OK/ { print "- **" name "**"; figures(); name = ""; next }
    /^\[  (FAILED|ERROR|SKIPPED)/ && name != "" { print "- **" name "**: DOES NOT HOLD"; figures(); name = ""; next }
    /^\[/ || /SARRUS_SEED/ { next }
    name != "" && NF > 0 { line[n++] = $0 }
    function figures(  i) {
      if (n == 0) return
      print "  ```text"
      for (i = 0; i < n && i < most; i++) print "  " line[i]
      if (n > most) print "  ... " n - most " more lines"
      print "  ```"
    }'
}

cat <<'PAGE'
# Validation

What the engine is measured against: closed forms, conserved quantities, published experiments, and the figures of other engines. Each line is a check
that held when this page was made, with what it printed; `sh tools/book/validation.sh BUILD` makes the page anew.
`ctest --test-dir build/release -L experiments` runs them. What each unit of the code is tested for by itself is in `tests/unit`.

PAGE
section() { # TITLE FOLDER PREFIX
  echo "## $1"
  echo
  find "$2" -name 'test_*.c' | sort | while read -r source; do
    program=$build/tests/$3_$(basename "$source" .c)
    [ -x "$program" ] || continue
    echo "### $(basename "$source" .c | sed 's/^test_//; s/_/ /g')"
    echo
    head_of "$source"
    echo
    (cd "$build/tests" && "$program" 2>&1) | rows
    echo
  done
}
section "Figures of other engines and public files" tests/oracle oracle
section "Closed forms and conservation" tests/experiments/motion experiments
section "Loops and linkages" tests/experiments/loops experiments
section "Contact" tests/experiments/contact experiments
section "Published experiments" tests/experiments/papers experiments
