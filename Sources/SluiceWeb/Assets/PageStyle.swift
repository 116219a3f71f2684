internal import SluiceCommands

/// How the pages look: as the report for a browser, and what they have besides.
enum PageStyle {
    static let text =
        ReportPageStyle.text + """

            a { color: var(--link); } body > header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center;
              border-bottom: 1px solid var(--line); margin-bottom: 1rem; padding-bottom: .5rem; }
            body > header .name { font-weight: 700; font-size: 1.1rem; text-decoration: none; color: var(--ink); }
            nav ul { display: flex; flex-wrap: wrap; gap: .25rem .9rem; list-style: none; margin: 0; padding: 0; }
            nav a[aria-current=page] { color: var(--ink); font-weight: 600; text-decoration: none; }
            header form { margin-left: auto; } .count { background: var(--conflict); color: var(--paper);
              border-radius: 1rem; padding: 0 .45rem; font-size: .85em; }
            .badge { border: 1px solid; border-radius: .3rem; padding: 0 .4rem; white-space: nowrap; font-size: .9em; }
            .succeeded { color: var(--insert); } .failed, .interrupted, .locked, .superseded { color: var(--delete); }
            .partial, .refused { color: var(--conflict); } .running, .waiting { color: var(--link); }
            .told { border-left: 4px solid var(--insert); padding: .3rem .8rem; background: var(--soft); }
            .trouble { border-left: 4px solid var(--delete); padding: .3rem .8rem; background: var(--soft); }
            table.overview > * > tr > :is(:first-child, :nth-child(4), :nth-child(7)) { min-width: 8.5rem; }
            table.overview > * > tr > :is(:nth-child(2), :nth-child(3)) { min-width: 7rem; overflow-wrap: anywhere; }
            .note { color: var(--conflict); margin: 0; } svg.chart { width: 9.5rem; height: 1.6rem; display: block; }
            svg.chart rect { fill: var(--faint); } svg.chart rect.succeeded { fill: var(--insert); }
            svg.chart rect.failed, svg.chart rect.interrupted, svg.chart rect.locked, svg.chart rect.superseded { fill: var(--delete); }
            svg.chart rect.partial, svg.chart rect.refused { fill: var(--conflict); }
            svg.chart rect.records { fill: var(--update); }
            tbody th .faint { font-weight: 400; }
            .tools label:has([type=checkbox]) { display: flex; gap: .35rem; align-items: center; }
            .actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .5rem 0; }
            .actions form { margin: 0; } fieldset { border: 1px solid var(--line); border-radius: .35rem; }
            button.strong { background: var(--link); color: var(--paper); border-color: var(--link); }
            article { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem; margin: .75rem 0; }
            article h2, article h3 { margin: .25rem 0; font-size: 1.05rem; }
            article:focus-within { border-color: var(--link); }
            .sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .75rem; }
            .sides h4 { margin: 0; color: var(--faint); font-weight: 400; } .sides > div { min-width: 0; }
            del { background: var(--mark); color: var(--mark-ink); text-decoration: line-through; }
            ins, mark { background: var(--mark); color: var(--mark-ink); text-decoration: none; }
            pre { background: var(--soft); padding: .5rem; overflow-x: auto; white-space: pre-wrap; margin: .25rem 0; }
            pre .place { background: var(--mark); color: var(--mark-ink); display: block; }
            pre .line { color: var(--faint); user-select: none; } pre .error { color: var(--delete); }
            pre .warning { color: var(--conflict); } svg.graph { max-width: 100%; height: auto; }
            svg.graph rect { fill: var(--soft); stroke: var(--faint); } svg.graph text { fill: var(--ink);
              font: 13px system-ui, sans-serif; } svg.graph path { fill: none; stroke: var(--faint); }
            svg.graph path.reference { stroke: var(--link); stroke-dasharray: 4 3; } dl.facts { display: grid;
              grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dl.facts dt { color: var(--faint); }
            dl.facts dd { margin: 0; } kbd { border: 1px solid var(--faint); border-radius: .25rem; padding: 0 .3rem; }
            textarea, input[type=text], input[type=password] { font: inherit; color: inherit; background: var(--paper);
              border: 1px solid var(--faint); border-radius: .35rem; padding: .25rem .6rem; max-width: 100%; }
            table.cards > * > tr > :not(:last-child) { overflow-wrap: break-word; }
            table.cards > * > tr > :last-child { min-width: 10rem; }
            footer { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: .5rem; color: var(--faint); }
            @media (max-width: 50rem) { table.cards, table.cards > tbody, table.cards > tbody > tr,
              table.cards > tbody > tr > * { display: block; width: auto; } table.cards > thead { position: absolute;
              left: -100rem; } table.cards > tbody > tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
              table.cards > tbody > tr > * { border: 0; padding: .15rem 0; } }
            """
}
