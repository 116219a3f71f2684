/// What the report for a browser does: it lists, searches, filters and sorts the entries that the page holds as JSON.
///
/// It makes elements and sets their text, and never reads text as HTML. An entry has the members of ``HTMLEntry``.
enum ReportPageScript {
    static let text = #"""
        'use strict';
        (() => {
          const PAGE = 100, LONG = 400;
          const KINDS = { insert: 'insert', update: 'update', again: 'written once more', delete: 'delete',
            mark: 'mark as deleted', gone: 'gone, the row stays', missing: 'missing', kept: 'kept', over: 'conflict over',
            released: 'out of quarantine', conflict: 'conflict', invalid: 'not written' };
          const BASE = 2, LOCAL = 3, REMOTE = 4, RESULT = 5;
          const COLUMNS = { insert: [['value', RESULT]], delete: [['value', LOCAL]], mark: [['value', LOCAL]],
            gone: [['value', LOCAL]], missing: [['value', LOCAL]], update: [['before', LOCAL], ['after', RESULT]],
            again: [['before', LOCAL], ['after', RESULT]],
            kept: [['local, which stays', LOCAL], ['remote', REMOTE]],
            over: [['base', BASE], ['local', LOCAL], ['remote', REMOTE]], released: [['value', REMOTE]],
            conflict: [['base', BASE], ['local', LOCAL], ['remote', REMOTE]], invalid: [['value', REMOTE]] };
          const byID = id => document.getElementById(id);
          const make = (name, parent, text, className) => {
            const element = document.createElement(name);
            if (text !== undefined) element.textContent = text;
            if (className) element.className = className;
            if (parent) parent.append(element);
            return element;
          };
          const count = number => number.toLocaleString('en-US');

          // MARK: Entries
          const entries = [], pipelines = [];
          for (const block of document.querySelectorAll('script[type="application/json"]')) {
            const pipeline = pipelines.push(block.dataset.pipeline) - 1;
            for (const entry of JSON.parse(block.textContent)) {
              entry.pipeline = pipeline;
              entry.number = entries.push(entry) - 1;
            }
          }
          if (entries.length === 0) { byID('changes').hidden = true; return; }

          // Records stand by entity and key, numbers as numbers, and what belongs to a record stands behind it.
          const number = digits => digits.length > 15 && /^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits);
          const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
          const keyValue = text => {
            const value = text.replace(/^"|"$/g, '');
            return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value) ? { number: number(value), text: value }
              : { text: value, chunks: value.match(/\d+|\D+/g) ?? [] };
          };
          const byChunks = (a, b) => {
            for (let i = 0; i < Math.min(a.length, b.length); i++) {
              const areDigits = /^\d/.test(a[i]) && /^\d/.test(b[i]);
              const order = areDigits ? compare(number(a[i]), number(b[i])) : compare(a[i], b[i]);
              if (order !== 0) return order;
            }
            return a.length - b.length;
          };
          const byValue = (a, b) => {
            if (a.chunks && b.chunks) return byChunks(a.chunks, b.chunks) || compare(a.text, b.text);
            if (a.chunks || b.chunks) return a.chunks ? 1 : -1;
            return compare(a.number, b.number) || compare(a.text, b.text);
          };
          const byList = (a, b, by) => {
            for (let i = 0; i < Math.min(a.length, b.length); i++) {
              const order = by(a[i], b[i]);
              if (order !== 0) return order;
            }
            return a.length - b.length;
          };
          const label = name => {
            const end = name.indexOf(' ');
            const entity = end < 0 ? name : name.slice(0, end), key = end < 0 ? '' : name.slice(end + 1);
            const isSeveral = /^[^\s"=]+=/.test(key);
            const parts = isSeveral ? key.split(', ').map(part => part.slice(part.indexOf('=') + 1)) : [key];
            return { name, entity, key: parts.map(keyValue) };
          };
          const labels = [...new Set(entries.flatMap(entry => entry.p))].map(label);
          labels.sort((a, b) => compare(a.entity, b.entity) || byList(a.key, b.key, byValue) || compare(a.name, b.name));
          const ranks = new Map(labels.map(({ name }, rank) => [name, rank]));
          for (const entry of entries) {
            const [first, ...within] = entry.p.map(name => ranks.get(name));
            entry.order = [first, entry.pipeline, ...within];
          }
          const byOrder = (a, b) => byList(a.order, b.order, (x, y) => x - y) || a.number - b.number;
          const kinds = Object.keys(KINDS);
          // What belongs to a record stands below it, whichever way the list is sorted.
          const SORTS = { record: (a, b) => a.order[0] - b.order[0],
            change: (a, b) => kinds.indexOf(a.k) - kinds.indexOf(b.k),
            table: (a, b) => compare(a.t, b.t) };

          // MARK: What is shown
          const state = { words: [], kinds: new Set(), table: '', pipeline: '', sort: 'record', down: false, rows: PAGE };
          let found = [];
          const haystack = entry => entry.text ??= [...entry.p, entry.t, entry.s, entry.n, entry.m,
            ...entry.f.flatMap(field => field.filter(value => value !== null))].join('\u0000').toLowerCase();
          const isWanted = entry => (state.kinds.size === 0 || state.kinds.has(entry.k))
            && (state.table === '' || state.table === entry.t)
            && (state.pipeline === '' || state.pipeline === String(entry.pipeline))
            && state.words.every(word => haystack(entry).includes(word));
          const refresh = () => {
            const sort = SORTS[state.sort], sign = state.down ? -1 : 1;
            found = entries.filter(isWanted).sort((a, b) => sign * sort(a, b) || byOrder(a, b));
            state.rows = PAGE;
            body.replaceChildren();
            show();
          };
          const show = () => {
            const first = body.rows.length;
            for (const entry of found.slice(first, state.rows)) row(entry);
            const shown = Math.min(found.length, state.rows);
            const entriesOf = number => `${count(number)} ${number === 1 ? 'entry' : 'entries'}`;
            const part = shown === found.length ? '' : `${count(shown)} of `;
            const of = found.length === entries.length ? '' : `, of ${count(entries.length)} in all`;
            byID('shown').textContent = found.length === 0 ? `None of ${entriesOf(entries.length)} fits.`
              : `${part}${entriesOf(found.length)} shown${of}.`;
            more.hidden = shown === found.length;
            more.textContent = `Show ${count(Math.min(PAGE, found.length - shown))} more`;
            for (const head of document.querySelectorAll('#entries > thead th[data-sort]')) {
              const isSorted = head.dataset.sort === state.sort;
              head.setAttribute('aria-sort', isSorted ? (state.down ? 'descending' : 'ascending') : 'none');
            }
            return first;
          };

          // MARK: Values
          const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\p{Co}\u{e0000}-\u{e0fff}]/gu;
          const append = (parent, text) => {
            let start = 0;
            for (const match of text.matchAll(UNSEEN)) {
              parent.append(text.slice(start, match.index));
              make('span', parent, `\\u{${match[0].codePointAt(0).toString(16).toUpperCase()}}`, 'hidden');
              start = match.index + match[0].length;
            }
            parent.append(text.slice(start));
          };
          const tokens = text => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
          // The parts of a text, each with whether the other text does not have it: a longest common subsequence of words.
          const differing = (text, other) => {
            if (other === null || text === null || text === other) return [[text ?? '', false]];
            const a = tokens(text), b = tokens(other);
            let start = 0, end = 0;
            while (start < a.length && start < b.length && a[start] === b[start]) start++;
            while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
            const m = a.slice(start, a.length - end), n = b.slice(start, b.length - end);
            const parts = [];
            const add = (token, isNew) => {
              const last = parts[parts.length - 1];
              if (last && last[1] === isNew) last[0] += token; else parts.push([token, isNew]);
            };
            a.slice(0, start).forEach(token => add(token, false));
            if (m.length * n.length > 250000) {
              m.forEach(token => add(token, true));
            } else {
              const rows = Array.from({ length: m.length + 1 }, () => new Uint16Array(n.length + 1));
              for (let i = m.length - 1; i >= 0; i--)
                for (let j = n.length - 1; j >= 0; j--)
                  rows[i][j] = m[i] === n[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
              for (let i = 0, j = 0; i < m.length; i++) {
                while (j < n.length && m[i] !== n[j] && rows[i][j + 1] >= rows[i + 1][j]) j++;
                if (j < n.length && m[i] === n[j]) { add(m[i], false); j++; } else add(m[i], true);
              }
            }
            a.slice(a.length - end).forEach(token => add(token, false));
            return parts;
          };
          const cut = text => text.length > LONG ? text.slice(0, LONG) : text;
          const value = (cell, text, other, nothing) => {
            if (text === null) { make('span', cell, nothing, 'faint'); return; }
            const place = make('bdi', cell, undefined, 'value');
            const fill = (text, other) => {
              place.replaceChildren();
              for (const [part, isNew] of differing(text, other)) append(isNew ? make('mark', place) : place, part);
            };
            if (text.length <= LONG) { fill(text, other === null ? null : cut(other)); return; }
            fill(cut(text), other === null ? null : cut(other));
            place.append('… ');
            const all = make('button', cell, `Show all ${count(text.length)} characters`);
            all.type = 'button';
            all.addEventListener('click', () => { fill(text, text.length > 20000 ? null : other); all.remove(); });
          };

          // MARK: Rows
          // On a phone the cells stand below each other. Without these words a screen reader would find no table then.
          const ROLES = { TABLE: 'table', THEAD: 'rowgroup', TBODY: 'rowgroup', TR: 'row', TD: 'cell' };
          const name = root => {
            for (const element of [root, ...root.querySelectorAll('table, thead, tbody, tr, th, td')]) {
              const role = element.tagName === 'TH' ? (element.scope === 'row' ? 'rowheader' : 'columnheader')
                : ROLES[element.tagName];
              if (role) element.setAttribute('role', role);
            }
          };
          const fieldsOf = entry => {
            if (!['insert', 'delete', 'mark', 'gone', 'missing'].includes(entry.k)) return entry.f;
            const column = COLUMNS[entry.k][0][1];
            return entry.f.filter(field => (field[column] ?? field[LOCAL] ?? 'null') !== 'null');
          };
          const sides = (field, column, entry) => {
            if (column === RESULT && entry.k === 'insert') return [field[RESULT] ?? field[LOCAL], null];
            if (column === RESULT) return [field[RESULT], field[LOCAL]];
            if (column === LOCAL && ['update', 'again'].includes(entry.k)) return [field[LOCAL], field[RESULT]];
            if (column === LOCAL && field[BASE] === null) return [field[LOCAL], field[REMOTE]];
            if (column === REMOTE && field[BASE] === null) return [field[REMOTE], field[LOCAL]];
            if (column === BASE || entry.k !== 'conflict') return [field[column], null];
            return [field[column], field[BASE]];
          };
          const table = (cell, entry) => {
            const fields = fieldsOf(entry);
            if (fields.length === 0) return;
            const columns = COLUMNS[entry.k] ?? [];
            const hasNotes = fields.some(field => field[1] || field[6]);
            const element = make('table', cell, undefined, 'fields');
            const head = make('tr', make('thead', element));
            for (const name of ['field', ...columns.map(column => column[0]), ...(hasNotes ? ['note'] : [])])
              make('th', head, name).scope = 'col';
            const rows = make('tbody', element);
            for (const field of fields) {
              const line = make('tr', rows);
              const name = make('th', line);
              name.scope = 'row';
              append(make('bdi', name), field[0] ?? (['invalid', 'released'].includes(entry.k) ? 'the record' : 'the whole record'));
              for (const [, column] of columns) {
                const cell = make('td', line);
                const isKept = field[RESULT] === null || field[RESULT] === field[LOCAL];
                if (column === RESULT && ['update', 'again'].includes(entry.k) && isKept)
                  make('span', cell, 'stays', 'faint');
                else value(cell, ...sides(field, column, entry), column === BASE && field[7] ? field[7] : '–');
              }
              if (hasNotes) append(make('td', line, undefined, 'faint'), [field[1], field[6]].filter(Boolean).join('; '));
            }
          };
          const row = entry => {
            const line = make('tr', body);
            const record = make('th', line, undefined, entry.p.length > 1 ? `d${Math.min(3, entry.p.length - 1)}` : '');
            record.scope = 'row';
            entry.p.forEach((name, depth) => {
              const isLast = depth === entry.p.length - 1;
              append(make('bdi', isLast ? record : make('span', record, undefined, 'faint')), name);
              if (!isLast) make('span', record, ' › ', 'faint');
            });
            make('td', line, KINDS[entry.k] ?? entry.k, `kind ${KINDS[entry.k] ? entry.k : ''}`);
            const where = make('td', line);
            append(make('code', where), entry.t);
            if (pipelines.length > 1) make('div', where, pipelines[entry.pipeline], 'faint');
            const details = make('td', line);
            for (const text of [entry.n, entry.m]) if (text) append(make('p', details), text);
            table(details, entry);
            name(line);
          };

          // MARK: Tools
          const body = byID('entries').tBodies[0], more = byID('more');
          name(byID('entries'));
          let timer;
          byID('search').addEventListener('input', event => {
            clearTimeout(timer);
            timer = setTimeout(() => {
              state.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
              refresh();
            }, 120);
          });
          const counts = new Map();
          for (const entry of entries) counts.set(entry.k, (counts.get(entry.k) ?? 0) + 1);
          for (const kind of kinds.filter(kind => counts.has(kind))) {
            const button = make('button', byID('kinds'), `${KINDS[kind]} (${count(counts.get(kind))})`);
            button.type = 'button';
            button.dataset.kind = kind;
            button.setAttribute('aria-pressed', 'false');
            button.addEventListener('click', () => {
              if (!state.kinds.delete(kind)) state.kinds.add(kind);
              button.setAttribute('aria-pressed', String(state.kinds.has(kind)));
              refresh();
            });
          }
          const choose = (id, names, key) => {
            if (names.length < 2) return;
            byID(id).parentElement.hidden = false;
            for (const [value, name] of [['', 'all'], ...names]) make('option', byID(id), name).value = value;
            byID(id).addEventListener('change', event => { state[key] = event.target.value; refresh(); });
          };
          choose('table', [...new Set(entries.map(entry => entry.t))].sort().map(name => [name, name]), 'table');
          choose('pipeline', pipelines.map((name, number) => [String(number), name]), 'pipeline');
          for (const head of document.querySelectorAll('#entries > thead th[data-sort]')) {
            head.querySelector('button').addEventListener('click', () => {
              state.down = state.sort === head.dataset.sort && !state.down;
              state.sort = head.dataset.sort;
              refresh();
            });
          }
          more.addEventListener('click', () => {
            state.rows += PAGE;
            const first = body.rows[show()];
            // The reader goes on where the list went on.
            if (first) { first.tabIndex = -1; first.focus(); }
          });
          refresh();
        })();
        """#
}
