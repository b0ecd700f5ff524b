# shellcheck shell=bash
# Functions that run the steps of a check and print their results, for the scripts of this folder. Set `logs` before to a folder
# for the output of each step.

mkdir -p "$logs"
results="$logs/results"
: >"$results"

# step NAME "MEANING OF A FAILURE" COMMAND…
# Shows the lines of the output that begin with SKIPPED (a test that did not run), SLOW, or FLAKY (passed on the second attempt).
step() {
  local name=$1 meaning=$2 start=$SECONDS log="$logs/${1// /-}.log"
  shift 2
  if "$@" >"$log" 2>&1 </dev/null; then
    report "$(printf '%-22sok, %d s' "$name" $((SECONDS - start)))" "$(grep -Eo '(SKIPPED|SLOW|FLAKY): .*' "$log")"
    echo "passed $name" >>"$results"
  else
    report "$(printf '%-22sFAILED, %d s: %s' "$name" $((SECONDS - start)) "$meaning")" \
      "$(tail -n 60 "$log")" "$(rust_failures "$log")" "(complete log: $log)"
    echo "failed $name" >>"$results"
    grep -Eo '^FAILED: .*' "$log" >>"$results"
  fi
}

# Prints the messages of the failed Rust tests of a log. Cargo prints them before the results of other targets.
rust_failures() { grep -A 4 'panicked at' "$1" | head -n 60; }

# Prints the first line and the indented rest in one write, because another step may end at the same time.
report() {
  local first=$1
  shift
  printf '%s\n' "$first$(printf '%s\n' "$@" | sed '/^$/d; s/^/    /; 1s/^/\n/')"
}

rust_lints() { step "rust lints" "Clippy found problems" cargo clippy --locked --all-targets -- --deny warnings; }

frontend() { npm --prefix frontend run --silent "$@"; }

# Prints the failed steps and browser tests. The exit status is 1 if there are any.
finish() {
  local failed
  failed=$(sed -n 's/^failed //p' "$results" | paste -sd, | sed 's/,/, /g')
  echo
  [ -z "$failed" ] || printf 'Failed: %s\n' "$failed"
  grep '^FAILED: ' "$results"
  printf '%d passed, %d failed\n' "$(grep -c ^passed "$results")" "$(grep -c ^failed "$results")"
  [ -z "$failed" ]
}
