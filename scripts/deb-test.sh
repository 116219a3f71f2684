#!/bin/sh
# Installs, upgrades, removes and purges a package in a root of its own: deb-test.sh PACKAGE ROOT. ROOT is a folder with a
# Debian system, as debootstrap makes it, which is made where it is missing. It needs root, and changes ROOT alone.
set -eu

package=$1
root=$2
say() { printf 'deb-test: %s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

if [ ! -x "$root/usr/bin/dpkg" ]; then
    debootstrap --variant=minbase --include=adduser,init-system-helpers,tzdata "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" >/dev/null
fi
# Nothing is started in a root that no machine runs.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cp "$package" "$root/tmp/sluice.deb"

say "install"
inside apt-get -qq update
inside apt-get -y -qq install --no-install-recommends /tmp/sluice.deb >/dev/null
inside dpkg -s sluice | grep -q '^Status: install ok installed' || fail "it is not installed"
inside getent passwd sluice >/dev/null || fail "there is no user"
inside test -d /etc/sluice/pipelines || fail "there is no folder for pipelines"
[ "$(inside stat -c '%U %a' /var/lib/sluice)" = 'sluice 750' ] || fail "the folder of the stores is not the user's"
inside sluice --version
inside test -L /etc/systemd/system/multi-user.target.wants/sluice.service || fail "the service is not enabled"

say "run, as the service's user"
printf '[{"id": 1}]\n' >"$root/etc/sluice/pipelines/books.json"
printf '%s\n' 'version: 1' 'name: books' 'schedule: {every: 1s}' 'source: {base_url: "file:."}' \
    'entities: {Book: {primary_key: id, fields: {id: int}}}' 'streams: [{name: books, entity: Book, path: books.json}]' \
    >"$root/etc/sluice/pipelines/books.yaml"
command=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/sluice.service")
# shellcheck disable=SC2086 # The line is to be split.
inside su -s /bin/sh sluice -c "SLUICE_STORE=sqlite:/var/lib/sluice/sluice.db timeout 5 $command --listen none" || true
inside sluice status --store sqlite:/var/lib/sluice/sluice.db | grep -q books || fail "the service ran nothing"

say "upgrade, with a file that was changed"
echo 'SHOP_KEY=abc' >>"$root/etc/sluice/sluice.env"
inside dpkg --force-confold -i /tmp/sluice.deb >/dev/null
grep -q SHOP_KEY "$root/etc/sluice/sluice.env" || fail "the changed file is lost"

say "remove"
inside dpkg -r sluice >/dev/null
inside test ! -e /usr/bin/sluice || fail "the program is left"
grep -q SHOP_KEY "$root/etc/sluice/sluice.env" || fail "the configuration is gone before the purge"
inside test -e /var/lib/sluice/sluice.db || fail "the store is gone"

say "purge"
rm -f "$root/etc/sluice/pipelines/"books.*
inside dpkg -P sluice >/dev/null
for path in /etc/sluice /usr/lib/systemd/system/sluice.service /var/lib/sluice/serve \
    /etc/systemd/system/multi-user.target.wants/sluice.service; do
    inside test ! -e "$path" || fail "$path is left"
done
inside test -e /var/lib/sluice/sluice.db || fail "the store is gone"
say "all is well"
