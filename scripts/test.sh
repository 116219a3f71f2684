#!/bin/sh
# Runs the tests that are built, or those whose names match the first argument, a regular expression. Prints what failed,
# why tests were skipped, and the runner's last line; the whole log is in .build/test.log.
set -eu
cd "$(dirname "$0")/.."
log=.build/test.log
status=.build/test.status

# The runner's lines name every argument of every case, which is megabytes: those that tell nothing stay in the log.
tell() {
    awk '
        /^↳ (Testing Library Version|Target Platform)/ { next }
        /^(✘|↳)/ || /: error: / || /^(Fatal error|error:|💣)/ || /Program crashed/ { print substr($0, 1, 2000); fflush(); next }
        /^➜ .* skipped/ { skipped[$0]++; next }
        /Test run with/ { last = $0 }
        END {
            for (line in skipped) print line
            print last != "" ? last : "No test was run."
        }'
}

rm -f "$status"
{
    if [ -n "${1:-}" ]; then
        swift test --skip-build --parallel --filter "$1"
    else
        swift test --skip-build --parallel
    fi && echo 0 >"$status" || echo $? >"$status"
} 2>&1 | tee "$log" | tell
grep -q 'Test run with [1-9]' "$log" || exit 1
exit "$(cat "$status")"
