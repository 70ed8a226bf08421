#!/bin/sh
# Manual pages and completion of the command, from the text that --help prints.
#   pages.sh COMMAND OUT   COMMAND: the program sarrus; OUT: a folder, which gets
#     man1/sarrus.1, man1/sarrus-SUBCOMMAND.1     manual pages
#     sarrus.bash, _sarrus                        completion for bash and zsh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command=$1
out=$2
mkdir -p "$out/man1"
version=$("$command" --version | awk '{ print $NF; exit }')
texts=$out/help
rm -rf "$texts" "$out"/man1/*.1
mkdir "$texts"

"$command" --help >"$texts/sarrus"
names=$(sed -n '/^subcommands:/,/^$/s/^  \([a-z]*\)  *.*/\1/p' "$texts/sarrus")
[ -n "$names" ] || { echo "pages.sh: --help names no subcommand" >&2; exit 1; }
awk -v version="$version" -f "$here/manual.awk" "$texts/sarrus" >"$out/man1/sarrus.1"
for name in $names; do
  "$command" "$name" --help >"$texts/$name"
  what=$(sed -n "/^subcommands:/,/^$/s/^  $name  *//p" "$texts/sarrus")
  awk -v version="$version" -v name="$name" -v what="$what" -v others="$names" -f "$here/manual.awk" "$texts/$name" \
    >"$out/man1/sarrus-$name.1"
done

# Every subcommand is one record: its help, after a line with its name.
for name in $names; do
  echo "@ $name"
  cat "$texts/$name"
done >"$texts/all"
awk -v shell=bash -v names="$names" -f "$here/completion.awk" "$texts/sarrus" "$texts/all" >"$out/sarrus.bash"
awk -v shell=zsh -v names="$names" -f "$here/completion.awk" "$texts/sarrus" "$texts/all" >"$out/_sarrus"
rm -rf "$texts"
