#!/bin/sh
# Tries the Debian package of a program, as root: deb-test.sh [PROGRAM [ROOT]]. lintian looks at it; it is installed, run,
# upgraded to a later version, removed and purged in ROOT, a folder with a Debian system, which debootstrap makes where it
# is missing (in a temporary folder where none is named). Packages come from Debian's archive. Nothing but ROOT is changed.
#
# Last, a systemd of ROOT is started as the first process of namespaces of its own, and has the service: started by the
# installation, restarted by an upgrade and by the watchdog, reloaded, and stopped by the removal. Where the machine does
# not let it (no cgroups, as in most containers), that is said.
set -eu

program=$(realpath "${1:-$(dirname "$0")/../.build/release/sluice}")
root=${2:-}
[ "$(id -u)" -eq 0 ] || { echo "deb-test: run it as root" >&2; exit 1; }
# What is mounted below is gone with the process.
[ -n "${DEB_TEST_MOUNTS:-}" ] || exec env DEB_TEST_MOUNTS=1 unshare --mount --propagation private sh "$0" "$program" "$root"
work=$(mktemp -d)
boot=
group=
# Removes the group with those that its systemd made in it.
drop_group() {
    [ -d "$group" ] || return 0
    find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
    [ ! -d "$group" ]
}
trap '[ -z "$boot" ] || kill -KILL "$boot" 2>/dev/null || true; sleep 1; drop_group || true
    umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
cd "$(dirname "$0")/.."
root=${root:-$work/root}
say() { printf 'deb-test: %s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

for tool in debootstrap lintian; do
    command -v "$tool" >/dev/null || missing="${missing:-} $tool"
done
if [ -n "${missing:-}" ]; then
    say "installing$missing"
    apt-get -qq update
    # shellcheck disable=SC2086 # The list is to be split.
    DEBIAN_FRONTEND=noninteractive apt-get -y -qq install --no-install-recommends $missing >/dev/null
fi

say "two versions of the package, and what lintian says"
version=$("$program" --version | cut -d ' ' -f 2)
sh scripts/deb.sh "$program" "$work/first" >/dev/null 2>&1
sh scripts/deb.sh "$program" "$work/second" "$version+next1" >/dev/null 2>&1
lintian --allow-root --fail-on error,warning "$work"/*/*.deb

if [ ! -x "$root/usr/bin/dpkg" ]; then
    say "a root of this machine's Debian"
    debootstrap --variant=minbase --include=adduser,tzdata,systemd,sqlite3 \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" >"$work/debootstrap.log" ||
        { tail "$work/debootstrap.log" >&2; exit 1; }
fi
# Programs look at themselves in /proc. Nothing is started in a root that no machine runs.
mount -t proc proc "$root/proc"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cp "$work"/first/*.deb "$root/tmp/first.deb"
cp "$work"/second/*.deb "$root/tmp/second.deb"

is_version() { # is_version VERSION
    [ "$(inside dpkg-query -W -f '${db:Status-Abbrev}${Version}' sluice)" = "ii $1" ] || fail "it is not installed as $1"
}
# What the package owns or makes: kind, user, group and mode of each.
check_places() {
    for place in 'usr/bin/sluice:regular file root root 755' 'etc/sluice:directory root root 755' \
        'etc/sluice/pipelines:directory root root 755' 'etc/sluice/sluice.env:regular file root sluice 640' \
        'var/lib/sluice:directory sluice sluice 750' 'usr/lib/systemd/system/sluice.service:regular file root root 644' \
        'usr/share/man/man1/sluice.1.gz:regular file root root 644' \
        'usr/share/bash-completion/completions/sluice:regular file root root 644'; do
        [ "$(inside stat -c '%F %U %G %a' "/${place%%:*}")" = "${place#*:}" ] ||
            fail "/${place%%:*} is $(inside stat -c '%F %U %G %a' "/${place%%:*}"), not ${place#*:}"
    done
}

say "install"
inside apt-get -qq update
inside apt-get -y -qq install --no-install-recommends /tmp/first.deb >"$work/apt.log" 2>&1 ||
    { tail "$work/apt.log" >&2; fail "it cannot be installed"; }
is_version "$version"
check_places
inside getent passwd sluice | grep -q ':/var/lib/sluice:/usr/sbin/nologin$' || fail "there is no user as it should be"
inside dpkg-query -W -f '${Conffiles}\n' sluice | grep -q '^ /etc/sluice/sluice.env ' || fail "a file for people is none of theirs"
[ "$(inside sluice --version)" = "sluice $version" ] || fail "the program does not run"
[ "$(inside systemctl is-enabled sluice.service)" = enabled ] || fail "the service is not enabled"
said=$(inside systemd-analyze verify --man=no /usr/lib/systemd/system/sluice.service 2>&1) || fail "systemd refuses the unit: $said"
case $said in *sluice*) fail "systemd says of the unit: $said" ;; esac

say "run, as the service's user"
pipelines=$root/etc/sluice/pipelines
printf '[{"id": 1}]\n' >"$pipelines/books.json"
printf '%s\n' 'version: 1' 'name: books' 'schedule: {every: 1s}' 'source: {base_url: "file:."}' \
    'entities: {Book: {primary_key: id, fields: {id: int}}}' 'streams: [{name: books, entity: Book, path: books.json}]' \
    >"$pipelines/books.yaml"
unit() { sed -n "s/^$1=//p" "$root/usr/lib/systemd/system/sluice.service"; }
serve() { inside su -s /bin/sh sluice -c "cd '$(unit WorkingDirectory)' && $(unit Environment) timeout 5 $(unit ExecStart) --listen none" 2>"$work/serve.log"; }
runs() { inside sqlite3 /var/lib/sluice/sluice.db "SELECT count(*) FROM _sluice_schedule_runs WHERE outcome = 'succeeded'"; }
# It ends by itself at SIGTERM, with 0; timeout tells 124 all the same.
serve || [ $? -eq 124 ] || { cat "$work/serve.log" >&2; fail "the service does not run"; }
before=$(runs)
[ "$before" -gt 0 ] || { cat "$work/serve.log" >&2; fail "the service ran nothing"; }
[ "$(inside stat -c %U /var/lib/sluice/sluice.db)" = sluice ] || fail "the store is not the service's"

say "upgrade, with a file that was changed"
echo 'SHOP_KEY=abc' >>"$root/etc/sluice/sluice.env"
inside dpkg -i /tmp/second.deb >/dev/null
is_version "$version+next1"
check_places
grep -q SHOP_KEY "$root/etc/sluice/sluice.env" || fail "the changed file is lost"
[ "$(inside systemctl is-enabled sluice.service)" = enabled ] || fail "the service is not enabled any more"
serve || [ $? -eq 124 ] || { cat "$work/serve.log" >&2; fail "the service does not run any more"; }
[ "$(runs)" -gt "$before" ] || fail "the service did not go on"
inside systemctl disable sluice.service 2>/dev/null
inside dpkg -i /tmp/first.deb >/dev/null 2>&1
[ "$(inside systemctl is-enabled sluice.service || true)" = disabled ] || fail "what a person disabled is enabled again"
inside systemctl enable sluice.service 2>/dev/null
inside dpkg -i /tmp/second.deb >/dev/null

say "remove"
inside dpkg -r sluice >/dev/null
for path in /usr/bin/sluice /usr/lib/systemd/system/sluice.service /usr/share/man/man1/sluice.1.gz; do
    inside test ! -e "$path" || fail "$path is left"
done
grep -q SHOP_KEY "$root/etc/sluice/sluice.env" || fail "the configuration is gone before the purge"
inside test -e /var/lib/sluice/sluice.db || fail "the store is gone"
[ "$(inside systemctl is-enabled sluice.service 2>/dev/null || true)" = masked ] || fail "the service is not masked"

say "install again, and purge"
inside dpkg -i /tmp/first.deb >/dev/null
[ "$(inside systemctl is-enabled sluice.service)" = enabled ] || fail "the service stays masked"
rm -f "$pipelines/"books.*
inside dpkg -P sluice >/dev/null
for path in /etc/sluice /var/lib/sluice/serve /etc/systemd/system/multi-user.target.wants/sluice.service \
    /etc/systemd/system/sluice.service /var/lib/systemd/deb-systemd-helper-enabled/sluice.service.dsh-also; do
    inside test ! -e "$path" && inside test ! -L "$path" || fail "$path is left"
done
inside test -e /var/lib/sluice/sluice.db || fail "the store is gone"
inside getent passwd sluice >/dev/null || fail "the user of the store is gone"
rm -f "$root"/var/lib/sluice/sluice.db* "$root/usr/sbin/policy-rc.d"

say "a systemd of its own"
cp "$work"/first/*.deb "$root/root/first.deb"
cp "$work"/second/*.deb "$root/root/second.deb"
cat >"$work/boot.sh" <<'BOOT'
set -eu
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
if [ -d /sys/fs/cgroup/systemd ]; then
    mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
    mkdir "$root/sys/fs/cgroup/systemd"
    mount -t cgroup -o none,name=systemd systemd "$root/sys/fs/cgroup/systemd"
else
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
fi
exec env -i container=other PATH=/usr/sbin:/usr/bin chroot "$root" /lib/systemd/systemd --unit=basic.target
BOOT
# A group of its own, so that the machine's groups are not this systemd's.
groups=/sys/fs/cgroup
[ ! -d "$groups/systemd" ] || groups=$groups/systemd
group=$groups/sluice-deb-test-$$
mkdir "$group" 2>/dev/null || { say "not tried: no group can be made in $groups"; say "all else is well"; exit 0; }
sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" \
    unshare --mount --pid --fork --kill-child --net --uts --ipc --cgroup --propagation private \
    sh "$work/boot.sh" "$root" >"$work/boot.log" 2>&1 </dev/null &
boot=$!
first=
system() { timeout 60 nsenter -t "$first" -m -p -n -u -i -C chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
property() { system systemctl show sluice.service -p "$1" --value; }
# until SECONDS WORDS: waits until a command succeeds.
until_well() {
    left=$(($1 * 5))
    shift
    while ! "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || return 1
        sleep 0.2
    done
}
has_first() {
    first=$(cut -d ' ' -f 1 "/proc/$boot/task/$boot/children") && [ "$(cat "/proc/$first/comm")" = systemd ] &&
        [ "$(system systemctl is-system-running)" = running ]
}
is_active() { [ "$(property ActiveState)" = active ]; }
is_another() { is_active && [ "$(property MainPID)" != "$1" ]; }
has_run() { [ "$(system sqlite3 /var/lib/sluice/sluice.db "SELECT count(*) FROM _sluice_schedule_runs WHERE outcome = 'succeeded'")" -gt "$1" ]; }
if ! until_well 30 has_first; then
    say "not tried: systemd does not start here: $(tail -n 3 "$work/boot.log")"
    say "all else is well"
    exit 0
fi
system dpkg -i /root/first.deb >/dev/null 2>&1 || fail "it is not installed where systemd runs"
until_well 10 is_active || fail "the installation starts nothing: $(system journalctl -u sluice --no-pager)"
printf '[{"id": 1}]\n' >"$pipelines/books.json"
printf '%s\n' 'version: 1' 'name: books' 'schedule: {every: 1s}' \
    'source: {base_url: "file:.", headers: {X-Key: "${env:SHOP_KEY}"}}' \
    'entities: {Book: {primary_key: id, fields: {id: int}}}' 'streams: [{name: books, entity: Book, path: books.json}]' \
    >"$pipelines/books.yaml"
echo 'SHOP_KEY=abc' >>"$root/etc/sluice/sluice.env"
system systemctl restart sluice.service
until_well 20 has_run 0 || fail "in its sandbox it runs nothing: $(system journalctl -u sluice --no-pager)"
system systemctl reload sluice.service || fail "it is not reloaded"
process=$(property MainPID)
system dpkg -i /root/second.deb >/dev/null 2>&1
until_well 40 is_another "$process" || fail "the upgrade does not restart it"
process=$(property MainPID)
system systemctl kill -s STOP sluice.service
until_well 90 is_another "$process" || fail "the watchdog does not restart it"
[ "$(property NRestarts)" = 1 ] || fail "it was restarted $(property NRestarts) times"
system systemctl stop sluice.service
[ "$(property Result)" = success ] || fail "it does not end well: $(property Result)"
system systemctl start sluice.service
system dpkg -P sluice >/dev/null 2>&1
[ "$(property ActiveState)" = inactive ] || fail "the purge leaves it running"
kill -KILL "$boot"
wait "$boot" 2>/dev/null || true
boot=
until_well 10 drop_group || say "$group is left"
rm -rf "$root/etc/sluice" "$root"/var/lib/sluice/sluice.db*
say "all is well"
