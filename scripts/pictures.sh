#!/bin/sh
# Makes the pictures of the manual, docs/pictures, of what the program shows: a plan in a terminal, the page of an HTML report,
# and the three sides of the record that docs/concepts.md follows. SLUICE names the program, the first argument another folder
# for the pictures; Chromium draws those of pixels.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
sluice=$(realpath "${SLUICE:-$root/.build/release/sluice}")
mkdir -p "${1:-$root/docs/pictures}"
pictures=$(realpath "${1:-$root/docs/pictures}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > books.yaml <<'YAML'
version: 1
name: books
store: sqlite:shop.db
source: {base_url: "file:."}
entities:
  Book:
    table: books
    primary_key: [id]
    fields: {id: int, title: string, author: string, price: decimal, stock: int}
streams:
  - {name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 50%, min_records: 1}}
YAML
cat > books.json <<'JSON'
[{"id": 1, "title": "Dune", "author": "Frank Herbert", "price": 12.50, "stock": 4},
 {"id": 2, "title": "Emma", "author": "Jane Austen", "price": 8.00, "stock": 11},
 {"id": 3, "title": "Ulysses", "author": "James Joyce", "price": 15.00, "stock": 2},
 {"id": 4, "title": "Middlemarch", "author": "George Eliot", "price": 11.00, "stock": 7}]
JSON
"$sluice" run books.yaml --quiet
sqlite3 shop.db "UPDATE books SET title = 'Dune (1965)', price = '13.00' WHERE id = 1; UPDATE books SET author = 'J. Austen' WHERE id = 2"
cat > books.json <<'JSON'
[{"id": 1, "title": "Dune", "author": "Frank Herbert", "price": 14.00, "stock": 9},
 {"id": 2, "title": "Emma", "author": "Jane Austen", "price": 7.50, "stock": 10},
 {"id": 4, "title": "Middlemarch", "author": "George Eliot", "price": 11.00, "stock": 7},
 {"id": 5, "title": "Kindred", "author": "Octavia E. Butler", "price": 9.90, "stock": 3}]
JSON

# A terminal's text as HTML: its colours and weights, and nothing else that a terminal understands.
page() {
    printf '<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#1b1e24;color:#d7dae0}'
    printf 'pre{margin:0;padding:20px 24px;font:15px/1.4 "DejaVu Sans Mono",monospace}b{color:#fff}'
    printf '.c31{color:#f07178}.c32{color:#a5d46a}.c33{color:#f2c46d}.c34{color:#7aa2f7}.c35{color:#c792ea}.c36{color:#7fd1d6}'
    printf '.c2{opacity:.6}.c1{font-weight:bold;color:#fff}</style><pre>'
    perl -CSD -pe 's/\r//g; s/&/&amp;/g; s/</&lt;/g; s/\e\[0?m/<\/span>/g;
        s/\e\[([0-9;]+)m/"<span class=\"" . join(" ", map { "c$_" } split(";", $1)) . "\">"/ge; s/\e\[[0-9;?]*[A-Za-z]//g'
    printf '</pre>'
}

# `shoot FILE WIDTH HEIGHT PICTURE`
shoot() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --run-all-compositor-stages-before-draw --virtual-time-budget=5000 \
        --force-device-scale-factor=1 --window-size="$2,$3" --screenshot="$4" "file://$1" 2> shoot.log ||
        { cat shoot.log >&2; exit 1; }
    [ -s "$4" ] || { cat shoot.log >&2; exit 1; }
}

{
    printf '$ sluice plan books.yaml\n'
    TERM=xterm-256color COLUMNS=110 script -qec "'$sluice' plan books.yaml --no-progress" /dev/null
} > plan.txt
page < plan.txt > plan.html
shoot "$work/plan.html" 1000 "$(($(wc -l < plan.txt) * 21 + 44))" "$pictures/plan.png"
"$sluice" plan books.yaml --format html --output report.html
shoot "$work/report.html" 1000 900 "$pictures/report.png"

# The merge of docs/concepts.md: its own commands up to the plan, and the plan's JSON as a picture.
mkdir concepts
cd concepts
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside { print } inside && /^sluice plan/ { exit }' \
    "$root/docs/concepts.md" > steps.sh
(PATH=$(dirname "$sluice"):$PATH; export PATH; sh -eu steps.sh)
sqlite3 -noheader :memory: > "$pictures/merge.svg" <<'SQL'
CREATE TABLE field AS
    SELECT value ->> 'field' AS name, value ->> 'class' AS class, value -> 'base' AS base, value -> 'local' AS local,
        value -> 'remote' AS remote, coalesce(value -> 'result', value -> 'local') AS result,
        row_number() OVER (ORDER BY key) AS place
    FROM json_each(readfile('plan.json'), '$.pipelines[0].changes[0].fields');
CREATE TABLE cell AS
    SELECT place, 0 AS part, name AS text, 'name' AS look FROM field
    UNION ALL SELECT place, 1, base, 'base' FROM field
    UNION ALL SELECT place, 2, local, iif(local IS base, 'base', 'local') FROM field
    UNION ALL SELECT place, 3, remote, iif(remote IS base, 'base', 'remote') FROM field
    UNION ALL SELECT place, 4, result,
        CASE WHEN result IS base THEN 'base' WHEN result IS remote AND result IS NOT local THEN 'remote'
            WHEN result IS remote THEN 'both' ELSE 'local' END FROM field
    UNION ALL SELECT place, 5, replace(class, '_', ' '), 'class' FROM field;
SELECT printf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 %d" role="img" font-family="DejaVu Sans, Arial, sans-serif" font-size="15">',
    70 + 44 * (SELECT count(*) FROM field));
SELECT '<title>' || group_concat(printf('%s: base %s, local %s, remote %s, afterwards %s', name, base, local, remote, result), '; ')
    || '</title>' FROM field;
SELECT '<style>.base{fill:#e8eaee}.local{fill:#f7dfae}.remote{fill:#b9dcf5}.both{fill:#c9e7c3}text{fill:#1b1e24}'
    || '.head{font-weight:bold}.plain{fill:none}.note{fill:#5b6270}</style>';
SELECT '<rect width="920" height="100%" fill="#ffffff"/>';
SELECT printf('<text class="head" x="%d" y="34">%s</text>', 24 + 150 * (key), value)
    FROM json_each('["field", "base", "local", "remote", "afterwards", "called"]');
SELECT printf('<rect class="%s" x="%d" y="%d" width="138" height="34" rx="6"/><text class="%s" x="%d" y="%d">%s</text>',
    iif(part IN (0, 5), 'plain', look), 16 + 150 * part, 54 + 44 * (place - 1), iif(part = 5, 'note', 'value'), 24 + 150 * part,
    76 + 44 * (place - 1), replace(replace(replace(coalesce(text, '–'), '&', '&amp;'), '<', '&lt;'), '"', '&quot;'))
    FROM cell ORDER BY place, part;
SELECT '</svg>';
SQL
