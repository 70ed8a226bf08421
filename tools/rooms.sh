#!/bin/sh
# Draws docs/pictures/rooms.svg: the rooms of tests/rooms.txt, one above what it stands on, and an arrow for each room that
# includes files of another. Arrows that only repeat a way through other rooms are left out.
#   sh tools/rooms.sh >docs/pictures/rooms.svg
set -eu
cd "$(dirname "$0")/.."
public=$(sed -n 's/^set(public_headers \(.*\))$/\1/p' CMakeLists.txt)

find topology collision contact engine -name '*.[ch]' | LC_ALL=C sort | awk -v public=" $public " -v list=tests/rooms.txt '
  function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
  function panel_of(room) { if (room ~ /^engine\/cli/) return "cli"; sub(/\/.*/, "", room); return room }
  function is_box(room) { return room ~ /\// }

  # A room stands for its files, and for the public header of its name; a folder for its other public headers.
  function room_of(path,    stem) {
    stem = path
    sub(/[.]h$/, "", stem)
    return stem in rank ? stem : folder_of(path)
  }

  function read_includes(file,    line, name, target, from, to) {
    if (index(public, " " file " ")) return
    from = room_of(file)
    while ((getline line <file) > 0) {
      if (line !~ /^[ \t]*#[ \t]*include[ \t]*(<sarrus\/|")/) continue
      name = line
      sub(/^[^<"]*[<"]/, "", name)
      sub(/[>"].*/, "", name)
      target = name ~ /^sarrus\// ? public_of[substr(name, 8)] : name
      to = room_of(target)
      if (from == to || !(to in rank) || !(from in rank)) continue
      if (index(public, " " target " ") && panel_of(from) == panel_of(to)) continue
      arrow[from, to] = 1
      reach[from, to] = 1
    }
    close(file)
  }

  # An arrow stays if no other room is on the way: reach is closed under steps through rooms, in the order of the list.
  function thin_arrows(    i, j, k, a, b, c) {
    for (k = 1; k <= n; k++) for (i = 1; i <= n; i++) for (j = 1; j <= n; j++)
      if ((room[i], room[k]) in reach && (room[k], room[j]) in reach) {
        reach[room[i], room[j]] = 1
        longer[room[i], room[j]] = 1
      }
    for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) {
      a = room[i]; b = room[j]
      if (!((a, b) in arrow) || (a, b) in longer) continue
      kept[a, b] = 1
      if (is_box(b)) into[a, panel_of(b)] = 1
    }
    for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) if (!is_box(room[j]) && (room[i], room[j]) in into) delete kept[room[i], room[j]]
  }

  # The level of a room: one above the highest room of its folder that it uses.
  function find_levels(    i, j, a, b, p) {
    for (i = 1; i <= n; i++) {
      a = room[i]
      if (!is_box(a)) continue
      p = panel_of(a)
      level[a] = 1
      for (j = 1; j < i; j++) {
        b = room[j]
        if ((a, b) in kept && panel_of(b) == p && level[b] >= level[a]) level[a] = level[b] + 1
      }
      if (level[a] > n_levels[p]) n_levels[p] = level[a]
      add_slot(p, level[a], a, 104)
    }
    # An arrow within a folder that skips levels passes between their rooms, at a narrow slot of its own.
    for (i = 1; i <= n; i++) for (j = 1; j < i; j++) {
      a = room[i]; b = room[j]
      if (!((a, b) in kept) || panel_of(a) != panel_of(b) || !is_box(b)) continue
      for (l = level[b] + 1; l < level[a]; l++) add_slot(panel_of(a), l, a ">" b ">" l, 26)
    }
  }
  function add_slot(p, l, name, width) { slot[p, l, ++n_slots[p, l]] = name; wide[name] = width; sum[p, l] += width }

  # Rooms of a level are put side by side, sorted by where their neighbours in the levels below and above are.
  function place_panel(p, centre, bottom,    l, i, x, pass) {
    for (l = 1; l <= n_levels[p]; l++) spread(p, l, centre, bottom)
    for (pass = 1; pass <= 6; pass++)
      for (l = 1; l <= n_levels[p]; l++) {
        for (i = 1; i <= n_slots[p, l]; i++) pull[slot[p, l, i]] = mean_of_neighbours(p, slot[p, l, i])
        sort_slots(p, l)
        spread(p, l, centre, bottom)
      }
  }
  function spread(p, l, centre, bottom,    x, i, name) {
    x = centre - sum[p, l] / 2
    for (i = 1; i <= n_slots[p, l]; i++) {
      name = slot[p, l, i]
      X[name] = x + wide[name] / 2
      Y[name] = bottom - 34 - (l - 1) * 54
      x += wide[name]
    }
  }
  function sort_slots(p, l,    i, j, name) {
    for (i = 2; i <= n_slots[p, l]; i++)
      for (j = i; j > 1 && pull[slot[p, l, j]] < pull[slot[p, l, j - 1]] - 1e-9; j--) {
        name = slot[p, l, j]; slot[p, l, j] = slot[p, l, j - 1]; slot[p, l, j - 1] = name
      }
  }
  function mean_of_neighbours(p, name,    i, j, part, n_near, total, path, m) {
    for (i = 1; i <= n; i++) for (j = 1; j < i; j++) {
      if (!((room[i], room[j]) in kept) || panel_of(room[i]) != p || panel_of(room[j]) != p) continue
      m = way(room[i], room[j], path)
      for (k = 1; k <= m; k++) if (path[k] == name) {
        if (k > 1) { total += X[path[k - 1]]; n_near++ }
        if (k < m) { total += X[path[k + 1]]; n_near++ }
      }
    }
    return n_near ? total / n_near : X[name]
  }
  # The slots that an arrow within a folder passes, from its room downwards.
  function way(a, b, path,    m, l) {
    path[m = 1] = a
    for (l = level[a] - 1; l > level[b]; l--) path[++m] = a ">" b ">" l
    path[++m] = b
    return m
  }

  function draw_within(a, b,    path, m, k, x, y, d, to) {
    m = way(a, b, path)
    x = X[a]; y = Y[a] + 14
    d = sprintf("M%d,%d", x, y)
    for (k = 2; k <= m; k++) {
      to = Y[path[k]] - (k == m ? 21 : 0)
      d = d sprintf("C%d,%d %d,%d %d,%d", x, (y + to) / 2, X[path[k]], (y + to) / 2, X[path[k]], to)
      x = X[path[k]]; y = to
    }
    printf "<path d=\"%s\" stroke=\"%s\" marker-end=\"url(#%s)\"/>\n", d, ink[panel_of(a)], panel_of(a)
  }
  # To topology an arrow from a lower level goes straight down; from higher ones it goes along a lane beside the panel.
  function draw_between(a, b,    p, q, x, y, u, v, side, d) {
    p = panel_of(a); q = panel_of(b)
    x = X[a]; y = Y[a] + 14; u = X[b]; v = Y[b] - 21
    if (q != "topology" && p != "cli") {
      side = X[b] < X[a] ? -1 : 1
      x += side * 46; y = Y[a]; u -= side * (is_box(b) ? 53 : wide[b] / 2 + 7); v = Y[b]
      d = sprintf("M%d,%dC%d,%d %d,%d %d,%d", x, y, x + side * 60, y, u - side * 60, v, u, v)
    } else if (level[a] == 1 || p == "cli") d = sprintf("M%d,%dC%d,%d %d,%d %d,%d", x, y, x, y + 44, u, v - 44, u, v)
    else {
      side = x < X[p] || (x == X[p] && u < x) ? -1 : 1
      x += side * 46; y = Y[a] + 8
      lane = X[p] + side * (wide[p] / 2 + 12 + 8 * n_lanes[p, side]++)
      if (!is_box(b)) { u = lane; v = foot_of[q] - high[q] - 7 }
      d = sprintf("M%d,%dL%d,%dQ%d,%d %d,%dL%d,%dC%d,%d %d,%d %d,%d", x, y, lane - side * 10, y, lane, y, lane, y + 10, lane, foot - 10,
        lane, foot + 40, u, v - 44, u, v)
    }
    printf "<path d=\"%s\" stroke=\"%s\" marker-end=\"url(#%s)\"/>\n", d, ink[q], q
  }

  function place(p, centre, width, bottom) {
    X[p] = centre
    wide[p] = width
    high[p] = n_levels[p] * 54 + 38
    Y[p] = bottom - high[p] + 16
    foot_of[p] = bottom
    place_panel(p, centre, bottom)
  }
  function draw_panel(p, title,    x, y) {
    x = X[p] - wide[p] / 2
    y = foot_of[p] - high[p]
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"9\" fill=\"%s\" fill-opacity=\"0.13\" stroke=\"%s\" stroke-opacity=\"0.5\"/>\n", x, y, wide[p], high[p], ink[p], ink[p]
    printf "<text x=\"%d\" y=\"%d\" fill=\"%s\" font-weight=\"bold\" font-size=\"15\">%s</text>\n", x + 12, y + 21, ink[p], title
  }
  function draw_box(a,    name) {
    name = a
    sub(/.*\//, "", name)
    printf "<rect x=\"%d\" y=\"%d\" width=\"92\" height=\"28\" rx=\"5\" fill=\"#fff\" stroke=\"%s\"/>", X[a] - 46, Y[a] - 14, ink[panel_of(a)]
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", X[a], Y[a] + 4.5, name
  }

  BEGIN {
    while ((getline line <list) > 0) if (line ~ /^[a-z_\/]+$/) { room[++n] = line; rank[line] = n }
    n_public = split(public, header, " ")
    for (i = 1; i <= n_public; i++) { name = header[i]; sub(/.*\//, "", name); public_of[name] = header[i] }
    ink["topology"] = "#30343a"; ink["contact"] = "#a34a00"; ink["collision"] = "#00573f"; ink["engine"] = "#003f62"; ink["cli"] = "#6b2a5b"
  }
  { read_includes($0) }
  END {
    thin_arrows()
    find_levels()
    width = 1000
    place("cli", 500, 340, n_levels["cli"] * 54 + 58)
    foot = foot_of["cli"] + n_levels["engine"] * 54 + 78
    place("engine", 500, 340, foot)
    place("contact", 145, 250, foot)
    place("collision", 855, 250, foot)
    X["topology"] = width / 2; wide["topology"] = width - 40; high["topology"] = 78; foot_of["topology"] = foot + 142
    for (l = 1; l <= n_levels["topology"]; l++) for (i = 1; i <= n_slots["topology", l]; i++) {
      a = slot["topology", l, i]
      X[a] = width / 2 + (l - (n_levels["topology"] + 1) / 2) * 170
      Y[a] = foot + 106 + (i - 1) * 40
    }
    height = foot + 162

    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#30343a\">\n", width, height, width, height
    print "<title>The rooms, and which of them include files of which</title>"
    print "<defs>"
    m = split("topology contact collision engine cli", panel, " ")
    for (i = 1; i <= m; i++)
      printf "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"1\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0.5L8,4L0,7.5z\" fill=\"%s\"/></marker>\n", panel[i], ink[panel[i]]
    print "</defs>"
    print "<rect width=\"100%\" height=\"100%\" rx=\"12\" fill=\"#fff\"/>"
    for (i = 1; i <= m; i++) draw_panel(panel[i], panel[i] == "cli" ? "engine/cli" : panel[i])
    print "<g fill=\"none\" stroke-width=\"1.3\">"
    for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) {
      a = room[i]; b = room[j]
      if (!((a, b) in kept)) continue
      if (panel_of(a) != panel_of(b)) draw_between(a, b)
      else if (panel_of(a) != "topology") draw_within(a, b)
      else printf "<path d=\"M%d,%dL%d,%d\" stroke=\"%s\" marker-end=\"url(#topology)\"/>\n", X[a] - 46, Y[a], X[b] + 53, Y[b], ink["topology"]
    }
    print "</g>"
    for (i = 1; i <= n; i++) if (is_box(room[i])) draw_box(room[i])
    print "</svg>"
  }'
