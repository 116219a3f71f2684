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
memory() { awk '/^VmRSS|^VmHWM/ {printf "%s %d MB  ", $1, $2 / 1024}' "/proc/$service/status"; }
descriptors() { find "/proc/$service/fd" | wc -l; }

cd "$folder"
"$program" serve pipelines --listen none --workers "$workers" --log-level warning &
service=$!
echo "$pipelines pipelines each minute, $workers workers, $minutes minutes"
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
missing=$(sqlite3 shop.db "
    SELECT count(*) FROM (SELECT DISTINCT pipeline FROM _sluice_schedule) p, (SELECT DISTINCT due FROM _sluice_schedule) d
    WHERE NOT EXISTS (SELECT 1 FROM _sluice_schedule s WHERE s.pipeline = p.pipeline AND s.due = d.due)")
echo "due times without a row: $missing"

echo "idle: the same pipelines, due once a year"
sed -i 's/cron: .*}/cron: "0 0 1 1 *"}/' pipelines/*.yaml
"$program" serve pipelines --listen none --log-level warning &
service=$!
sleep 10
before=$(seconds)
sleep 60
after=$(seconds)
echo "in 60 s: $(awk "BEGIN {print ($after - $before) / 60 * 100}") % of a processor, $(memory), $(descriptors) descriptors"
