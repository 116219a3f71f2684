#!/bin/sh
# Asks the API of a real `sluice serve` what its own OpenAPI document says can be asked, and much that it says cannot, with
# `schemathesis` from PyPI: api-test.sh [PROGRAM [EXAMPLES [SEED]]]. That goes into a temporary folder, or SCHEMATHESIS names
# it. Answers must be as described, what is described must be taken and anything else refused, and nothing is a fault of
# the server. EXAMPLES (50) are the cases of each operation.
set -eu

program=$(realpath "${1:-$(dirname "$0")/../.build/release/sluice}")
examples=${2:-50}
seed=${3:-$(date +%s)}
work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null || true; rm -rf "$work"' EXIT
tester=${SCHEMATHESIS:-}
if [ -z "$tester" ]; then
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install --quiet --disable-pip-version-check schemathesis
    tester=$work/python/bin/schemathesis
fi
cd "$work"
mkdir pipelines
cat >pipelines/shop.yaml <<'YAML'
version: 1
name: shop
store: sqlite:../shop.db
schedule: {every: 1h}
source: {base_url: "file:.."}
entities:
  Book: {table: books, primary_key: id, history: changes, fields: {id: int, title: {type: string, required: true}, price: decimal}}
streams: [{name: books, entity: Book, path: books.json}]
YAML
# 40 records, of which each third is in conflict and each tenth in quarantine.
sqlite3 :memory: "SELECT json_group_array(json_object('id', value, 'title', 'Book ' || value, 'price', '1.00')) FROM generate_series(1, 40)" >books.json
"$program" run pipelines/shop.yaml --quiet
sqlite3 shop.db "UPDATE books SET title = 'Mine' WHERE id % 3 = 0"
sqlite3 :memory: "SELECT json_group_array(json_object('id', value, 'title', 'New ' || value, 'price', iif(value % 10 = 0, 'much', '2.00'))) FROM generate_series(1, 40)" >books.json
"$program" run pipelines/shop.yaml --quiet || true

"$program" serve pipelines --listen 127.0.0.1:0 --log-format json 2>service.log &
service=$!
address=
for _ in $(seq 100); do
    address=$(sed -n 's|.*page is at \(http://[0-9.:]*\).*|\1|p' service.log | head -n 1)
    [ -z "$address" ] || break
    sleep 0.1
done
[ -n "$address" ] || { cat service.log >&2; exit 1; }

# The stream of events has no end. What names no record of the store, or a key that is none of its entity, is refused
# though it is as described, and so is a text with a NUL.
cat >schemathesis.toml <<'TOML'
[generation]
allow-x00 = false

[checks.positive_data_acceptance]
expected-statuses = ["2xx", "404", "409", "422"]

[[operations]]
include-operation-id = "getRecord"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404"]
TOML
code=0
"$tester" --config-file schemathesis.toml run "$address/api/v1/openapi.json" --exclude-operation-id streamEvents \
    --checks all --exclude-checks ensure_resource_availability,use_after_free --max-examples "$examples" --seed "$seed" \
    --request-timeout 60 --no-color || code=$?
kill -0 "$service" || { cat service.log >&2; echo "api-test: the service is gone" >&2; exit 1; }
curl -sf "$address/healthz" >/dev/null
[ "$code" -eq 0 ] && echo "api-test: all is well, seed $seed"
exit "$code"
