#!/bin/sh
# Builds and runs the programs of Examples as other packages do, by path or by a version tag of a copy, for debugging or for release
# with the standard library linked in; and checks that they link SQLite and simdjson and none of the pipelines' libraries, and that
# nothing warns. They are targets of one package, since each package would build the library anew. Builds for debugging run their
# tests as well.
#
#     scripts/library.sh                          path-debug and version-release, in folders that are gone afterwards
#     scripts/library.sh path-debug .build        by path, with what was built in the folder before by the same rules
#     scripts/library.sh path-release
#     scripts/library.sh version-debug
#     scripts/library.sh version-release
#     scripts/library.sh every                    all four; the two that CI leaves out take some ten minutes of the processor each
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

# Builds, checks and tests a package for debugging.
debugging() {
    check "$1" --scratch-path "$2"
    quietly test --package-path "$1" --scratch-path "$2"
}

# Builds and checks a package for release.
releasing() { check "$1" -c release --static-swift-stdlib --scratch-path "$2"; }

# Makes a version of the project and a package that depends on it, once.
tag() {
    if [ -d "$work/sluice" ]; then return; fi
    mkdir "$work/sluice"
    git ls-files -z | tar --null --files-from=- -cf - | tar -xf - -C "$work/sluice"
    git -C "$work/sluice" init --quiet
    git -C "$work/sluice" add --all --force
    git -C "$work/sluice" -c user.name=sluice -c user.email=sluice@localhost commit --quiet --message "A version"
    git -C "$work/sluice" tag 0.9.0
    cp -R Examples "$work/examples"
    sed "s|\.package(name: \"sluice\", path: \"..\")|.package(url: \"file://$work/sluice\", from: \"0.9.0\")|" \
        Examples/Package.swift >"$work/examples/Package.swift"
}

# One way to depend on the project, in a folder for what is built.
way() {
    case $1 in
    path-debug)
        debugging Examples "$2"
        if [ -n "${SLUICE:-}" ]; then SLUICE_PACKAGE=$root SCRATCH=$2 sh Examples/models/run.sh; fi
        ;;
    path-release) releasing Examples "$2" ;;
    version-debug)
        tag
        debugging "$work/examples" "$2"
        ;;
    version-release)
        tag
        releasing "$work/examples" "$2"
        ;;
    *)
        echo "library.sh: there is no way \`$1\`: path-debug, path-release, version-debug, version-release or every" >&2
        exit 64
        ;;
    esac
}

case ${1:-} in
"") ways="path-debug version-release" ;;
every) ways="path-debug path-release version-debug version-release" ;;
*) ways=$1 ;;
esac
for name in $ways; do
    place=$work/$name
    if [ -n "${2:-}" ]; then place=$root/$2; fi
    way "$name" "$place"
    if [ -z "${2:-}" ]; then rm -rf "$place"; fi
done
echo "library.sh: all programs ran"
