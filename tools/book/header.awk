# C headers as Doxygen reads them: comments at the end of a line belong to what stands before them, lists of names after
# @param lose their blanks, and parts of several on one line get a line each.
function with_params(line) {
  # "@param q, v   nq, nv" -> "@param q,v nq, nv"
  while (match(line, /@param +[a-z_0-9A-Z]+, [a-z_0-9A-Z, ]*[a-z_0-9A-Z]  /)) {
    names = substr(line, RSTART, RLENGTH)
    gsub(/, +/, ",", names)
    line = substr(line, 1, RSTART - 1) names substr(line, RSTART + RLENGTH)
  }
  return line
}
# Elements of files are none of HTML, and #if is no link.
function plain(line) {
  gsub(/<mujoco>|<key>|<include>/, "`&`", line)
  gsub(/#if/, "`#if`", line)
  return line
}
/^[ \t]*\/\/\// { print with_params(plain($0)); next }
/;[ \t]*\/\/[^\/]/ || /,[ \t]*\/\/[^\/]/ { sub(/\/\/ ?/, "///< "); after = 1; print plain($0); next }
after && /^ +\/\/ / { sub(/\/\/ ?/, "///< "); print plain($0); next }
{ after = 0; print }
