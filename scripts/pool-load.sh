#!/bin/sh
# Throughput of several `sluice serve` on one PostgreSQL store: pipelines whose source takes its time, run by one service and
# then by two. Two must do at least 1.6 times as much. pool-load.sh PROGRAM URL [PIPELINES [SECONDS]]
#
# URL is a database in which schemas may be made; SECONDS is what the source takes for an answer.
set -eu

program=$(realpath "$1")
url=$2
pipelines=${3:-40}
seconds=${4:-2}
folder=$(mktemp -d)
services=
source=
trap 'kill $services $source 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
cat >source.py <<'PY'
import http.server, sys, time

class Source(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(float(sys.argv[1]))
        body = b'[{"id":1,"title":"One"},{"id":2,"title":"Two"}]'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
open("port", "w").write(str(server.server_port))
server.serve_forever()
PY
python3 source.py "$seconds" &
source=$!
while [ ! -s port ]; do sleep 0.1; done
mkdir pipelines
number=0
while [ "$number" -lt "$pipelines" ]; do
    number=$((number + 1))
    cat >"pipelines/p$number.yaml" <<YAML
version: 1
name: p$number
schedule: {every: 12h}
source: {base_url: "http://127.0.0.1:$(cat port)"}
entities: {Book: {table: books_$number, primary_key: id, fields: {id: int, title: string}}}
streams: [{name: books, entity: Book, path: books}]
YAML
done

separator='?'
case $url in *\?*) separator='&' ;; esac

# Prints how many seconds so many services take.
measure() {
    schema=pool_load_$$_$1
    store="$url${separator}schema=$schema"
    start=$(date +%s.%N)
    services=
    number=0
    while [ "$number" -lt "$1" ]; do
        number=$((number + 1))
        "$program" serve pipelines --store "$store" --state "state_$1_$number" --listen none --workers 2 \
            --log-level error >&2 &
        services="$services $!"
    done
    settled=0
    while [ "$settled" != "$pipelines" ]; do
        sleep 0.1
        settled=$(psql -AtXq "$url" -c "SELECT count(*) FROM $schema._sluice_schedule WHERE settled = 'succeeded'" \
            2>/dev/null || echo 0)
    done
    end=$(date +%s.%N)
    kill $services
    wait $services || true
    services=
    runs=$(psql -AtXq "$url" -c "SELECT count(*) FROM $schema._sluice_runs")
    psql -AtXq "$url" -c "SET client_min_messages = warning; DROP SCHEMA $schema CASCADE"
    [ "$runs" -eq "$pipelines" ] || echo "pool-load: $runs runs for $pipelines due times" >&2
    awk "BEGIN {printf \"%.1f\", $end - $start}"
}

one=$(measure 1)
two=$(measure 2)
echo "$pipelines pipelines, $seconds s for an answer: $one s by one service, $two s by two"
awk "BEGIN {ratio = $one / $two; printf \"two do %.2f times as much\n\", ratio; exit !(ratio >= 1.6)}"
