internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceServeModel
internal import SluiceStore

/// The records that could not be taken.
struct QuarantinePage {
    private static let size = 50
    let context: PageContext
    private let query: QuarantineQuery

    init(_ context: PageContext) {
        self.context = context
        query = QuarantineQuery(context.question.request.query)
    }

    func answer() throws -> OutgoingResponse {
        let all = try query.entries(context.site)
        let page = try context.question.number("page", standard: 1, within: 1...1_000_000)
        let shown = all.dropFirst((page - 1) * Self.size).prefix(Self.size)
        func names(_ value: (QuarantineEntry) -> String) -> [String] { Set(all.map { value($0.entry) }).sorted() }
        let closed: HTML = query.includesClosed ? " checked" : ""
        let rows = shown.map(row)
        let list: HTML =
            rows.isEmpty
            ? "<p>No record \(query.includesClosed ? "was" : "is") in quarantine.</p>"
            : """
            <p>\(CountText.of(all.count, "record"))</p>
            <table class="cards"><thead><tr><th scope="col">Record</th><th scope="col">Why</th><th scope="col">Value</th><th scope="col">Pipeline</th></tr></thead><tbody>\(rows)</tbody></table>
            """
        return context.page(
            "Quarantine", .quarantine,
            """
            <form class="tools" action="/quarantine">\(PageContext.choice("Pipeline", "pipeline", context.site.control.status().pipelines.map(\.name), query.pipeline))
            \(PageContext.choice("Entity", "entity", names(\.entity), query.entity))\(PageContext.choice("Stream", "stream", names(\.stream), query.stream))\(PageContext.choice("Reason", "reason", names(\.reason), query.reason))
            <label><input type="checkbox" name="closed" value="1"\(closed)> closed ones too</label> <button>Show</button></form>
            \(list)\(context.pages("/quarantine", query.fields, page: page, hasMore: all.count > page * Self.size))
            """)
    }

    private func row(_ found: FoundRecord) -> HTML {
        let entry = found.entry
        let status: HTML = entry.status == .open ? "" : " <span class=\"faint\">\(entry.status.rawValue)</span>"
        return """
            <tr><th scope="row"><a href="\(link: Link.quarantine(found.reference))">\(RecordLabel.of(entity: entry.entity, key: entry.key))</a>\(status)</th>
            <td>\(entry.message)<div class="faint">\(entry.reason)\(place(entry.pointer))</div></td><td>\(Words.value(entry.value))</td><td><bdi>\(found.pipeline.name)</bdi></td></tr>

            """
    }

    /// Where a value stands that does not fit; nothing for what is made, whose message names its field.
    private func place(_ pointer: String) -> HTML { pointer.isEmpty ? "" : " at <code>\(pointer)</code>" }

    // MARK: One record

    /// One record with its JSON.
    func one() throws -> OutgoingResponse {
        let found = try QuarantineQuery.entry(context.question["record"], context.site)
        let entry = found.entry
        let json = MarkedJSON(entry.record, pointer: entry.pointer).lines.prefix(5_000).map { line -> HTML in
            line.isMarked ? "<mark class=\"place\">\(line.text)</mark>" : "\(line.text)\n"
        }
        let record: HTML =
            entry.key.map { key -> HTML in
                "<p><a href=\"\(link: Link.record(pipeline: found.pipeline.name, entity: entry.entity, key: key))\">The life of this record</a></p>"
            } ?? ""
        return context.page(
            "\(RecordLabel.of(entity: entry.entity, key: entry.key)) in quarantine", .quarantine,
            """
            <p class="trouble">\(entry.message)</p>
            <dl class="facts"><dt>Reason</dt><dd>\(entry.reason)</dd><dt>Place</dt><dd><code>\(entry.pointer.isEmpty ? "the whole record" : entry.pointer)</code></dd><dt>Stream</dt><dd><bdi>\(found.pipeline.name)/\(entry.stream)</bdi></dd><dt>Since</dt><dd>run \(entry.firstRun ?? 0)</dd><dt>State</dt><dd>\(try state(found))</dd></dl>
            \(actions(found))\(record)
            <h2>The record as the source sent it</h2><pre>\(Array(json))</pre>
            \(keys(found))
            """)
    }

    /// Its state; of a closed one in which run, by whom and when.
    private func state(_ found: FoundRecord) throws -> HTML {
        let entry = found.entry
        guard !entry.isOpen, let number = entry.lastRun else { return "\(entry.status.rawValue)" }
        let run = try context.site.stores.read(found.pipeline) { try $0.runs.entry(id: number) } ?? nil
        let who: HTML = run?.who.map { " by \($0)" } ?? ""
        let time: HTML =
            run?.end.map { ", \(Words.moment($0, now: context.site.control.status().now))" } ?? ""
        let reference = EntryReference(found.pipeline.name, number).text
        return "\(entry.status.rawValue)\(who) in <a href=\"\(link: Link.run(reference))\">run \(number)</a>\(time)"
    }

    private func actions(_ found: FoundRecord) -> HTML {
        guard found.entry.isOpen, context.canDecide else { return "" }
        return context.form(
            Link.quarantine(found.reference),
            """
            <div class="actions">\(context.whoField)<button class="strong" name="action" value="retry">Try again</button> <button name="action" value="drop">Give up</button></div>
            """)
    }

    /// The keys of the pipeline file to look at.
    private func keys(_ found: FoundRecord) -> HTML {
        let (definition, _) = PipelineLoader.load(
            path: found.pipeline.file.path, environment: context.site.program.environment, mode: .replay)
        guard let definition else { return "" }
        let items = MappingKeys.of(found.entry, in: definition).map { key -> HTML in
            "<li><code>\(key.path)</code>: \(key.meaning)</li>"
        }
        return """
            <h2>Keys to look at</h2><p>In <a href="\(link: Link.pipeline(found.pipeline.name))"><code>\(found.pipeline.file.path)</code></a>:</p><ul>\(items)</ul>
            """
    }

    /// Tries a record again, or gives it up.
    func handle() throws -> OutgoingResponse {
        let found = try QuarantineQuery.entry(context.question["record"], context.site)
        guard let action = QuarantineAction(rawValue: context.question.form("action") ?? "") else {
            throw Refusal.badRequest("Choose to try the record again or to give it up.")
        }
        let outcome = try Decisions(site: context.site).handle([found], action, by: context.who)
        if outcome.code != 0 { throw Refusal(422, "refused", outcome.messages) }
        let address = Link.quarantine(found.reference)
        if action == .drop { return context.seeOther("\(address)?told=dropped") }
        let isOpen = try QuarantineQuery.entry(context.question["record"], context.site).entry.isOpen
        return context.seeOther("\(address)?told=\(isOpen ? "unfit" : "retried")")
    }
}
