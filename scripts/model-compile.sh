#!/usr/bin/env bash
# How long the compiler takes for 100 models of 12 properties, and for the same structs without the macro: processor seconds.
# Needs what `make bench` builds; BUILD names another build folder.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
build=${BUILD:-.build/release}
count=${1:-100}
bar=60
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# Where the compiler's plugin was built.
plugin=
for tool in "$build/SluiceMacros-tool" .build/debug/SluiceMacros-tool; do
    if [ -z "$plugin" ] && [ -x "$tool" ]; then plugin=$tool; fi
done
if [ -z "$plugin" ]; then
    echo "model-compile.sh: there is no SluiceMacros-tool in $build. Build it with: swift build -c release" >&2
    exit 1
fi

# Writes the structs: with `models` as models, else plain.
write() {
    if [ "$1" = models ]; then echo "import Sluice"; fi
    for number in $(seq "$count"); do
        if [ "$1" = models ]; then echo '@PersistentModel(names: .snakeCase)'; fi
        echo "struct Model$number {"
        echo "    let id: Int"
        for name in number comments userId; do echo "    var $name: Int"; done
        for name in title state createdAt updatedAt; do echo "    var $name: String"; done
        for name in closedAt body; do echo "    var $name: String?"; done
        echo "    var score: Double"
        echo "    var isLocked: Bool"
        echo "}"
    done
}

# Compiles a file with some flags, and gives the seconds.
compile() {
    local TIMEFORMAT="%U %S"
    { time swiftc -parse-as-library -swift-version 6 -module-name Models -c -o "$work/models.o" \
        -module-cache-path "$work/cache" -I "$build/Modules" \
        -Xcc -fmodule-map-file="$build/CSluiceSQLite.build/module.modulemap" \
        -Xcc -fmodule-map-file="$build/CSluiceSimdjson.build/module.modulemap" \
        -Xfrontend -load-plugin-executable -Xfrontend "$plugin#SluiceMacros" "$@" >"$work/said" 2>&1; } \
        2>"$work/time" || { cat "$work/said" >&2; exit 1; }
    awk '{ print $1 + $2 }' "$work/time"
}

write structs >"$work/structs.swift"
write models >"$work/models.swift"
# The first compilation fills the cache of modules.
compile "$work/models.swift" >/dev/null
for flag in -Onone -O; do
    structs=$(compile "$flag" "$work/structs.swift")
    models=$(compile "$flag" "$work/models.swift")
    awk -v count="$count" -v flag="$flag" -v structs="$structs" -v models="$models" -v bar="$bar" 'BEGIN {
        each = models * 1000 / count
        printf "%d models of 12 properties, %s: %.1f s, %.0f ms for each, bar %d ms: %s; %.1f s for the structs alone\n",
            count, flag, models, each, bar, each <= bar ? "pass" : "miss", structs
    }'
done
