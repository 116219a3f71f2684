internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceModel
internal import SluiceReview
internal import SluiceServeModel
internal import SluiceStore

/// One run: how it went, what it changed, and how to take it back.
struct RunPage {
    private static let size = 100
    /// How many conflicts and records in quarantine are listed.
    private static let entries = 100
    let context: PageContext
    let run: RunView
    private var question: Question { context.question }
    private var path: String { Link.run(run.reference) }

    init(_ context: PageContext) throws {
        self.context = context
        run = try RunFinder(site: context.site).run(context.question["run"])
    }

    func answer() throws -> OutgoingResponse {
        let changes = try changes()
        return context.page(
            "\(run.title) of \(run.pipeline.name)", .runs, isLive: run.isRunning || run.isWaiting,
            head + actions + warnings + changes + documents)
    }

    private var head: HTML {
        let now = context.site.control.status().now
        var facts: [(String, HTML)] = [
            ("State", Words.badge(run.state)),
            ("Pipeline", "<a href=\"\(link: Link.pipeline(run.pipeline.name))\"><bdi>\(run.pipeline.name)</bdi></a>"),
            ("Started", Words.moment(run.startedAt, now: now)),
        ]
        if let due = run.served?.due { facts.append(("Due", Words.moment(due, now: now))) }
        if let attempt = run.served?.attempt, attempt > 1 { facts.append(("Attempt", "\(attempt)")) }
        if let who = run.served?.who ?? run.entry?.who { facts.append(("Asked for by", "\(who)")) }
        if let seconds = run.seconds, !run.isWaiting { facts.append(("Took", "\(CountText.time(seconds))")) }
        if run.isRunning {
            facts.append(
                (
                    "So far",
                    "<span data-progress=\"\(value: run.pipeline.name)\">\(run.served?.progress?.line ?? "")</span>"
                ))
        }
        if !run.work.isEmpty {
            facts.append((run.isPlan ? "What it would do" : "What it did", "\(run.work)"))
        }
        if let entry = run.entry {
            if let read = entry.recordsRead { facts.append(("Records read", "\(CountText.grouped(read))")) }
            func other(_ number: Int64) -> HTML {
                let reference = EntryReference(run.pipeline.name, number).text
                return "<a href=\"\(link: Link.run(reference))\">run \(number)</a>"
            }
            if let number = entry.undoes { facts.append(("Takes back", other(number))) }
            if let number = entry.undoneBy { facts.append(("Taken back by", other(number))) }
        }
        let error: HTML = run.error.map { "<p class=\"trouble\">\(Words.lines($0))</p>" } ?? ""
        let list = facts.map { name, fact -> HTML in "<dt>\(name)</dt><dd>\(fact)</dd>" }
        return "\(error)<dl class=\"facts\">\(list)</dl>\n"
    }

    private var actions: HTML {
        guard context.canDecide else { return "" }
        var parts: [HTML] = []
        if run.canBeUndone { parts.append("<a href=\"\(link: path + "/undo")\">Undo this run …</a>") }
        if run.isRunning || run.isWaiting {
            let words = run.isRunning ? "Stop" : "Give up"
            parts.append(context.form(path + "/stop", "\(context.whoField)<button>\(words)</button>"))
        }
        if !run.isRunning && !run.isWaiting && (run.isPlan || run.state != "succeeded") {
            let words = run.isPlan ? "Run now" : "Run again now"
            parts.append(
                context.form(
                    Link.pipeline(run.pipeline.name) + "/runs", "\(context.whoField)<button>\(words)</button>"))
        }
        return parts.isEmpty ? "" : "<div class=\"actions\">\(parts)</div>\n"
    }

    private var warnings: HTML {
        let items = (run.entry?.warnings ?? []).map { warning -> HTML in
            let records = warning.keys.prefix(20).map { key -> HTML in
                guard let entity = warning.entity else { return "<li>\(key)</li>" }
                let record = Link.record(pipeline: run.pipeline.name, entity: entity, key: key)
                return "<li><a href=\"\(link: record)\">\(RecordLabel.of(entity: entity, key: key))</a></li>"
            }
            let list: HTML = records.isEmpty ? "" : "<ul>\(records)</ul>"
            return "<li class=\"warning\"><strong>warning</strong> \(warning.message)\(list)</li>"
        }
        return items.isEmpty ? "" : "<ul class=\"problems\">\(items)</ul>\n"
    }

    // MARK: Changes

    private func changes() throws -> HTML {
        guard let entry = run.entry else { return planned }
        let place = try question.place()
        let (entity, action, search) = (question.query("entity"), question.query("action"), question.query("q"))
        let filter = ChangePage.Filter(entity: entity, action: action, search: search)
        let found = try context.site.stores.read(run.pipeline) { store in
            let reader = HistoryReader(store: store)
            var entries: [RecordedEntry] = []
            let isCut = try place == nil && reader.entries(of: entry, limit: Self.entries) { entries.append($0) }
            let changes = try ChangePage(reader, of: entry, filter, after: place, limit: Self.size)
            let entities = try Set(store.mappings(pipeline: run.pipeline.name, entity: nil).map(\.entity)).sorted()
            return (changes, entries, isCut, entities)
        }
        guard let (changes, entries, isCut, entities) = found else { return "" }
        var fields: [FormField] = []
        for case (let name, let value?) in [("entity", entity), ("action", action), ("q", search)] {
            fields.append(FormField(name, value))
        }
        let list: HTML =
            changes.changes.isEmpty
            ? "<p>\(entry.changes == .kept || entry.changes == nil ? (changes.next == nil ? "No such change." : "No such change so far: the search goes on.") : "What it changed is no longer kept.")</p>"
            : """
            <table class="cards"><thead><tr><th scope="col">Record</th><th scope="col">Change</th><th scope="col">Table</th><th scope="col">Values</th></tr></thead>
            <tbody>\(changes.changes.map(row))</tbody></table>
            """
        return """
            \(settled(entries, isCut: isCut))<section aria-labelledby="changes"><h2 id="changes">Changes</h2>
            <form class="tools" action="\(link: path)"><label>Search <input type="search" name="q" value="\(value: search ?? "")"></label>
            \(PageContext.choice("Entity", "entity", entities, entity))\(PageContext.choice("Change", "action", ChangePage.Filter.actions, action))
            <button>Show</button></form>
            \(list)\(pages(fields, isFirst: place == nil, changes.next))</section>
            """
    }

    /// What a plan would change; nothing of a run.
    private var planned: HTML {
        guard let served = run.served, let changes = PlannedChanges(context.site.control, served) else { return "" }
        // What stands within records is not among the facts.
        let within = changes.counts.dropFirst().map { words -> HTML in "<p>\(words)</p>" }
        return """
            <section aria-labelledby="changes"><h2 id="changes">What a run would have done then</h2>
            <p>A plan writes nothing. A run reads the source again, and does what it finds then.</p>
            \(Array(within))\(changes.list)</section>
            """
    }

    /// Links to the beginning of the list and to what comes next.
    private func pages(_ fields: [FormField], isFirst: Bool, _ next: HistoryPlace?) -> HTML {
        if isFirst && next == nil { return "" }
        let first: HTML = isFirst ? "" : "<a href=\"\(link: path + Link.query(fields))\">← From the beginning</a> "
        let further: HTML =
            next.map { place -> HTML in
                let query = Link.query(fields + [FormField("after", place.text)])
                return "<a href=\"\(link: path + query)\">Further changes →</a>"
            } ?? ""
        return "<p class=\"actions\" role=\"navigation\" aria-label=\"Pages\">\(first)\(further)</p>"
    }

    private func row(_ change: HistoryChange) -> HTML {
        let record = Link.record(pipeline: run.pipeline.name, entity: change.mapping.entity, key: change.key)
        let isNoted = change.action == .base
        let meaning = isNoted ? "What the source says was noted; the row stayed as it was." : nil
        let note: HTML = (KindWords.change(change) ?? meaning).map { "<p>\($0)</p>" } ?? ""
        return """
            <tr><th scope="row"><a href="\(link: record)">\(RecordLabel.of(entity: change.mapping.entity, key: change.key))</a></th>
            <td><span class="kind \(value: change.action.rawValue)">\(isNoted ? "noted" : change.action.rawValue)</span></td><td><code>\(change.table ?? "")</code></td><td>\(note)\(Self.fields(change))</td></tr>

            """
    }

    /// The fields of a change, with what differs marked.
    static func fields(_ change: HistoryChange) -> HTML {
        let shown = change.fields.filter { $0.old != nil && $0.new != nil || ($0.old ?? $0.new) != "null" }
        if shown.isEmpty { return "" }
        let rows = shown.map { field -> HTML in
            let (old, new) = Words.pair(field.old, field.new)
            let note = field.fieldClass.flatMap { KindWords.field($0) } ?? ""
            return
                "<tr><th scope=\"row\"><bdi>\(field.name)</bdi></th><td>\(old)</td><td>\(new)</td><td class=\"faint\">\(note)</td></tr>"
        }
        return """
            <table class="fields"><thead><tr><th scope="col">field</th><th scope="col">before</th><th scope="col">after</th><th scope="col"></th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    /// What became of conflicts and records in quarantine.
    private func settled(_ entries: [RecordedEntry], isCut: Bool) -> HTML {
        let items = entries.filter { $0.subject != .state }.map { entry -> HTML in
            let reference = EntryReference(run.pipeline.name, entry.entry)
            let address = entry.subject == .conflict ? Link.conflict(reference) : Link.quarantine(reference)
            let field = entry.field.map { ", \($0)" } ?? ""
            let end = [entry.end?.words, ConflictText.said(entry)].compactMap { $0.map { "; \($0)" } }.joined()
            let note: HTML = entry.note.map { "<p class=\"note\">Note: \($0)</p>" } ?? ""
            return """
                <li><a href="\(link: address)">\(entry.subject.rawValue) \(entry.entry)</a> \(entry.action): \(RecordLabel.of(entity: entry.mapping.entity, key: entry.key))\(field)\(end) <span class="faint">(\(entry.kind))</span>\(note)</li>
                """
        }
        if items.isEmpty { return "" }
        let more: HTML = isCut ? "<li class=\"faint\">… and more</li>" : ""
        return "<section><h2>Conflicts and quarantine</h2><ul>\(items)\(more)</ul></section>\n"
    }

    private var documents: HTML {
        guard let served = run.served else { return "" }
        var links: [HTML] = []
        func add(_ document: ServedRun.Document, _ address: String, _ words: String) {
            if context.site.control.path(of: document, of: served.id) == nil { return }
            links.append("<li><a href=\"\(link: address)\">\(words)</a></li>")
        }
        let api = "/api/v1" + path
        add(.log, path + "/log", "Log and requests")
        add(.html, path + "/report", "Report with base, local and remote values")
        add(.json, api + "/report", "Report as JSON")
        add(.log, api + "/log", "Log as JSON")
        return links.isEmpty ? "" : "<section><h2>Documents</h2><ul>\(links)</ul></section>\n"
    }
}
