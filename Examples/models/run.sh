#!/bin/sh
# Models for a pipeline: generated, edited by hand, compared, mended. SLUICE names the program.
set -eu
cd "$(dirname "$0")"
sluice=${SLUICE:-sluice}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp -R pipelines "$work"
cd "$work"

# Says what holds, and ends where it does not: the exit code of a command.
expect() {
    wanted=$1
    what=$2
    shift 2
    code=0
    "$@" >output 2>&1 || code=$?
    if [ "$code" != "$wanted" ]; then
        echo "FAILED: $what: exit code $code" >&2
        cat output >&2
        exit 1
    fi
    echo "ok: $what"
}

# Says what holds: the text of a file.
shows() {
    if ! grep -q "$3" "$1"; then
        echo "FAILED: $2" >&2
        cat "$1" >&2
        exit 1
    fi
    echo "ok: $2"
}

expect 0 "a configuration says which pipelines and which folder" \
    "$sluice" generate swift-config pipelines --output sluice-swift.yaml
expect 0 "models are generated" "$sluice" generate swift
expect 0 "they agree with the pipelines, byte for byte" "$sluice" validate --swift --level exact

sed -i 's/deleteRule: .nullify/deleteRule: .cascade/' Sources/Models/Book.swift
expect 78 "what was edited by hand is found" "$sluice" validate --swift
shows output "with its line" "Book.swift:[0-9]*:[0-9]*: error"
"$sluice" validate --swift --fix --dry-run >output 2>&1 || true
shows output "the edit that mends it is shown" "^-.*deleteRule: .cascade"
"$sluice" validate --swift --fix >/dev/null 2>&1 || true
expect 0 "and carried out" "$sluice" validate --swift

sed -i 's/price: decimal/price: string/' pipelines/books.yaml
expect 78 "what a person has to decide is not mended" "$sluice" validate --swift --fix
"$sluice" validate --swift --format sarif >drift.sarif || true
shows drift.sarif "and told to editors" swift_field_type
