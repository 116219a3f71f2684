#!/bin/sh
# Feeds one target of Tests/Fuzzing with inputs that the fuzzer makes up, until the time is over or something is found.
#
#     scripts/fuzz.sh TARGET SECONDS SEED          TARGET is yaml, json, jsonpath, link, swift or text
#     scripts/fuzz.sh TARGET FILE                  once more what a saved input did
#
# What was learnt is kept in .build/fuzz/corpus, and an input that was a finding in .build/fuzz/found.
set -eu
cd "$(dirname "$0")/.."
target=${1:?Name a target: yaml, json, jsonpath, link, swift or text.}
fuzzer=$PWD/.build/fuzz/release/sluice-fuzz
shared=${SLUICE_CONFORMANCE:-$PWD/../shared/conformance}
corpus=$PWD/.build/fuzz/corpus/$target
found=$PWD/.build/fuzz/found
# A trap belongs to the fuzzer, which saves the input, and not to Swift's own report. Swift hides references in spare
# bits, where the search for leaks does not see them.
export SLUICE_FUZZ_TARGET="$target" SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
limits="-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024"

if [ -f "${2:-}" ]; then
    # shellcheck disable=SC2086
    exec "$fuzzer" $limits "$2" </dev/null
fi
seconds=${2:-600}
seed=${3:-$(date +%s)}
mkdir -p "$corpus" "$found"
set --
for folder in "fixtures/fuzz/$target" $(
    case $target in
        yaml) echo fixtures/pipelines/valid fixtures/pipelines/invalid pipelines "$shared/yaml/data" ;;
        swift) echo Tests/SluiceLibraryTests Examples/Sources ;;
        json) echo fixtures/bookshop "$shared/json-parsing" "$shared/canonical-json/input" ;;
    esac
); do
    # The suites have a whole path, the project's own folders none.
    case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
    if [ -d "$folder" ]; then set -- "$@" "$folder"; fi
done
echo "Fuzzing $target for $seconds s with seed $seed."
# In a folder of its own: what an input names is not to be found there.
cd "$(mktemp -d)"
# shellcheck disable=SC2086
"$fuzzer" $limits -max_total_time="$seconds" -seed="$seed" -max_len=4096 -print_final_stats=1 -verbosity=1 \
    -dict="$OLDPWD/fixtures/fuzz/$target.dict" -artifact_prefix="$found/$target-" "$corpus" "$@" </dev/null || {
    newest=$(find "$found" -name "$target-*" -printf '%T@ .build/fuzz/found/%f\n' | sort -n | tail -n 1)
    echo "Found with seed $seed; to see it again: scripts/fuzz.sh $target ${newest#* }" >&2
    exit 1
}
