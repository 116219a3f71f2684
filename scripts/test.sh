#!/bin/sh
# Runs the tests that are built, or those whose names match the first argument, a regular expression. Prints what failed,
# why tests were skipped, and a summary; the whole log is in .build/test.log.
#
# All tests run in processes side by side: those that compute, in four, since some wait for a server; those of the program, in four, and
# of its commands, which mostly wait for other processes; those of the library; and all others. Each process has as many threads as there are
# processors, and one that waits is in the way of none that computes. They are cut so that all of them end at about the same time.
set -eu
export NO_COLOR=1
cd "$(dirname "$0")/.."
log=.build/test.log
status=.build/test.status
computing='^SluiceSyncTests'
programs='^EndToEndTests'
commands='^SluiceCommandsTests'
library='^SluiceLibraryTests'

# Thousands of small stores are written and thrown away: in memory, where there is room, no disk is waited for.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -ge 4194304 ]; then
    TMPDIR=$(mktemp -d /dev/shm/XXXX)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    # The server of the tests runs as somebody else.
    chmod 711 "$TMPDIR"
fi

# Runs the tests that some arguments choose; its exit code goes to a file of its own.
run() {
    name=$1
    shift
    code=0
    .build/debug/sluicePackageTests.xctest --testing-library swift-testing --parallel "$@" || code=$?
    echo "$code" >"$status.$name"
    [ "$code" -le 1 ] || echo "error: the tests of the $name part ended with code $code"
}

# The runner's lines name every argument of every case, which is megabytes: those that tell nothing stay in the log.
tell() {
    awk '
        /^↳ (Testing Library Version|Target Platform)/ { next }
        /Test run with [0-9]+ test/ {
            for (i = 1; i < NF; i++) {
                if ($(i + 1) ~ /^tests?$/) tests += $i
                if ($(i + 1) ~ /^suites?$/) suites += $i
                if ($(i + 1) ~ /^seconds/ && $i > seconds) seconds = $i
                if ($(i + 1) ~ /^issues?/) issues += $i
            }
            next
        }
        /^(✘|↳)/ || /: error: / || /^(Fatal error|error:|💣)/ || /Program crashed/ { print substr($0, 1, 2000); fflush(); next }
        /^➜ .* skipped/ { skipped[$0]++; next }
        END {
            for (line in skipped) print line
            if (!tests) print "No test was run."
            else printf "%d tests in %d suites ended after %d seconds with %d issues.\n", tests, suites, seconds, issues
        }'
}

rm -f "$status".*
{
    if [ -n "${1:-}" ]; then
        run chosen --filter "$1"
    else
        run computing --filter "$computing\.[A-H]" &
        run computing-too --filter "$computing\.[I-Q]" &
        run computing-as-well --filter "$computing\.R" &
        run computing-at-last --filter "$computing\.[^A-R]" &
        run programs --filter "$programs\.[A-H]" &
        run programs-too --filter "$programs\.[I-Q]" &
        run programs-as-well --filter "$programs\.R" &
        run programs-at-last --filter "$programs\.[^A-R]" &
        run commands --filter "$commands" &
        run library --filter "$library" &
        run others --skip "$computing|$programs|$commands|$library" &
        wait
    fi
} 2>&1 | tee "$log" | tell
grep -q 'Test run with [1-9]' "$log" || exit 1
cat "$status".* | sort -n | tail -n 1 | grep -qx 0
