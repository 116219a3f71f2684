#!/bin/sh
# Load of `sluice serve`: many pipelines that are due each minute. It says how late runs were started, whether a due time is
# missing, and what the service itself took. serve-load.sh PROGRAM [PIPELINES [MINUTES [WORKERS]]]
set -eu

program=$(realpath "$1")
pipelines=${2:-200}
minutes=${3:-3}
workers=${4:-2}
folder=$(mktemp -d)
trap 'kill "$service" 2>/dev/null || true; rm -rf "$folder"' EXIT
service=
mkdir "$folder/pipelines"
printf '[{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]\n' >"$folder/books.json"
number=0
while [ "$number" -lt "$pipelines" ]; do
    number=$((number + 1))
    cat >"$folder/pipelines/p$number.yaml" <<YAML
version: 1
name: p$number
store: sqlite:../shop.db
schedule: {cron: "* * * * *"}
source: {base_url: "file:.."}
entities: {Book: {table: books_$number, primary_key: id, fields: {id: int, title: string}}}
streams: [{name: books, entity: Book, path: books.json}]
YAML
done

seconds() { awk '{print ($14 + $15) / '"$(getconf CLK_TCK)"'}' "/proc/$service/stat"; }
# What is resident of the service in MB: all of it, its share of what others have too, and the most that ever was.
memory() {
    awk '/^Rss:|^Pss:/ {printf "%s %.1f MB ", $1, $2 / 1024}' "/proc/$service/smaps_rollup"
    awk '/^VmHWM/ {printf "peak: %.1f MB", $2 / 1024}' "/proc/$service/status"
}
resident() { awk '/^Rss:/ {print int($2 / 1024) + 1}' "/proc/$service/smaps_rollup"; }
descriptors() { find "/proc/$service/fd" | wc -l; }
failed=0
complain() {
    echo "serve-load: $*" >&2
    failed=1
}

cd "$folder"
"$program" serve pipelines --listen 127.0.0.1:0 --workers "$workers" --log-level warning &
service=$!
echo "$pipelines pipelines each minute, $workers workers, $minutes minutes, $(nproc) cores, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
minute=0
while [ "$minute" -lt "$minutes" ]; do
    minute=$((minute + 1))
    sleep 60
    echo "after $minute min: service took $(seconds) s of a processor, $(memory), $(descriptors) descriptors"
done
# Until the last due time has been run.
sleep 50
kill "$service"
wait "$service" || true
service=
sqlite3 -header -column shop.db "
    SELECT strftime('%H:%M', s.due, 'unixepoch') AS due, count(*) AS 'due times',
        count(*) FILTER (WHERE settled = 'succeeded') AS succeeded, count(*) FILTER (WHERE settled LIKE 'skipped%') AS skipped,
        sum(late) AS late, max(r.started - s.due) AS 'latest start, s', max(r.ended - s.due) AS 'latest end, s'
    FROM _sluice_schedule s LEFT JOIN _sluice_schedule_runs r USING (pipeline, due) GROUP BY 1 ORDER BY 1"
# Each minute from the first due time to the last has a row of each pipeline that says how its run ended.
missing=$(sqlite3 shop.db "
    WITH span AS (SELECT min(due) AS earliest, max(due) AS latest FROM _sluice_schedule),
        minute AS (SELECT value AS due FROM span, generate_series(earliest, latest, 60))
    SELECT $pipelines * count(*) - (SELECT count(*) FROM _sluice_schedule WHERE settled = 'succeeded') FROM minute")
echo "due times that were not run: $missing"
[ "$missing" -eq 0 ] || complain "$missing due times were not run"

echo "idle: the same pipelines, due once a year"
sed -i 's/cron: .*}/cron: "0 0 1 1 *"}/' pipelines/*.yaml
"$program" serve pipelines --listen 127.0.0.1:0 --log-level warning &
service=$!
sleep 10
before=$(seconds)
sleep 60
share=$(awk "BEGIN {print ($(seconds) - $before) / 60 * 100}")
echo "in 60 s: $share % of a core, $(memory), $(descriptors) descriptors"
awk "BEGIN {exit !($share < 1)}" || complain "idle it takes $share % of a core"
[ "$(resident)" -le 60 ] || complain "idle it takes $(resident) MB"
exit $failed
