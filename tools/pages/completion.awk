# Completion for a shell, bash or zsh, from what --help prints of the command and of each subcommand.
# The first file is the command's own help; in the second each subcommand's follows a line "@ NAME".
function quoted(text) {
  gsub(/'/, "'\\''", text)
  return text
}

# What may follow an option: words, "files", or nothing known.
function choices(value, text,    list, n, part, i) {
  if (value ~ /^[a-z-]+(\|[a-z-]+)+$/) { gsub(/\|/, " ", value); return value }
  if (text ~ /^([a-z0-9]+-?[a-z0-9-]*, )+[a-z0-9-]+ or [a-z0-9-]+$/) {
    gsub(/,/, "", text)
    sub(/ or /, " ", text)
    return text
  }
  if (value ~ /^(FILE|DIR|RUN|OUT)/) return "files"
  return ""
}

function take_option(line,    name, value, rest) {
  match(line, /--[a-z-]+/)
  name = substr(line, RSTART, RLENGTH)
  rest = substr(line, RSTART + RLENGTH)
  value = ""
  if (rest ~ /^ [^ ]/) {
    value = rest
    sub(/^ /, "", value)
    sub(/ .*/, "", value)
    if (value !~ /[A-Z|]/) value = ""
    else rest = substr(rest, length(value) + 2)
  }
  sub(/^ +/, "", rest)
  n_options[now]++
  option[now, n_options[now]] = name
  value_of[now, n_options[now]] = value
  text_of[now, n_options[now]] = rest
}

FNR == NR {
  if (/^subcommands:/) in_commands = 1
  else if (/^$/) in_commands = 0
  else if (in_commands) { command = $1; sub(/^ +[^ ]+ +/, ""); does[command] = $0 }
  next
}
/^@ / { now = $2; in_options = 0; second[now] = ""; next }
/^options:$/ { in_options = 1; next }
/^usage: / { has_what = / WHAT / }
/^$/ { in_options = 0; next }
in_options && /^  .*--/ { take_option($0); next }
!in_options && has_what && /^  [a-z][a-z-]+  / && n_options[now] == 0 { second[now] = second[now] " " $1 }

function bash(    i, k, name, list, choice, files, unknown) {
  print "# Completion of sarrus for bash, made from what --help prints."
  print "_sarrus()\n{"
  print "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= second= values="
  print "  COMPREPLY=()"
  print "  if ((COMP_CWORD == 1)); then"
  printf "    COMPREPLY=($(compgen -W '%s --help --version' -- \"$word\"))\n    return\n  fi\n", list_of_commands()
  print "  case ${COMP_WORDS[1]} in"
  for (i = 1; i <= n_names; i++) {
    name = command_name[i]
    list = ""
    printf "  %s)\n", name
    for (k = 1; k <= n_options[name]; k++) list = list " " option[name, k]
    printf "    options='%s'\n", substr(list, 2)
    if (second[name] != "") printf "    second='%s'\n", substr(second[name], 2)
    files = unknown = ""
    print "    case $before in"
    for (k = 1; k <= n_options[name]; k++) {
      if (value_of[name, k] == "") continue
      choice = choices(value_of[name, k], text_of[name, k])
      if (choice == "files") files = files "|" option[name, k]
      else if (choice == "") unknown = unknown "|" option[name, k]
      else printf "    %s) values='%s' ;;\n", option[name, k], choice
    }
    if (files != "") printf "    %s) values=@ ;;\n", substr(files, 2)
    if (unknown != "") printf "    %s) values=- ;;\n", substr(unknown, 2)
    print "    esac\n    ;;"
  }
  print "  esac"
  print "  if [[ $values == - ]]; then return; fi # a number or a name that is not known here"
  print "  if [[ -n $values && $values != @ ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))"
  print "  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))"
  print "  elif [[ -z $values && -n $second && $COMP_CWORD == 3 ]]; then COMPREPLY=($(compgen -W \"$second\" -- \"$word\"))"
  print "  else\n    compopt -o filenames 2>/dev/null\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}"
  print "complete -F _sarrus sarrus"
}

function list_of_commands(    i, list) {
  for (i = 1; i <= n_names; i++) list = list " " command_name[i]
  return substr(list, 2)
}

# Text within [...] of _arguments: without what would end it.
function described(text) {
  gsub(/\[/, "(", text)
  gsub(/\]/, ")", text)
  gsub(/:/, " ", text)
  gsub(/\\/, " ", text)
  return quoted(text)
}

function zsh(    i, k, name, choice, action) {
  print "#compdef sarrus"
  print "# Completion of sarrus for zsh, made from what --help prints."
  print "_sarrus()\n{"
  print "  local context state line"
  print "  if (( CURRENT == 2 )); then\n    local -a commands=("
  for (i = 1; i <= n_names; i++) printf "      '%s:%s'\n", command_name[i], described(does[command_name[i]])
  print "    )\n    _describe subcommand commands\n    _arguments '--help[show the subcommands]' '--version[print the version]'\n    return\n  fi"
  print "  local name=${words[2]}\n  shift words\n  (( CURRENT-- ))\n  case $name in"
  for (i = 1; i <= n_names; i++) {
    name = command_name[i]
    printf "  %s)\n    _arguments \\\n", name
    for (k = 1; k <= n_options[name]; k++) {
      action = ""
      if (value_of[name, k] != "") {
        choice = choices(value_of[name, k], text_of[name, k])
        action = ":" described(value_of[name, k]) ":" (choice == "files" ? "_files" : choice == "" ? "" : "(" choice ")")
      }
      printf "      '*%s[%s]%s' \\\n", option[name, k], described(text_of[name, k]), action
    }
    print "      '1:file:_files' \\"
    printf "      '*:%s'\n    ;;\n", second[name] != "" ? "quantity:(" substr(second[name], 2) ")" : "file:_files"
  }
  print "  esac\n}\n_sarrus \"$@\""
}

END {
  n_names = split(names, command_name, /[ \n]+/)
  if (shell == "bash") bash()
  else zsh()
}
