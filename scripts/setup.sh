#!/bin/sh
# Sees that everything the build needs is there. Debian packages that are missing are installed; nothing else is
# touched, and where nothing is missing this says nothing.
set -eu

# Any package of a line's first word will do; the first one is installed. The second word is its name for pkg-config.
packages='
g++                                           -
pkg-config|pkgconf                            -
libsqlite3-dev                                sqlite3
libcurl4-openssl-dev|libcurl4-gnutls-dev      libcurl
libyaml-dev                                   yaml-0.1
libsimdjson-dev                               simdjson
libjq-dev                                     -
zlib1g-dev                                    zlib
tzdata                                        -
libpq-dev                                     libpq
libmicrohttpd-dev                             libmicrohttpd
sqlite3                                       -
postgresql                                    -
nginx-light|nginx|nginx-core                  -
openssl                                       -
chromium|chromium-browser|google-chrome-stable -
chromium-driver|google-chrome-stable          -
prometheus                                    -
'
swift_needed=6.2

say() { printf 'setup: %s\n' "$*" >&2; }

is_installed() {
    for name in $(printf '%s' "$1" | tr '|' ' '); do
        case $(dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null) in
            ii*) return 0 ;;
        esac
    done
    return 1
}

missing_packages() {
    printf '%s' "$packages" | while read -r names _; do
        [ -z "$names" ] || is_installed "$names" || printf '%s ' "${names%%|*}"
    done
}

install_packages() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    say "missing: $missing– installing with apt-get."
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "This needs root and there is no sudo. As root: apt-get install $missing"
            exit 1
        fi
        as_root=sudo
    fi
    # shellcheck disable=SC2086 # The list is to be split.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}

# The programs of a server, which the tests start, are seldom on PATH.
has_postgresql() {
    command -v initdb >/dev/null || [ -x "$(pg_config --bindir 2>/dev/null)/initdb" ]
}

# Elsewhere we install nothing: we look for what counts and name it by its Debian name.
check_other_system() {
    absent=$(printf '%s' "$packages" | while read -r names module; do
        case $names in
            '') ;;
            'g++') command -v g++ >/dev/null || command -v c++ >/dev/null || printf 'g++ ' ;;
            pkg-config*) command -v pkg-config >/dev/null || printf 'pkg-config ' ;;
            libjq-dev) [ -e /usr/include/jq.h ] || [ -e /usr/local/include/jq.h ] || printf 'libjq-dev ' ;;
            postgresql) has_postgresql || printf 'postgresql ' ;;
            tzdata) [ -d /usr/share/zoneinfo ] || printf 'tzdata ' ;;
            sqlite3) command -v sqlite3 >/dev/null || printf 'sqlite3 ' ;;
            # Tests do without them, and say so.
            nginx* | openssl | chromium* | prometheus) ;;
            *) pkg-config --exists "$module" 2>/dev/null || printf '%s ' "${names%%|*}" ;;
        esac
    done)
    [ -n "$absent" ] || return 0
    say "This is not Debian or a relative of it. Please install what Debian calls: $absent"
    exit 1
}

check_swift() {
    if ! command -v swift >/dev/null; then
        say "Swift $swift_needed or later is needed: see https://www.swift.org/install/linux/ and put its bin folder on PATH"
        say "(/opt/swift/usr/bin and ~/.local/share/swiftly/bin are found without that)."
        exit 1
    fi
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    major=${version%%.*}
    minor=${version#*.}
    if [ "${major:-0}" -lt "${swift_needed%.*}" ] ||
        { [ "$major" -eq "${swift_needed%.*}" ] && [ "$minor" -lt "${swift_needed#*.}" ]; }; then
        say "Swift $swift_needed or later is needed, and this is ${version:-no known version}:" \
            "see https://www.swift.org/install/linux/"
        exit 1
    fi
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then install_packages; else check_other_system; fi
check_swift
