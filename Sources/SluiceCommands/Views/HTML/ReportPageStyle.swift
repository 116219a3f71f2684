/// How the report for a browser looks: light or dark as the reader's system is, and in one column on a phone.
package enum ReportPageStyle {
    package static let text = """
        :root { color-scheme: light dark; --paper: #fff; --ink: #1c2024; --faint: #5b6470; --line: #d5dae0;
          --soft: #f3f5f7; --link: #0b57d0; --insert: #1a7f37; --update: #0b57d0; --delete: #b42318;
          --conflict: #9a4a00; --kept: #6639ba; --invalid: #a40e6a; --mark: #ffe08a; --mark-ink: #1c2024; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #14171a; --ink: #e6e9ed; --faint: #a3adb8; --line: #3a424b; --soft: #1e2328;
            --link: #8ab4f8; --insert: #57c878; --update: #8ab4f8; --delete: #ff8f84; --conflict: #ffb066;
            --kept: #c4a5ff; --invalid: #ff8fd0; --mark: #6b5300; --mark-ink: #fff3c9; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.5rem; margin: 0 0 1rem; } h2 { font-size: 1.2rem; margin: 1.5rem 0 .25rem; }
        p { margin: .25rem 0 .75rem; } .faint { color: var(--faint); }
        a.skip { position: absolute; left: -100rem; } a.skip:focus { position: static; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
        caption { text-align: left; color: var(--faint); padding: .25rem 0; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
        thead th { background: var(--soft); } td.number, th.number { text-align: right;
          font-variant-numeric: tabular-nums; }
        th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
        table.counts th, table.counts td { overflow-wrap: normal; white-space: nowrap; }
        table.counts td:last-child { width: 50%; } #entries > tbody > tr > td:nth-child(3) { min-width: 6rem; }
        code, .value { font-family: ui-monospace, monospace; font-size: .9em; }
        .value { white-space: pre-wrap; } .hidden { color: var(--faint); }
        .wide { overflow-x: auto; } ul.problems { padding-left: 1.2rem; }
        .error strong { color: var(--delete); } .warning strong { color: var(--conflict); }
        svg.bar { display: block; width: 100%; min-width: 8rem; height: .9rem; background: var(--soft); }
        rect.insert { fill: var(--insert); } rect.update { fill: var(--update); }
        rect.delete, rect.refused { fill: var(--delete); } rect.conflict { fill: var(--conflict); }
        rect.kept { fill: var(--kept); } rect.not-written { fill: var(--invalid); }
        .tools { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: .75rem 0; }
        .tools label { display: block; color: var(--faint); font-size: .9rem; }
        input, select, button { font: inherit; color: inherit; background: var(--paper); min-height: 2.4rem;
          border: 1px solid var(--faint); border-radius: .35rem; padding: .25rem .6rem; }
        input[type=search] { width: 20rem; max-width: 100%; } button { cursor: pointer; }
        button[aria-pressed=true] { background: var(--ink); color: var(--paper); }
        thead button { border: 0; background: none; font-weight: 600; padding: 0 .2rem; min-height: 2rem; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem; }
        legend { color: var(--faint); font-size: .9rem; padding: 0; }
        #entries > tbody > tr > th { font-weight: 600; min-width: 10rem; }
        .d1 { padding-left: 2rem; } .d2 { padding-left: 3.4rem; } .d3 { padding-left: 4.8rem; }
        .kind { font-weight: 600; white-space: nowrap; }
        .kind.insert { color: var(--insert); } .kind.update, .kind.again { color: var(--update); }
        .kind.delete, .kind.mark, .kind.gone, .kind.missing { color: var(--delete); }
        .kind.conflict { color: var(--conflict); } .kind.kept, .kind.over, .kind.released { color: var(--kept); }
        .kind.invalid { color: var(--invalid); }
        table.fields { margin: 0; width: auto; min-width: 60%; } table.fields th { font-weight: 400; }
        table.fields th, table.fields td { min-width: 5rem; } table.fields thead th { min-width: 0; white-space: nowrap; }
        #entries > thead > tr > th { white-space: nowrap; vertical-align: middle; }
        table.fields thead th { background: none; color: var(--faint); padding-top: 0; }
        mark { background: var(--mark); color: var(--mark-ink); }
        @media (max-width: 52rem) {
          #entries, #entries > tbody, #entries > tbody > tr, #entries > tbody > tr > th, #entries > tbody > tr > td
            { display: block; width: 100%; border: 0; padding: .15rem 0; }
          #entries > thead { display: block; } #entries > thead > tr { display: flex; gap: .5rem; }
          #entries > thead > tr > th:last-child { display: none; }
          #entries > tbody > tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
          #entries > tbody > tr > .d1 { padding-left: 1rem; } #entries > tbody > tr > .d2 { padding-left: 2rem; }
          #entries > tbody > tr > .d3 { padding-left: 3rem; } table.fields { display: block; overflow-x: auto; } }
        @media print { .tools, #more, a.skip { display: none; } }
        """
}
