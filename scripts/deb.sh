#!/bin/sh
# Builds a Debian package of a program that is built already: deb.sh PROGRAM FOLDER [VERSION] puts it into FOLDER. VERSION
# is the program's own where none is said.
set -eu

program=$1
folder=$2
version=${3:-$("$program" --version | cut -d ' ' -f 2)}
architecture=$(dpkg --print-architecture)
root=$folder/root
mkdir -p "$folder"
rm -rf "$root"
umask 022

put() { # put FILE [MODE]: standard input becomes a file of the package
    mkdir -p "$root/$(dirname "$1")"
    cat >"$root/$1"
    chmod "${2:-644}" "$root/$1"
}

mkdir -p "$root/usr/bin" "$root/etc/sluice/pipelines"
install -m 755 "$program" "$root/usr/bin/sluice"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/sluice"

"$program" generate man | put usr/share/man/man1/sluice.1
gzip -9n "$root/usr/share/man/man1/sluice.1"
"$program" completions bash | put usr/share/bash-completion/completions/sluice
"$program" completions zsh | put usr/share/zsh/vendor-completions/_sluice
"$program" completions fish | put usr/share/fish/vendor_completions.d/sluice.fish

# The unit that `sluice generate systemd --serve` writes, for the package's own folders.
work=$folder/unit
rm -rf "$work"
mkdir -p "$work"
printf '%s\n' 'version: 1' 'name: any' 'source: {base_url: "file:."}' \
    'entities: {Any: {primary_key: id, fields: {id: int}}}' 'streams: [{name: any, entity: Any, path: any.json}]' \
    >"$work/any.yaml"
"$program" generate systemd --serve "$work/any.yaml" --store sqlite:/var/lib/sluice/sluice.db --program /usr/bin/sluice \
    --state /var/lib/sluice/serve |
    sed -e "s|$(realpath "$work")/any.yaml|/etc/sluice/pipelines|" -e 's|^# Written by .*|# For changes of your own: `systemctl edit sluice.service`.|' \
        -e 's| --store sqlite:[^ ]*||' \
        -e 's|^EnvironmentFile=|Environment=SLUICE_STORE=sqlite:/var/lib/sluice/sluice.db\nEnvironmentFile=|' \
        -e 's|^\[Service\]|[Service]\nStateDirectory=sluice\nStateDirectoryMode=0750|' \
        -e 's|^Wants=|Documentation=man:sluice(1)\nWants=|' |
    put usr/lib/systemd/system/sluice.service
rm -rf "$work"

put etc/sluice/sluice.env 640 <<'TEXT'
# What pipelines name as ${env:NAME}: a line NAME=VALUE each. The service reads it when it starts.
TEXT

put usr/share/doc/sluice/copyright <<TEXT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: sluice

Files: *
Copyright: 2026 The Sluice authors
License: Expat

$(sed -n '/^Permission/,$p' LICENSE | sed -e 's/^$/./' -e 's/^/ /' -e '1i License: Expat' | sed 's/^ License/License/')
TEXT
put usr/share/doc/sluice/changelog <<TEXT
sluice ($version) unstable; urgency=medium

  * What changed is in the file CHANGELOG.md of the sources.

 -- The Sluice authors <sluice@localhost>  $(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y CHANGELOG.md)}")
TEXT
gzip -9n "$root/usr/share/doc/sluice/changelog"
put usr/share/lintian/overrides/sluice <<'TEXT'
# It is for secrets, which the group of the service alone may read.
sluice: non-standard-file-perm 0640 != 0644 *etc/sluice/sluice.env*
# The project has no mail address.
sluice: bogus-mail-host Maintainer sluice@localhost
sluice: bogus-mail-host-in-debian-changelog *
TEXT

put DEBIAN/conffiles <<'TEXT'
/etc/sluice/sluice.env
TEXT
put DEBIAN/postinst 755 <<'TEXT'
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if ! getent passwd sluice >/dev/null; then
        adduser --system --group --home /var/lib/sluice --no-create-home --quiet sluice
    fi
    install -d -o sluice -g sluice -m 750 /var/lib/sluice
    chown root:sluice /etc/sluice/sluice.env
    if command -v deb-systemd-helper >/dev/null; then
        deb-systemd-helper unmask sluice.service >/dev/null || true
        if deb-systemd-helper --quiet was-enabled sluice.service; then
            deb-systemd-helper enable sluice.service >/dev/null || true
        else
            deb-systemd-helper update-state sluice.service >/dev/null || true
        fi
    fi
    if [ -d /run/systemd/system ]; then
        systemctl --system daemon-reload >/dev/null || true
        action=start
        [ -z "$2" ] || action=restart
        deb-systemd-invoke "$action" sluice.service >/dev/null || true
    fi
fi
TEXT
put DEBIAN/prerm 755 <<'TEXT'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop sluice.service >/dev/null || true
fi
TEXT
put DEBIAN/postrm 755 <<'TEXT'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = remove ] && command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper mask sluice.service >/dev/null || true
fi
if [ "$1" = purge ]; then
    if command -v deb-systemd-helper >/dev/null; then
        deb-systemd-helper purge sluice.service >/dev/null || true
        deb-systemd-helper unmask sluice.service >/dev/null || true
    fi
    # Data that people may want is theirs to remove: the stores stay, what the service keeps beside them does not.
    rm -rf /var/lib/sluice/serve
    rmdir --ignore-fail-on-non-empty /var/lib/sluice 2>/dev/null || true
fi
TEXT

# What the program is linked with says which packages it needs.
mkdir -p "$folder/debian"
printf 'Source: sluice\n\nPackage: sluice\nArchitecture: any\n' >"$folder/debian/control"
depends=$(cd "$folder" && dpkg-shlibdeps -O -eroot/usr/bin/sluice 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
rm -rf "$folder/debian"
size=$(du -sk --exclude=DEBIAN "$root" | cut -f 1)
put DEBIAN/control <<TEXT
Package: sluice
Version: $version
Architecture: $architecture
Maintainer: The Sluice authors <sluice@localhost>
Installed-Size: $size
Depends: $depends, adduser, procps, tzdata
Section: database
Priority: optional
Description: keep a database in step with remote JSON
 Sluice fetches JSON over HTTP or from files as pipelines in YAML say, and
 merges it into a database: what was changed by people stays, and what both
 sides changed is a conflict that somebody decides.
 .
 The service runs the pipelines of /etc/sluice/pipelines when they are due.
TEXT
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) >"$folder/md5sums"
mv "$folder/md5sums" "$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/md5sums"

dpkg-deb --build --root-owner-group "$root" "$folder/sluice_${version}_$architecture.deb"
rm -rf "$root"
