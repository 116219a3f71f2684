#!/usr/bin/env bash
# How long a program with one model takes that depends on this package by path: a clean build for debugging, as others have it, and
# another one of the program alone; processor seconds. A warning about the library, which its users could not mend, is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
# What tests are built with is nothing that others may set.
unset SLUICE_OPTIMIZED
root=$PWD
bar=60
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

mkdir -p "$work/program/Sources/program"
cat >"$work/program/Package.swift" <<END
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "program", dependencies: [.package(name: "sluice", path: "$root")],
    targets: [.executableTarget(name: "program", dependencies: [.product(name: "Sluice", package: "sluice")])])
END
cat >"$work/program/Sources/program/Program.swift" <<'END'
import Sluice

@PersistentModel struct Book {
    let id: Int
    var title: String
}

@main enum Program {
    static func main() async throws {
        let store = try Store.temporary(Book.self)
        var book = Book(id: 1, title: "Dune")
        try await store.save(&book)
        guard try await store.fetch(Book.all).map(\.title) == ["Dune"] else { fatalError("The book is not there.") }
    }
}
END

# Builds, and gives the seconds.
build() {
    local TIMEFORMAT="%U %S" code=0
    { time swift build --package-path "$work/program" >"$work/said" 2>&1; } 2>"$work/time" || code=$?
    if [ "$code" != 0 ] || grep -q 'warning:' "$work/said"; then
        cat "$work/said" >&2
        echo "package-build.sh: swift build fails or warns" >&2
        exit 1
    fi
    awk '{ print $1 + $2 }' "$work/time"
}

clean=$(build)
"$work/program/.build/debug/program"
echo "// Another line." >>"$work/program/Sources/program/Program.swift"
again=$(build)
awk -v clean="$clean" -v again="$again" -v bar="$bar" 'BEGIN {
    printf "a package that depends on the library, clean debug build: %.0f s, bar %d s: %s; %.1f s after a change\n",
        clean, bar, clean <= bar ? "pass" : "miss", again
}'
