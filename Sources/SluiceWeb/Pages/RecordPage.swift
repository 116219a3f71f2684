internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceModel
internal import SluiceReview
internal import SluiceServeModel
internal import SluiceStore

/// The life of a record: who said what when.
struct RecordPage {
    let context: PageContext

    func answer() throws -> OutgoingResponse {
        let question = context.question
        let (pipeline, entity, key) = (question.query("pipeline"), question.query("entity"), question.query("key"))
        guard let entity, let key else { return try context.page("Records", .records, search(pipeline, entity, key)) }
        let lives = try RecordFinder(site: context.site).lives(entity: entity, key: key, pipeline: pipeline)
        if lives.isEmpty {
            return try context.page(
                "Records", .records, status: 404,
                "<p class=\"trouble\">No pipeline knows this record.</p>" + search(pipeline, entity, key)
            )
        }
        let title = lives.first.map { RecordLabel.of(entity: $0.life.mapping.entity, key: $0.life.key) } ?? entity
        return context.page(title, .records, lives.map(text).joined("\n"))
    }

    private func search(_ pipeline: String?, _ entity: String?, _ key: String?) throws -> HTML {
        let pipelines = context.site.control.status().pipelines
        var names: Set<String> = []
        for served in pipelines where pipeline.map({ $0 == served.name }) ?? true {
            let known = try context.site.stores.read(served) { try $0.mappings(pipeline: served.name, entity: nil) }
            names.formUnion((known ?? []).map(\.entity))
        }
        let options = names.sorted().map { name -> HTML in
            let selected: HTML = name == entity ? " selected" : ""
            return "<option value=\"\(value: name)\"\(selected)>\(name)</option>"
        }
        if options.isEmpty { return "<p>No pipeline has written a record yet.</p>" }
        return """
            <form class="tools" action="/records">\(PageContext.choice("Pipeline", "pipeline", pipelines.map(\.name), pipeline))
            <label>Entity <select name="entity" required>\(options)</select></label>
            <label>Key <input type="text" name="key" value="\(value: key ?? "")" required></label> <button class="strong">Show history</button></form>
            <p class="faint">Where several fields identify a record, the key is <code>field=value,field=value</code>.</p>
            """
    }

    private func text(_ found: FoundLife) -> HTML {
        let life = found.life
        let fields = life.fields.map { field -> HTML in
            """
            <tr><th scope="row"><bdi>\(field.name)</bdi></th><td>\(Words.value(field.value))</td><td>\(origin(field, found))</td></tr>

            """
        }
        let conflicts = life.conflicts.map { entry -> HTML in
            let reference = EntryReference(found.pipeline.name, entry.id ?? 0)
            let field = entry.field.map { ", \($0)" } ?? ""
            return """
                <li><a href="\(link: Link.conflict(reference))">Conflict \(entry.id ?? 0)</a>\(field): \(ConflictText.meaning(of: entry))</li>
                """
        }
        let quarantine = life.quarantine.map { entry -> HTML in
            let reference = EntryReference(found.pipeline.name, entry.id ?? 0)
            return
                "<li><a href=\"\(link: Link.quarantine(reference))\">\(entry.reason)</a>: \(entry.message) <span class=\"faint\">\(entry.status.rawValue)</span></li>"
        }
        func section(_ title: String, _ items: [HTML]) -> HTML {
            items.isEmpty ? "" : "<h3>\(title)</h3><ul>\(items)</ul>"
        }
        let values: HTML =
            fields.isEmpty
            ? ""
            : """
            <table class="cards"><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">From</th></tr></thead><tbody>\(fields)</tbody></table>
            """
        let waiting: HTML = RecordLifeText.waiting(life).map { "<p class=\"note\">\($0)</p>" } ?? ""
        return """
            <section><h2><bdi>\(found.pipeline.name)/\(life.mapping.stream)</bdi></h2>
            <p>\(RecordLifeText.state(life)) <span class="faint">Table <code>\(life.table)</code>, key <code>\(life.key)</code>.</span></p>
            \(waiting)\(values)\(section("What runs did to it", changes(found)))\(section("Conflicts", conflicts))\(section("Quarantine", quarantine))</section>
            """
    }

    private func run(_ number: Int64, _ found: FoundLife) -> HTML {
        let reference = EntryReference(found.pipeline.name, number).text
        let facts =
            found.life.runs[number].map { run in
                let who = run.who.map { " by \($0)" } ?? ""
                return ", \(run.startedAt)\(run.command == "run" ? "" : ", \(run.command)\(who)")"
            } ?? ""
        return "<a href=\"\(link: Link.run(reference))\">run \(number)</a><span class=\"faint\">\(facts)</span>"
    }

    private func origin(_ field: RecordLife.Field, _ found: FoundLife) -> HTML {
        guard let entry = field.waitsIn else { return author(field, found) }
        let reference = EntryReference(found.pipeline.name, entry)
        let link: HTML = "<a href=\"\(link: Link.quarantine(reference))\">quarantine \(entry)</a>"
        return "<span class=\"note\">in \(link), null in the table</span>; \(author(field, found))"
    }

    private func author(_ field: RecordLife.Field, _ found: FoundLife) -> HTML {
        if !field.waitsFor.isEmpty { return "<span class=\"note\">waits for a record of \(field.target)</span>" }
        if !field.emptied.isEmpty {
            return "<span class=\"note\">null for good: its record of \(field.target) went</span>"
        }
        if field.isEdited {
            let base: HTML = "\(RecordLifeText.said(field, found.life))"
            if let number = field.run { return run(number, found) + base }
            return "<span class=\"note\">edited here</span>\(base)"
        }
        let from: HTML = field.from.map { ", from <bdi>\($0)</bdi>" } ?? ""
        guard let number = field.run else {
            if let run = field.foundBy {
                return "<span class=\"faint\">was here before </span>\(self.run(run, found))\(from)"
            }
            let unknown = found.life.isOwn ? "added here" : "a run whose changes are not kept"
            return "<span class=\"faint\">\(unknown)</span>\(from)"
        }
        return run(number, found) + from
    }

    private func changes(_ found: FoundLife) -> [HTML] {
        let life = found.life
        let said = life.said.map { entry -> (Int64, HTML) in
            let reference = EntryReference(found.pipeline.name, entry.entry)
            let field: HTML = entry.field.map { ", <bdi>\($0)</bdi>" } ?? ""
            let conflict: HTML = "<a href=\"\(link: Link.conflict(reference))\">conflict \(entry.entry)</a>"
            return (
                entry.run, "<li>\(run(entry.run, found)): \(conflict)\(field): \(ConflictText.said(entry) ?? "")</li>"
            )
        }
        let changed = life.changes.map { change -> (Int64, HTML) in
            let kind = change.kind.flatMap { KindWords.record($0) }.map { " (\($0))" } ?? ""
            let words =
                switch change.action {
                case .insert: "inserted" + kind
                case .update: "updated" + kind
                case .delete: "deleted" + kind
                case .base: KindWords.noted(change)
                }
            let page: HTML = change.page.map { "<span class=\"faint\">, from <bdi>\($0)</bdi></span>" } ?? ""
            return (
                change.run, "<li>\(run(change.run, found)): \(words)\(page)\(RunPage.fields(change))</li>"
            )
        }
        var items = (changed + said).enumerated().sorted { ($0.element.0, $1.offset) > ($1.element.0, $0.offset) }
            .map { $0.element.1 }
        if life.isCut {
            items.append("<li class=\"faint\">What earlier runs did is no longer kept.</li>")
        } else if let first = life.firstRun, !life.changes.contains(where: { $0.run == first && !$0.isOfLinks }) {
            items.append("<li>\(run(first, found)): inserted</li>")
        }
        return items
    }
}
