#!/bin/sh
# Makes the pictures of the manual, docs/pictures/*.png, of what the program shows: a plan in a terminal and the page of an
# HTML report. SLUICE names the program, the first argument another folder for the pictures; Chromium draws.
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
