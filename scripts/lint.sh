#!/bin/sh
# Checks that need no tool of their own: scripts parse, fixtures are JSON, lines end where their text does, words agree with
# numbers in one place, and `unsafe` stands where scripts/unsafe.txt says.
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

# Words that agree with a number come from one place.
if grep -rnE '== 1 \? *\(?"[a-zA-Z1]' Sources --include='*.swift' | grep -v '^Sources/SluiceJSON/'; then
    complain "The lines above choose a word by a number: use \`Plural\` (\`CountText\` in views)."
fi

# Above the stores, rows, bases and conflicts are written in one place. What other sources of a table say belongs to it.
if grep -rnE '\b(table|records)\)?\??\.(write|insert)\(|conflicts\.(insert|update)\(' Sources --include='*.swift' |
    grep -vE '^Sources/(Sluice|SluiceSQLStore|SluiceSQLiteStore|SluicePostgresStore|SluiceReconcile/Writing)/|^Sources/SluiceReconcile/Sources/OtherSourceBases[^/]*.swift:'; then
    complain "The lines above write to a store: make a \`RecordPlan\`, and have \`PlanWriter\` carry it out."
fi

# The C library has another name on another system.
for file in $(grep -rlE 'import Glibc' Sources --include='*.swift'); do
    grep -q 'canImport(Darwin)\|canImport(Glibc)' "$file" ||
        complain "$file: imports Glibc without \`#if canImport(Darwin)\`"
done
if grep -rnE '\b(Glibc|Darwin)\.[a-z]' Sources --include='*.swift'; then
    complain "The lines above name the C library of one system: call a function of \`SystemCalls.swift\`, or name the method otherwise."
fi

# Dispatch waits by the clock of the day on Linux, which people and services set.
if grep -rnE '\bwait\((timeout|wallTimeout):' Sources --include='*.swift'; then
    complain "The lines above wait longer where the clock is put back: use \`MonotonicSemaphore\`, or \`wait(seconds:)\` of a group."
fi

# What becomes of records is decided from values alone.
if grep -rnE '\bany [A-Z]|\bRecord(Store|Table)\b|[a-z]Ledger\b' Sources/SluicePlans Sources/SluiceMerge --include='*.swift'; then
    complain "The lines above name what reads or writes: have facts read above, and give them."
fi

allowed=$(sed -e 's/[[:blank:]]*#.*//' -e '/^$/d' scripts/unsafe.txt)
users=$(grep -rnw unsafe Sources --include='*.swift' | grep -vE '^[^:]+:[0-9]+:[[:blank:]]*//' | cut -d: -f1 | sort -u)
for file in $users; do
    isAllowed=
    for place in $allowed; do
        case $file in "$place" | "${place%/}"/*) isAllowed=1 && break ;; esac
    done
    [ "$isAllowed" ] || complain "$file: says \`unsafe\`; use what is safe, such as JSONDocument, or put the code into a wrapper"
done
for place in $allowed; do
    case "
$users" in *"
$place"*) ;; *) complain "scripts/unsafe.txt: nothing says \`unsafe\` any more in $place" ;; esac
done
exit $failed
