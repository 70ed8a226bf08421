#!/bin/sh
# Installs the Debian packages that are missing: `install.sh` those of gate.txt, `install.sh peers` those of peers.txt too.
# Says nothing and asks the network nothing when all are there. The German locale is for the tests alone: numbers must
# read and print the same under its decimal comma.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

lists=$here/gate.txt
case ${1-} in
  '') ;;
  peers) lists="$lists $here/peers.txt" ;;
  *) echo "usage: sh packages/install.sh [peers]" >&2 && exit 2 ;;
esac

command -v dpkg-query >/dev/null || { echo "install.sh: this is not Debian; install what $lists name, then go on" >&2; exit 1; }

missing=
# shellcheck disable=SC2086  # $lists is a list
for package in $(grep -hv '^#' $lists); do
  case $(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null) in
    installed*) ;;
    *) missing="$missing $package" ;;
  esac
done

if [ "$(id -u)" = 0 ]; then as_root=
elif command -v sudo >/dev/null; then as_root=sudo
else as_root=none
fi

if [ -n "$missing" ]; then
  [ "$as_root" != none ] || { echo "install.sh: neither root nor sudo here; as root: apt-get install$missing" >&2; exit 1; }
  echo "installing:$missing"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  # shellcheck disable=SC2086  # $as_root and $missing are lists
  if ! { $as_root apt-get update -q &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1
  then
    cat "$log" >&2
    echo "install.sh: apt-get could not install:$missing" >&2
    exit 1
  fi
fi

if ! locale -a 2>/dev/null | grep -qix 'de_DE\.utf-\{0,1\}8'; then
  if [ "$as_root" = none ]; then echo "install.sh: no locale de_DE.UTF-8 (tests only); as root: localedef -i de_DE -f UTF-8 de_DE.UTF-8" >&2
  else $as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8
  fi
fi
