internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceJSON
internal import SluiceReview
internal import SluiceServeModel
internal import SluiceStore

/// The conflicts that wait for somebody, each with its sides beside each other.
struct ConflictsPage {
    private static let size = 25
    private static let previewed = 50
    let context: PageContext
    private let query: ConflictQuery

    init(_ context: PageContext) {
        self.context = context
        query = ConflictQuery(context.question.request.form ?? context.question.request.query)
    }

    func answer() throws -> OutgoingResponse {
        let all = try query.entries(context.site)
        let page = try context.question.number("page", standard: 1, within: 1...1_000_000)
        let shown = try explained(Array(all.dropFirst((page - 1) * Self.size).prefix(Self.size)))
        func names(_ value: (ConflictEntry) -> String?) -> [String] { Set(all.compactMap { value($0.entry) }).sorted() }
        let closed: HTML = query.includesClosed ? " checked" : ""
        // They do something where there is something to decide, for who may.
        let keys: HTML =
            context.canDecide && shown.contains { $0.entry.status == .open }
            ? " <span class=\"faint\">Keys: <kbd>l</kbd> local, <kbd>r</kbd> remote, <kbd>b</kbd> base, <kbd>e</kbd> another value, <kbd>s</kbd> skip, <kbd>k</kbd> back.</span>"
            : ""
        let count: HTML =
            all.isEmpty
            ? "<p>No conflict \(query.includesClosed ? "is known" : "is open").</p>"
            : "<p>\(CountText.of(all.count, "conflict")).\(keys)</p>"
        return context.page(
            "Conflicts", .conflicts,
            """
            <form class="tools" action="/conflicts"><label>Search <input type="search" name="q" value="\(value: query.search ?? "")"></label>
            \(PageContext.choice("Pipeline", "pipeline", context.site.control.status().pipelines.map(\.name), query.pipeline))
            \(PageContext.choice("Entity", "entity", names { $0.entity }, query.entity))\(PageContext.choice("Field", "field", names { $0.field }, query.field))\(PageContext.choice("Kind", "kind", names { $0.kind }, query.kind))
            <label><input type="checkbox" name="closed" value="1"\(closed)> closed ones too</label> <button>Show</button></form>
            \(count)\(shown.map { card($0) })\(context.pages("/conflicts", query.fields, page: page, hasMore: all.count > page * Self.size))
            \(bulk(all.filter { $0.entry.status == .open }.count))
            """)
    }

    /// One conflict.
    func one() throws -> OutgoingResponse {
        let conflict = try ConflictQuery.entry(context.question["conflict"], context.site)
        var found = try explained([conflict]).first ?? conflict
        found.said =
            try context.site.stores.read(found.pipeline) { try SaidValue.all(of: conflict.entry, in: $0) } ?? []
        return context.page(
            "Conflict \(found.entry.id ?? 0)", .conflicts,
            "\(card(found))<p><a href=\"/conflicts\">All open conflicts</a></p>")
    }

    private func explained(_ conflicts: [FoundConflict]) throws -> [FoundConflict] {
        var explained: [FoundConflict] = []
        for (name, group) in Dictionary(grouping: conflicts, by: \.pipeline.name).sorted(by: { $0.key < $1.key }) {
            let pipeline = try context.site.pipeline(name)
            let found = try context.site.stores.read(pipeline) { store in
                let waiting = try WaitingValue.all(of: group.map(\.entry), in: store)
                return try zip(ConflictBases(store: store).explained(group.map(\.entry)), waiting).map {
                    entry, waiting in
                    var found = FoundConflict(pipeline: pipeline, entry: entry)
                    if entry.status != .open { return found }
                    found.waiting = waiting
                    if entry.field == nil { return found }
                    let table = try store.knownTable(
                        pipeline: entry.pipeline, stream: entry.stream, entity: entry.entity)
                    (found.offersRemote, found.offersBase) = entry.writable(table?.schema)
                    return found
                }
            }
            explained += found ?? []
        }
        return explained
    }

    // MARK: A conflict

    private func card(_ found: FoundConflict) -> HTML {
        let entry = found.entry
        let record = Link.record(pipeline: found.pipeline.name, entity: entry.entity, key: entry.key)
        // A list that is one value is no record: its elements have keys of their own.
        let label: HTML =
            entry.isOfList
            ? "<bdi>\(RecordLabel.of(entry))</bdi>" : "<a href=\"\(link: record)\">\(RecordLabel.of(entry))</a>"
        let field = entry.field.map { ", \($0)" } ?? ""
        let meaning = entry.field == nil ? ConflictText.recordMeaning(of: entry) : KindWords.conflict(entry.kind)
        // What a person wrote stands with the decision.
        let note: HTML = entry.status == .open ? entry.note.map { "<p class=\"note\">\($0)</p>" } ?? "" : ""
        return """
            <article data-conflict tabindex="0" aria-label="\(value: "Conflict \(entry.id ?? 0)")">
            <h3><a href="\(link: Link.conflict(found.reference))">Conflict \(entry.id ?? 0)</a>: \(label)<bdi>\(field)</bdi></h3>
            <p class="faint">\(meaning) · <bdi>\(found.pipeline.name)</bdi> · since run \(entry.firstRun ?? 0)</p>
            \(note)\(sides(entry, found.waiting))\(said(found.said))\(decision(found))
            </article>

            """
    }

    private func sides(_ conflict: ConflictEntry, _ waiting: [WaitingValue]) -> HTML {
        var entry = conflict
        let shown = conflict.kind == "edit_delete" ? conflict.local.map { ShownRecord($0) } : nil
        if let shown { entry.local = shown.row }
        let within: HTML = shown?.within.map { "<p class=\"faint\">\($0)</p>" } ?? ""
        let base: HTML =
            entry.base == nil && entry.baseAbsence != nil
            ? "<span class=\"faint\">not kept</span>" : Words.value(entry.base)
        let local =
            entry.base == nil
            ? Words.pair(entry.local, entry.remote).old : Words.marked(entry.local, against: entry.base)
        let remote =
            entry.base == nil
            ? Words.pair(entry.local, entry.remote).new : Words.marked(entry.remote, against: entry.base)
        // What is closed tells of the time when it was found.
        let (holds, says) = entry.status == .open ? ("holds", "says now") : ("held", "said")
        var place = "what the table \(holds)"
        if entry.field != nil, let value = waiting.first {
            place = "what waits in quarantine \(value.entry), null in the table"
        } else if !waiting.isEmpty {
            let fields = waiting.map { "\($0.field) in quarantine \($0.entry)" }.joined(separator: ", ")
            place += ", but for what waits: \(fields), null in the table"
        }
        return """
            <div class="sides"><div><h4>base: what the source said before</h4>\(base)</div><div><h4>local: \(place)</h4>\(local)\(within)</div><div><h4>remote: what the source \(says)</h4>\(remote)</div></div>

            """
    }

    /// What the source said while a conflict was open, with the run that read it.
    private func said(_ values: [SaidValue]) -> HTML {
        if values.isEmpty { return "" }
        let rows: [HTML] = values.map { value in
            let run: HTML = value.run.map { "run \($0)" } ?? "before"
            return
                "<tr><th scope=\"row\">\(run)</th><td>\(value.at ?? "")</td><td>\(value.value == nil ? "gone" : Words.value(value.value))</td></tr>"
        }
        return """
            <h4>What the source said while it was open</h4><table><tbody>\(rows)</tbody></table>

            """
    }

    private func decision(_ found: FoundConflict) -> HTML {
        let entry = found.entry
        guard entry.status == .open else {
            let note: HTML = entry.note.map { "<p class=\"note\">Note: \($0)</p>" } ?? ""
            var text: HTML = "<p>\(ConflictText.meaning(of: entry))</p>\(note)"
            if entry.status == .resolved, let run = entry.lastRun, context.canDecide {
                let reference = EntryReference(found.pipeline.name, run).text
                let undo = Link.run(reference) + "/undo"
                text += "<p><a href=\"\(link: undo)\">Undo run \(run), which decided this …</a></p>"
            }
            return text
        }
        guard context.canDecide else { return "" }
        let remote: HTML =
            found.offersRemote ? "<button name=\"take\" value=\"remote\">Take remote</button>" : ""
        let base: HTML =
            entry.base != nil && found.offersBase && (entry.field != nil || entry.isOfList)
            ? "<button name=\"take\" value=\"base\">Take base</button>" : ""
        let value: HTML =
            entry.field == nil
            ? ""
            : "<label>or another value <input type=\"text\" name=\"value\" value=\"\(value: ValueText.plain(entry.local ?? ""))\"></label> <button name=\"take\" value=\"set\">Set it</button>"
        return context.form(
            Link.conflict(found.reference),
            """
            <input type="hidden" name="mark" value="\(value: entry.mark)"><div class="actions">\(context.whoField)\(context.noteField)</div><div class="actions"><button name="take" value="local">Keep local</button>\(remote)\(base)\(value)</div>
            """)
    }

    /// Carries a decision out.
    func decide() throws -> OutgoingResponse {
        let question = context.question
        let found = try ConflictQuery.entry(question["conflict"], context.site)
        let take = question.form("take")
        let decision =
            take == "set"
            ? Decision.value(question.request.form?["value"] ?? "") : try Decision(take: take, value: nil)
        let outcome = try Decisions(site: context.site).decide(
            [found], decision, marks: [question.form("mark")].compactMap { $0 }, note: question.form("note"),
            by: context.who)
        try Decisions.check(outcome)
        return context.seeOther("/conflicts?told=\(Decisions.leavesReferences(outcome) ? "waiting" : "decided")")
    }

    // MARK: Many at once

    private func bulk(_ count: Int) -> HTML {
        guard count > 1, context.canDecide else { return "" }
        let hidden = query.fields.filter { $0.name != "closed" }.map { field -> HTML in
            "<input type=\"hidden\" name=\"\(value: field.name)\" value=\"\(value: field.value)\">"
        }
        return """
            <section><h2>Decide all \(CountText.grouped(count)) of this list</h2>\(context.form("/conflicts/preview", "\(hidden)<div class=\"actions\">\(Self.choices)<button>Show what that would do</button></div>"))</section>
            """
    }

    private static let choices: HTML = """
        <label><input type="radio" name="take" value="local" required> keep local</label> <label><input type="radio" name="take" value="remote"> take remote</label> <label><input type="radio" name="take" value="base"> take base</label>
        """

    /// The open conflicts that a form means, with what tells whether they are still the same.
    private func chosen() throws -> (conflicts: [FoundConflict], mark: String) {
        var query = query
        query.includesClosed = false
        let conflicts = try query.entries(context.site)
        let names = conflicts.map {
            "\($0.reference.text)\u{1F}\($0.entry.local ?? "")\u{1F}\($0.entry.remote ?? "")\u{1F}\($0.entry.base ?? "")"
        }
        return (conflicts, Secret.hash(names.joined(separator: "\u{1E}")))
    }

    /// Shows what a decision over all of a list would do.
    func preview() throws -> OutgoingResponse {
        let (conflicts, mark) = try chosen()
        let take = try Decision(take: context.question.form("take"), value: nil)
        guard case .take(let side) = take, !conflicts.isEmpty else {
            throw Refusal(409, "nothing_open", "No such conflict is open any more.")
        }
        let rows = conflicts.prefix(Self.previewed).map { found -> HTML in
            let entry = found.entry
            let result = side == "local" ? entry.local : side == "remote" ? entry.remote : entry.base
            let (old, new) = Words.pair(entry.local, result)
            return """
                <tr><th scope="row">\(RecordLabel.of(entry))</th><td><bdi>\(entry.field ?? "the whole record")</bdi></td><td>\(old)</td><td>\(new)</td></tr>

                """
        }
        let more: HTML =
            conflicts.count > Self.previewed
            ? "<p class=\"faint\">… and \(CountText.grouped(conflicts.count - Self.previewed)) more</p>" : ""
        let hidden = (query.fields.filter { $0.name != "closed" } + [FormField("take", side), FormField("mark", mark)])
            .map { field -> HTML in
                "<input type=\"hidden\" name=\"\(value: field.name)\" value=\"\(value: field.value)\">"
            }
        return context.page(
            "Decide \(CountText.of(conflicts.count, "conflict"))", .conflicts,
            """
            <p>All of them get the \(side) value.</p>
            <table class="cards"><thead><tr><th scope="col">Record</th><th scope="col">Field</th><th scope="col">Now</th><th scope="col">Then</th></tr></thead><tbody>\(Array(rows))</tbody></table>\(more)
            \(context.form("/conflicts/decide", "\(hidden)<div class=\"actions\">\(context.whoField)\(context.noteField)<button class=\"strong\">Decide all \(CountText.grouped(conflicts.count))</button></div>"))
            <p><a href="\(link: "/conflicts" + Link.query(query.fields))">Cancel</a></p>
            """)
    }

    /// What is said of pipelines whose conflicts were not decided, beside those whose were; nil where all were.
    private static func refusal(_ refused: [(pipeline: String, refusal: Refusal)], _ decided: [String]) -> Refusal? {
        guard let first = refused.first?.refusal else { return nil }
        if decided.isEmpty && refused.count == 1 { return first }
        let done = decided.map { "The conflicts of `\($0)` were decided." }
        let left = refused.map { "Those of `\($0.pipeline)` were not, or not all of them: \($0.refusal.message)" }
        return Refusal(
            first.status, decided.isEmpty ? first.code : Refusal.partly, (done + left).joined(separator: "\n"))
    }

    /// Carries a decision over all of a list out, if the list is what was shown.
    func decideAll() throws -> OutgoingResponse {
        let (conflicts, mark) = try chosen()
        guard context.question.form("mark") == mark else {
            throw Refusal(
                409, "changed",
                "These conflicts are not the same any more as those that were shown. Nothing was done. Look at them again."
            )
        }
        let take = try Decision(take: context.question.form("take"), value: nil)
        let groups = Dictionary(grouping: conflicts, by: \.pipeline.name).sorted { $0.key < $1.key }
        var leavesReferences = false
        var decided: [String] = []
        var refused: [(pipeline: String, refusal: Refusal)] = []
        // Each pipeline has a run of its own: what stands against one of them stands against no other.
        for (pipeline, group) in groups {
            do {
                let outcome = try Decisions(site: context.site).decide(
                    group, take, marks: group.map(\.entry.mark), note: context.question.form("note"), by: context.who)
                try Decisions.check(outcome)
                leavesReferences = Decisions.leavesReferences(outcome) || leavesReferences
                decided.append(pipeline)
            } catch let refusal as Refusal {
                refused.append((pipeline, refusal))
            }
        }
        if let refusal = Self.refusal(refused, decided) { throw refusal }
        return context.seeOther("/conflicts?told=\(leavesReferences ? "waiting" : "decided")")
    }
}
