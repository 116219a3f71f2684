#!/bin/sh
# Builds the pages of the library for a browser: .build/docc. A warning, such as a link that leads nowhere, is an error.
# Names a folder of symbol graphs first where they are there already.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
graphs=${1:-}
if [ -z "$graphs" ]; then
    graphs=.build/symbols
    rm -rf "$graphs"
    mkdir -p "$graphs"
    # The compiler writes them beside the module. A build folder of its own keeps the other one as it is.
    swift build --target Sluice --scratch-path .build/docc-modules \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs"
    find "$graphs" -name '*.symbols.json' ! -name 'Sluice.symbols.json' ! -name 'Sluice@*' -delete
fi
docc convert Sources/Sluice/Sluice.docc --warnings-as-errors \
    --fallback-display-name Sluice --fallback-bundle-identifier sluice \
    --additional-symbol-graph-dir "$graphs" --output-dir .build/docc
echo "docc.sh: .build/docc; look at it with: docc preview Sources/Sluice/Sluice.docc --additional-symbol-graph-dir $graphs"
