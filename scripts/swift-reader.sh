#!/bin/sh
# Compares what the reader of declarations finds in Swift files with what SwiftSyntax finds, type by type: in those of this
# package and in the interfaces of the toolchain, or in all below the folders that are named. Toolchains that have SwiftSyntax
# keep it for their own macros, so nothing else here may depend on it; with others this compares nothing, and says so.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
host=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host
if [ ! -e "$host/libSwiftParser.so" ]; then
    echo "Nothing was compared: this toolchain has no SwiftSyntax in $host."
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# shellcheck disable=SC2046
swiftc -O -package-name sluice -module-name SluiceDiagnostics -parse-as-library -emit-library -static \
    -emit-module -emit-module-path "$work/SluiceDiagnostics.swiftmodule" -o "$work/libSluiceDiagnostics.a" \
    $(find Sources/SluiceDiagnostics -name '*.swift')
# shellcheck disable=SC2046
swiftc -O -swift-version 5 -package-name sluice -module-name comparison -parse-as-library -suppress-warnings \
    -I "$work" -L "$work" -lSluiceDiagnostics \
    -I "$host" -L "$host" -Xlinker -rpath -Xlinker "$host" -lSwiftSyntax -lSwiftParser -o "$work/compare" \
    Tests/SwiftReader/Comparison.swift $(find Sources/SluiceSwift -name '*.swift')
if [ $# = 0 ]; then set -- Sources Tests Examples "$host/../linux"; fi
find "$@" \( -name '*.swift' -o -name '*.swiftinterface' \) ! -path '*/.build/*' | sort | "$work/compare"
