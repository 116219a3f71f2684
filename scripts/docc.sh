#!/bin/sh
# Builds the pages of the library for a browser: .build/docc for the module Sluice, and beside it .build/docc-SluicePipelines and so on
# for the others. A warning, such as a link that leads nowhere, is an error.
#
#     scripts/docc.sh                  builds the library first, in a folder of its own
#     scripts/docc.sh .build/debug     takes the library as it was built there
set -eu
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
modules="Sluice SluicePipelines SluiceTesting SluiceDecoding"
built=${1:-}
if [ -z "$built" ]; then
    for module in $modules; do swift build --target "$module" --scratch-path .build/docc-modules; done
    built=.build/docc-modules/debug
fi
# The compiler's own imports of C modules need their maps: written by hand, or made by the build.
set --
for map in Sources/C*/module.modulemap "$built"/C*.build/module.modulemap; do
    if [ -e "$map" ]; then set -- "$@" -Xcc "-fmodule-map-file=$map"; fi
done
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\([^"]*\)".*/\1/p' | head -n 1)
for module in $modules; do
    graphs=.build/symbols/$module
    pages=.build/docc
    # What a module adds to the types of another one has pages where these types are another module's.
    extensions=-emit-extension-block-symbols
    if [ "$module" = Sluice ]; then extensions=-omit-extension-block-symbols; else pages=.build/docc-$module; fi
    rm -rf "$graphs"
    mkdir -p "$graphs"
    swift-symbolgraph-extract -module-name "$module" -target "$target" -I "$built/Modules" "$@" $extensions \
        -minimum-access-level public -output-dir "$graphs"
    docc convert "Sources/$module/$module.docc" --warnings-as-errors \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --additional-symbol-graph-dir "$graphs" --output-dir "$pages"
    echo "docc.sh: $pages; look at it with: docc preview Sources/$module/$module.docc --additional-symbol-graph-dir $graphs"
done
