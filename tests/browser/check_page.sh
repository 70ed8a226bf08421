#!/bin/sh
# Does the page of `sarrus view` live in a browser? Runs the pendulum, lets headless Chromium, or Firefox, do what
# check_page.js says, and wants its verdict to be "good".  check_page.sh SARRUS BROWSER SOURCE [PYTHON3, for Firefox]
set -eu
sarrus=$1 browser=$2 source=$3 python=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$sarrus" run "$source/samples/pendulum12.yaml" --duration 10 --contacts --out "$folder/run.h5" --quiet >"$folder/summary"
"$sarrus" view "$folder/run.h5" --title '<b>pendulum</b>' --out "$folder/run.html" >"$folder/said"
# What the page complains of from its first line on is heard, and the checks come last.
{
  sed 's/^<body>$/<body><script>window.complaints = []; console.error = (...what) => window.complaints.push(what.join(" "));\
window.addEventListener("error", (event) => window.complaints.push(event.message));<\/script>/' "$folder/run.html"
  echo '<script>'
  cat "$source/tests/browser/check_page.js"
  echo '</script>'
} >"$folder/checked.html"
if [ -n "$python" ]; then
  verdict=$("$python" "$source/tests/browser/firefox.py" "$browser" "$folder/checked.html" document.body.dataset.verdict)
else
  HOME=$folder timeout 120 "$browser" --headless --no-sandbox --disable-gpu --use-gl=swiftshader --enable-unsafe-swiftshader \
    --no-first-run --user-data-dir="$folder/profile" --window-size=1200,800 --virtual-time-budget=5000 --dump-dom \
    "file://$folder/checked.html" >"$folder/dom" 2>"$folder/log" || { cat "$folder/log" && exit 1; }
  verdict=$(sed -n 's/.*data-verdict="\([^"]*\)".*/\1/p' "$folder/dom")
fi
echo "verdict: ${verdict:-none}"
[ "$verdict" = good ]
