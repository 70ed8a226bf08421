# A manual page from what --help prints. name: of a subcommand, "" for the command itself; what: it does; others: all.
function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

# Takes "--option VALUE  what it does" apart into option, value, text.
function take_apart(line,    gap) {
  sub(/^  /, "", line)
  option = value = ""
  while (match(line, /^-[a-z-]*(, )?/)) {
    option = option substr(line, 1, RLENGTH)
    line = substr(line, RLENGTH + 1)
  }
  if (line ~ /^ [^ ]/) {
    gap = match(substr(line, 2), / /)
    value = gap ? substr(line, 2, gap - 1) : substr(line, 2)
    if (value ~ /[A-Z|]/) line = substr(line, length(value) + 2)
    else value = ""
  }
  sub(/^ +/, "", line)
  text = line
}

function end_table() { if (in_table) print ".fi"; in_table = 0 }

# A line of a paragraph; those that begin with blanks keep their form.
function paragraph(line) {
  if (line ~ /^(  |\$ )/ && !in_table) { print ".PP"; print ".nf"; in_table = 1 }
  if (line !~ /^(  |\$ )/) end_table()
  if (line == "") print ".PP"
  else print escaped(line)
}

BEGIN {
  title = "sarrus" (name == "" ? "" : "-" name)
  printf ".TH %s 1 \"\" \"sarrus %s\" \"Sarrus\"\n", toupper(escaped(title)), version
  print ".SH NAME"
  print escaped(title) " \\- " escaped(name == "" ? "dynamics of articulated rigid bodies" : what)
}
/^usage: / {
  print ".SH SYNOPSIS"
  sub(/^usage: /, "")
  print ".B " escaped($0)
  print ".SH DESCRIPTION"
  next
}
/^(options|subcommands):$/ { end_table(); print ".SH " toupper(substr($0, 1, length($0) - 1)); in_list = 1; next }
in_list && /^  / {
  print ".TP"
  if (/^  -/) {
    take_apart($0)
    print "\\fB" escaped(option) "\\fR" (value == "" ? "" : " \\fI" escaped(value) "\\fR")
    print escaped(text)
  } else {
    print "\\fB" escaped($1) "\\fR"
    sub(/^ +[^ ]+ +/, "")
    print escaped($0)
  }
  next
}
in_list { in_list = 0; print ".SH NOTES"; next }
NR > 1 && !(was_blank && /^$/) { if (!(/^$/ && NR == 2)) paragraph($0) }
{ was_blank = /^$/ }
END {
  end_table()
  if (name == "") exit
  print ".SH EXIT STATUS"
  print "0 success, 1 the work failed, 2 wrong usage."
  print ".SH SEE ALSO"
  n = split(others, other, /[ \n]+/)
  line = ".BR sarrus (1)"
  for (i = 1; i <= n; i++)
    if (other[i] != "" && other[i] != name) line = line ",\n.BR sarrus\\-" other[i] " (1)"
  print line
}
