#!/bin/sh
# Builds and runs the programs of Examples as other packages do: by path for debugging, with their tests, and by a version tag of
# a copy for release, with the standard library linked in; and checks that they link SQLite and simdjson and none of the
# pipelines' libraries, and that nothing warns. They are targets of one package, since each package would build the library anew.
#
#     scripts/library.sh                          both, in folders that are gone afterwards
#     scripts/library.sh path .build              by path, with what was built in the folder before by the same rules
#     scripts/library.sh version                  by version
set -eu
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin:$HOME/.local/share/swiftly/bin"
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

programs="values places notes cycle renamed renaming actors shown watched conflict stale authors labels shop"
# The program that some of them run beside; without it they leave that part out.
if [ -z "${SLUICE:-}" ] && [ -x "$root/.build/release/sluice" ]; then SLUICE=$root/.build/release/sluice; fi
if [ -n "${SLUICE:-}" ]; then export SLUICE; fi

# Builds a package or its tests: a warning about the library would be one that its users cannot mend. What the linker says of the
# toolchain's own libraries is none of it.
quietly() {
    code=0
    swift "$@" >"$work/log" 2>&1 || code=$?
    if [ "$code" != 0 ] || grep 'warning:' "$work/log" | grep -qv '/lib/swift_static/'; then
        cat "$work/log" >&2
        echo "library.sh: swift $1 fails or warns" >&2
        exit 1
    fi
}

# Runs the programs of a package, and looks at what they link.
check() {
    package=$1
    shift
    quietly build --package-path "$package" "$@"
    bin=$(swift build --package-path "$package" "$@" --show-bin-path)
    for program in $programs; do
        "$bin/$program"
        if ldd "$bin/$program" | grep -E 'libcurl|libyaml|libjq|libz\.|libpq|libmicrohttpd'; then
            echo "library.sh: $program links more than the library needs" >&2
            exit 1
        fi
    done
    # It links what pipelines need.
    "$bin/pipeline"
}

case ${1:-all} in
path | all)
    place=$work/path
    if [ -n "${2:-}" ]; then place=$root/$2; fi
    check Examples --scratch-path "$place"
    quietly test --package-path Examples --scratch-path "$place"
    if [ -n "${SLUICE:-}" ]; then SLUICE_PACKAGE=$root SCRATCH=$place sh Examples/models/run.sh; fi
    ;;
esac
case ${1:-all} in
version | all)
    mkdir "$work/sluice"
    git ls-files -z | tar --null --files-from=- -cf - | tar -xf - -C "$work/sluice"
    git -C "$work/sluice" init --quiet
    git -C "$work/sluice" add --all --force
    git -C "$work/sluice" -c user.name=sluice -c user.email=sluice@localhost commit --quiet --message "A version"
    git -C "$work/sluice" tag 0.9.0
    cp -R Examples "$work/examples"
    sed "s|\.package(name: \"sluice\", path: \"..\")|.package(url: \"file://$work/sluice\", from: \"0.9.0\")|" \
        Examples/Package.swift >"$work/examples/Package.swift"
    check "$work/examples" -c release --static-swift-stdlib --scratch-path "$work/version"
    ;;
esac
echo "library.sh: all programs ran"
