#!/bin/sh
# Is every file of ours as clang-format leaves it?
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2038  # our names hold no blanks
find topology collision contact engine python samples tools tests \( -name '*.[ch]' -o -name '*.cpp' \) 2>/dev/null |
  xargs -r clang-format --dry-run -Werror
