#!/bin/sh
# Do the arrows run one way? Reads the rooms in architecture order from tests/rooms.txt and prints, as FILE:LINE: WHAT,
#   every include that points upward, to a folder that its folder may not use, or past the public headers
#     (samples and tools take public headers, their own files and what rooms.txt allows, public headers public headers and the standard library);
#   every circle of files, where x.c and x.h are one unit, tests included;
#   every folder of more than 24 files beside its page, and every header that too many files know;
#   every room that the list does not name, or names though it is gone; a picture of the rooms that is not of today.
# In the library a quoted name is a path from the root. Other people's headers are free, but not in a public header.
set -eu
cd "$(dirname "$0")/.."

# Run in the root of a tree, with the public headers as the argument.
complaints() { # PUBLIC
  find topology collision contact engine samples tools tests -type f | LC_ALL=C sort | awk -v public=" $1 " -v list=tests/rooms.txt '
    function complain(where, what) { print where ": " what; n_complaints++ }
    function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
    function top_of(path) { sub(/\/.*/, "", path); return path }
    function unit_of(path) { sub(/[.](c|h|cpp)$/, "", path); return path }
    function is_public(path) { return index(public, " " path " ") > 0 }
    function is_library(path) { return top_of(path) ~ /^(topology|collision|contact|engine)$/ }

    # Whether a path is in one of some places: in the folder, or a file of that name with an ending.
    function is_in(path, places,    place, n, i) {
      n = split(places, place, " ")
      for (i = 1; i <= n; i++)
        if (index(path, place[i] "/") == 1 || index(path, place[i] ".") == 1) return 1
      return 0
    }

    function read_list(    line, n, word, i) {
      while ((getline line <list) > 0) {
        n_lines++
        n = split(line, word, " ")
        if (n == 0 || word[1] ~ /^#/) continue
        if (n == 1) { room[++n_rooms] = word[1]; rank[word[1]] = n_rooms; listed[word[1]] = n_lines }
        else if (word[2] == "may" && word[3] == "use") for (i = 4; i <= n; i++) may_use[word[1]] = may_use[word[1]] " " word[i]
        else if (n == 5 && word[1] == "at" && word[4] == "include") { most[word[5]] = word[3]; most_line[word[5]] = n_lines }
        else complain(list ":" n_lines, "neither a room nor a rule: " line)
      }
      close(list)
      if (!n_rooms) complain(list ":1", "names no room")
    }

    # The file of ours that an include means, "" if it is none.
    function target_of(name, file,    path) {
      path = substr(name, 2, length(name) - 2)
      if (name ~ /^<sarrus\//) return public_of[substr(path, 8)]
      if (name ~ /^</) return ""
      if (path in known) return path
      if (is_library(file)) return ""
      if (("tests/" path) in known) return "tests/" path
      return (folder_of(file) "/" path) in known ? folder_of(file) "/" path : ""
    }

    # Whether a room is no higher than another; rooms that the list does not name are refused elsewhere.
    function is_below(one, other) { return !(one in rank) || !(other in rank) || rank[one] <= rank[other] }

    # What is wrong with an include, "" if nothing is.
    function fault_of(file, name, target,    folder) {
      folder = top_of(file)
      if (is_public(file))
        if (name ~ /^"/ || (name !~ /^<sarrus\// && name !~ /^<std[a-z]*[.]h>$/))
          return "a public header may include public headers and the standard library, not " name
      if (folder == "tests" || (name ~ /^</ && name !~ /^<sarrus\//)) return ""
      if (target == "") return name ~ /^</ ? name " is no public header" : name " is no path from the root"
      if (folder == "samples" || folder == "tools")
        return name ~ /^</ || is_in(target, folder may_use[folder]) ? "" : folder " may include public headers and its own files, not " name
      if (!is_in(target, folder may_use[folder])) return folder " may not include " name
      if (is_public(target) || is_below(folder_of(target), folder_of(file))) return ""
      return folder_of(file) " is below " folder_of(target) ", but includes " name
    }

    function read_includes(file,    line, n, name, target, fault) {
      while ((getline line <file) > 0) {
        n++
        if (line !~ /^[ \t]*#[ \t]*include/) continue
        name = line
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
        sub(/[ \t]*(\/[\/*].*)?$/, "", name)
        target = target_of(name, file)
        fault = fault_of(file, name, target)
        if (fault != "") complain(file ":" n, fault)
        if (target == "") continue
        if (is_library(file)) n_includers[target]++
        add_arrow(unit_of(file), unit_of(target), file ":" n)
      }
      close(file)
    }

    function add_arrow(from, to, where) {
      if (from == to || (from, to) in place) return
      place[from, to] = where
      if (!(from in n_out)) { n_out[from] = 0; unit[++n_units] = from }
      out[from, ++n_out[from]] = to
    }

    # Units from which only units without circles are reached are on none: they are taken away until nothing changes.
    function peel(    changed, i, j, from, has) {
      do {
        changed = 0
        for (i = 1; i <= n_units; i++) {
          from = unit[i]
          if (gone[from]) continue
          has = 0
          for (j = 1; j <= n_out[from] && !has; j++) has = leads_on(from, out[from, j])
          if (!has) { gone[from] = 1; changed = 1 }
        }
      } while (changed)
    }
    function leads_on(from, to) { return (from, to) in place && to in n_out && !gone[to] }

    # The shortest circle through a unit: searched in breadth; complains of it and takes its arrows away. Whether there is one.
    function cut_circle(start,    queue, head, tail, before, from, to, j, path) {
      queue[1] = start; head = 1; tail = 1
      while (head <= tail) {
        from = queue[head++]
        for (j = 1; j <= n_out[from]; j++) {
          to = out[from, j]
          if (!leads_on(from, to) || to in before) continue
          before[to] = from
          if (to == start) break
          queue[++tail] = to
        }
        if (start in before) break
      }
      if (!(start in before)) return 0
      path = start
      for (to = start; ; to = from) {
        from = before[to]
        path = from " -> " path
        if (from == start) break
      }
      complain_of_circle(path)
      return 1
    }
    function complain_of_circle(path,    n, step, i) {
      n = split(path, step, " -> ")
      complain(place[step[1], step[2]], "a circle: " path)
      for (i = 1; i < n; i++) delete place[step[i], step[i + 1]]
    }
    function find_circles(    i) {
      peel()
      for (i = 1; i <= n_units; i++)
        while (!gone[unit[i]] && cut_circle(unit[i])) peel()
    }

    BEGIN {
      read_list()
      n_public = split(public, header, " ")
      for (i = 1; i <= n_public; i++) { name = header[i]; sub(/.*\//, "", name); public_of[name] = header[i] }
    }
    { known[$0]; path[NR] = $0 }
    END {
      for (i = 1; i <= NR; i++) {
        folder = folder_of(path[i])
        if (path[i] ~ /[.](c|h|cpp)$/) {
          if (is_library(path[i]) && !(folder in rank) && !(folder in seen))
            complain(path[i] ":1", list " does not name the room " folder)
          seen[folder]
          read_includes(path[i])
        }
        if (path[i] !~ /\/README[.]md$/ && path[i] !~ /^(samples|tests\/fuzz\/corpus)\// && ++n_files[folder] == 25)
          complain(path[i] ":1", folder " has more than 24 files beside its page")
      }
      for (i = 1; i <= n_rooms; i++)
        if (!(room[i] in seen)) complain(list ":" listed[room[i]], "there is no room " room[i])
      for (file in most) {
        if (!(file in known)) complain(list ":" most_line[file], "there is no file " file)
        if (n_includers[file] > most[file]) complain(file ":1", n_includers[file] " files include it, at most " most[file] " may")
      }
      find_circles()
      exit n_complaints > 0
    }'
}

# First on a tree with one fault of each kind: a check that misses one there would miss it here.
bad=$(mktemp -d)
trap 'rm -rf "$bad"' EXIT
plant() { # FILE LINE...: the lines of a file
  mkdir -p "$(dirname "$bad/$1")"
  file=$bad/$1
  shift
  printf '%s\n' "$@" >"$file"
}
plant tests/rooms.txt topology/base topology/model topology/lost topology 'contact may use topology/base' contact 'collision may use topology' \
  collision 'engine may use topology contact collision' engine/low engine/high engine 'at most 1 include engine/low/few.h' 'at most'
plant topology/base.h '#include <stdint.h>'
plant topology/topology.h '#include <sarrus/base.h>' '#include <libxml/tree.h>' '#include <math.h>' '#include "topology/base/low.h"'
plant topology/base/low.h '#include <sarrus/topology.h> // a public header stands outside the order'
plant topology/base/low.c '#include "topology/base/low.h"' '#include "topology/model/high.h" // why' '#include <sarrus/engine.h>'
plant topology/model/high.h '#include "base/low.h"' '#include <libxml/tree.h>'
plant contact/contact.h '#include <sarrus/base.h>'
plant contact/a.c '#include "topology/base/low.h"' '#include "topology/model/high.h"' '#include <sarrus/collision.h>'
plant collision/collision.h '#include <sarrus/topology.h>'
plant collision/a.cpp '  #  include "engine/low/few.h"'
plant engine/engine.h '#include <sarrus/none.h>'
plant engine/low/few.h '#include "engine/low/b.h"'
plant engine/low/b.h '#include "engine/low/c.h"'
plant engine/low/b.c '#include "engine/low/b.h"' '#include "engine/low/c.h"' '#include "engine/low/few.h"'
plant engine/low/c.h '#include "tests/support/testing.h"'
plant engine/low/c.c '#include "engine/low/c.h"' '#include "engine/low/b.h"'
plant engine/high/d.c '#include "engine/low/few.h"' '#include "engine/high/e.h"'
plant engine/high/e.h '#include "engine/high/f.h"'
plant engine/high/f.h '#include "engine/high/e.h"' '#include "engine/new/g.h"'
plant engine/new/g.c '#include "engine/low/b.h"'
plant engine/new/g.h ''
plant samples/a.c '#include <sarrus/engine.h>' '#include "engine/low/few.h"'
plant tools/t/a.c '#include "tools/t/a.h"' '#include "topology/base/low.h"'
plant tools/t/a.h ''
plant tests/support/testing.h '#include "support/more.h"'
plant tests/support/more.h '#include "testing.h"'
n=0
while [ $n -lt 25 ]; do
  plant tests/unit/$n.c '#include "engine/low/few.h"'
  n=$((n + 1))
done
(
  cd "$bad"
  complaints 'topology/base.h topology/topology.h contact/contact.h collision/collision.h engine/engine.h' || :
) | LC_ALL=C sort >"$bad/found"
LC_ALL=C sort >"$bad/planted" <<'END'
collision/a.cpp:1: collision may not include "engine/low/few.h"
contact/a.c:2: contact may not include "topology/model/high.h"
contact/a.c:3: contact may not include <sarrus/collision.h>
engine/engine.h:1: <sarrus/none.h> is no public header
engine/high/e.h:1: a circle: engine/high/e -> engine/high/f -> engine/high/e
engine/low/b.c:3: a circle: engine/low/b -> engine/low/few -> engine/low/b
engine/low/b.c:2: a circle: engine/low/b -> engine/low/c -> engine/low/b
engine/low/c.h:1: engine may not include "tests/support/testing.h"
engine/low/few.h:1: 3 files include it, at most 1 may
engine/new/g.c:1: tests/rooms.txt does not name the room engine/new
samples/a.c:2: samples may include public headers and its own files, not "engine/low/few.h"
tests/rooms.txt:14: neither a room nor a rule: at most
tests/rooms.txt:3: there is no room topology/lost
tests/support/more.h:1: a circle: tests/support/more -> tests/support/testing -> tests/support/more
tests/unit/9.c:1: tests/unit has more than 24 files beside its page
tools/t/a.c:2: tools may include public headers and its own files, not "topology/base/low.h"
topology/base/low.h:1: a circle: topology/base/low -> topology/topology -> topology/base/low
topology/base/low.c:2: topology/base is below topology/model, but includes "topology/model/high.h"
topology/base/low.c:3: topology may not include <sarrus/engine.h>
topology/model/high.h:1: "base/low.h" is no path from the root
topology/topology.h:2: a public header may include public headers and the standard library, not <libxml/tree.h>
topology/topology.h:3: a public header may include public headers and the standard library, not <math.h>
topology/topology.h:4: a public header may include public headers and the standard library, not "topology/base/low.h"
END
if ! diff "$bad/planted" "$bad/found" >&2; then
  echo 'check_arrows.sh: of the faults planted (<) these were found (>)' >&2
  exit 1
fi

public=$(sed -n 's/^set(public_headers \(.*\))$/\1/p' CMakeLists.txt)
[ -n "$public" ] || { echo "CMakeLists.txt: no line set(public_headers ...)" >&2; exit 1; }
status=0
complaints "$public" || status=1
sh tools/rooms.sh | cmp -s - docs/pictures/rooms.svg || {
  echo 'docs/pictures/rooms.svg:1: is not of today: run sh tools/rooms.sh >docs/pictures/rooms.svg'
  status=1
}
exit $status
