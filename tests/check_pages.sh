#!/bin/sh
# Do the manual pages and the completion say what --help says? Every option of every subcommand is on its page, groff has
# nothing to warn of (where it is installed), and bash completes subcommands, options, words and quantities.
#   check_pages.sh COMMAND PAGES
set -eu
command=$1
pages=$2
status=0
complain() { echo "$1" >&2; status=1; }

names=$("$command" --help | sed -n '/^subcommands:/,/^$/s/^  \([a-z]*\)  *.*/\1/p')
[ -n "$names" ] || complain "--help names no subcommand"
for name in $names; do
  page=$pages/man1/sarrus-$name.1
  grep -q "^\\.BR sarrus..$name " "$pages/man1"/*.1 || complain "no page leads to sarrus-$name"
  grep -q "B$name.fR" "$pages/man1/sarrus.1" || complain "sarrus.1 does not name $name"
  for option in $("$command" "$name" --help | sed -n '/^options:/,/^$/s/^  .*\(--[a-z-]*\).*/\1/p' | sort -u); do
    sed 's/\\-/-/g' "$page" | grep -q -e "$option" || complain "$page has no $option"
    grep -q -e "$option" "$pages/sarrus.bash" || complain "sarrus.bash has no $option"
  done
done

if command -v groff >/dev/null; then
  for page in "$pages"/man1/*.1; do
    warnings=$(groff -man -ww -Tascii "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || complain "$page: $warnings"
  done
fi
if command -v zsh >/dev/null; then zsh -n "$pages/_sarrus" || status=1; fi

# expect WANTED WORD...: what the last word may become.
completed=$(bash -s -- "$pages/sarrus.bash" <<'END'
. "$1"
try() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _sarrus
  echo "$*: ${COMPREPLY[*]}"
}
try sarrus ru
try sarrus run --durat
try sarrus run --integrator mor
try sarrus run --base fl
try sarrus run --dt 1
try sarrus eval arm.urdf mass
END
)
[ "$completed" = 'sarrus ru: run
sarrus run --durat: --duration
sarrus run --integrator mor: moreau-midpoint
sarrus run --base fl: floating
sarrus run --dt 1: 
sarrus eval arm.urdf mass: mass-matrix' ] || complain "bash completes otherwise: $completed"
exit $status
