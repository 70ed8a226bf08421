# A page in Markdown as Doxygen reads it: headings get the identifiers that GitHub gives them, after the page's own name, and links
# to headings become references to these.
function page_of(path) {
  sub(/[.]md$/, "", path)
  gsub(/[^A-Za-z0-9]/, "_", path)
  return path
}
function slug(title) {
  title = tolower(title)
  gsub(/\[|\]\([^)]*\)/, "", title)
  gsub(/[^a-z0-9 _-]/, "", title)
  gsub(/ /, "-", title)
  return title
}
# folder + a relative path, without ".."
function resolved(folder, path,    n, part, i, out) {
  n = split((folder == "" ? "" : folder "/") path, part, "/")
  out = ""
  for (i = 1; i <= n; i++) {
    if (part[i] == "..") { if (!sub(/\/[^\/]*$/, "", out)) out = "" }
    else if (part[i] != "." && part[i] != "") out = (out == "" ? "" : out "/") part[i]
  }
  return out
}
function linked(line,    out, target, file, anchor) {
  out = ""
  while (match(line, /\]\([^)#:]*#[^)]*\)/)) {
    target = substr(line, RSTART + 2, RLENGTH - 3)
    file = anchor = target
    sub(/#.*/, "", file)
    sub(/.*#/, "", anchor)
    file = file == "" ? here : resolved(folder, file)
    out = out substr(line, 1, RSTART - 1) "](@ref " page_of(file) "_" anchor ")"
    line = substr(line, RSTART + RLENGTH)
  }
  return out line
}
FNR == 1 {
  here = FILENAME
  root = ENVIRON["PWD"] "/"
  if (index(here, root) == 1) here = substr(here, length(root) + 1)
  folder = here
  if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
}
/^```/ { inside = !inside }
inside || /^(    |\t)/ { print; next }
/^#+ / && !/\{#/ {
  title = $0
  sub(/^#+ +/, "", title)
  id = slug(title)
  $0 = $0 " {#" page_of(here) "_" id (seen[id]++ ? "-" seen[id] - 1 : "") "}"
}
{ print linked($0) }
