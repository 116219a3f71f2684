#!/bin/sh
# Checks that need no tool of their own: scripts parse, fixtures are JSON, lines end where their text does.
set -eu
cd "$(dirname "$0")/.."
failed=0

complain() {
    printf '%s\n' "$*" >&2
    failed=1
}

for script in scripts/*.sh fixtures/*.sh .ci/run; do
    bash -n "$script" || complain "$script: is not a shell script"
done

for file in fixtures/bookshop/*/*.json fixtures/recordings/*/*.json; do
    valid=$(sqlite3 :memory: "SELECT json_valid(CAST(readfile('$file') AS TEXT))")
    [ "$valid" = 1 ] || complain "$file: is not JSON"
done

for folder in scripts pipelines .ci Tests/Benchmarks/Floor; do
    if grep -rnE '[[:blank:]]+$' "$folder"; then complain "The lines above end in blanks."; fi
done
exit $failed
