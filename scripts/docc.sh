#!/bin/sh
# Builds the pages of the library for a browser: .build/docc. A warning, such as a link that leads nowhere, is an error.
#
#     scripts/docc.sh                  builds the library first, in a folder of its own
#     scripts/docc.sh .build/debug     takes the library as it was built there
set -eu
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
built=${1:-}
if [ -z "$built" ]; then
    swift build --target Sluice --scratch-path .build/docc-modules
    built=.build/docc-modules/debug
fi
graphs=.build/symbols
rm -rf "$graphs"
mkdir -p "$graphs"
# The compiler's own imports of C modules need their maps: written by hand, or made by the build.
set --
for map in Sources/C*/module.modulemap "$built"/C*.build/module.modulemap; do
    if [ -e "$map" ]; then set -- "$@" -Xcc "-fmodule-map-file=$map"; fi
done
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\([^"]*\)".*/\1/p' | head -n 1)
swift-symbolgraph-extract -module-name Sluice -target "$target" -I "$built/Modules" "$@" \
    -minimum-access-level public -output-dir "$graphs"
docc convert Sources/Sluice/Sluice.docc --warnings-as-errors \
    --fallback-display-name Sluice --fallback-bundle-identifier sluice \
    --additional-symbol-graph-dir "$graphs" --output-dir .build/docc
echo "docc.sh: .build/docc; look at it with: docc preview Sources/Sluice/Sluice.docc --additional-symbol-graph-dir $graphs"
