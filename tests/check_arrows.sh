#!/bin/sh
# Do the arrows run one way? Prints every #include that its folder may not have:
#   engine -> {collision, contact, topology}   collision -> topology   contact -> base   samples, docs -> public headers
# A quoted name is a path from the root. Other people's headers are free, but not in a public header: that takes the
# standard library and <sarrus/...> alone.
set -eu
cd "$(dirname "$0")/.."

public=$(sed -n 's/^set(public_headers \(.*\))$/\1/p' CMakeLists.txt)
[ -n "$public" ] || { echo "CMakeLists.txt: no line set(public_headers ...)" >&2; exit 1; }

complaints() { # in the working folder
  find topology collision contact engine samples docs \( -name '*.[ch]' -o -name '*.cpp' \) 2>/dev/null | sort | xargs -r awk -v public=" $public " '
    BEGIN {
      base = "<sarrus/base[.]h>|\"topology/base[a-z_]*[.]h\""
      may["topology"] = "<sarrus/(base|topology)[.]h>|\"topology/.*\""
      may["collision"] = may["topology"] "|<sarrus/(collision|ratio_metric|surfaces)[.]h>|\"collision/.*\""
      may["contact"] = base "|<sarrus/contact[.]h>|\"contact/.*\""
      may["engine"] = "<sarrus/.*>|\"(topology|collision|contact|engine)/.*\""
      may["samples"] = "<sarrus/.*>"
      may["docs"] = "<sarrus/.*>|\"docs/pictures/.*\""
    }
    FNR == 1 { split(FILENAME, part, "/"); is_public = index(public, " " FILENAME " ") }
    /^[ \t]*#[ \t]*include/ {
      name = $0
      sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
      sub(/[ \t]*(\/[\/*].*)?$/, "", name)
      if (name ~ /^<sarrus\// || name !~ /^</) fine = name ~ ("^(" may[part[1]] ")$") && !(is_public && name ~ /^"/)
      else fine = !is_public || name ~ /^<std[a-z]*[.]h>$/
      if (!fine) print FILENAME ":" FNR ": " part[1] "/ may not include " name
    }'
}

# First on a tree in which every include is wrong: a check that finds nothing there would find nothing here.
bad=$(mktemp -d)
trap 'rm -rf "$bad"' EXIT
(
  cd "$bad" && mkdir topology collision contact engine samples docs
  printf '#include <sarrus/engine.h>\n#include "engine/x.h"\n#include "spatial.h"\n' >topology/a.c
  printf '#include <sarrus/contact.h>\n # include "engine/x.h" // why\n' >collision/a.cpp
  printf '#include <sarrus/topology.h>\n#include "topology/model/model.h"\n' >contact/a.c
  printf '#include "tests/support/testing.h"\n' >engine/a.h
  printf '#include "engine/x.h"\n' >samples/a.c
  printf '#include "engine/x.h"\n' >docs/a.c
  printf '#include <libxml/tree.h>\n#include <math.h>\n#include "topology/model/model.h"\n' >topology/topology.h
  found=$(complaints | wc -l)
  [ "$found" = 13 ] || { echo "check_arrows.sh: 13 wrong includes planted, $found found" >&2; exit 1; }
)

wrong=$(complaints)
[ -z "$wrong" ] || { printf '%s\n' "$wrong"; exit 1; }
