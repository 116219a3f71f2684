internal import SluiceCommands
internal import SluiceJSON
internal import SluiceServeModel
internal import SluiceSystem

/// What a plan would do, of its report: counts, problems, changes, and what it would not write.
struct PlannedChanges {
    private static let shown = 200
    /// How long a report may be that is read for a page.
    private static let longestReport = 64 << 20
    let report: JSONValue
    let pipeline: String

    /// The report of a plan that the service has made; nil where there is none, or it is too long for a page.
    init?(_ control: any ServeControl, _ run: ServedRun) {
        guard run.kind == .plan, let path = control.path(of: .json, of: run.id),
            FileSystem.size(of: path).map({ $0 <= Self.longestReport }) ?? false,
            let bytes = try? FileSystem.contents(of: path), let root = (try? JSONDocument(bytes))?.root,
            let report = root.member(named: "pipelines")?.element(at: 0)
        else { return nil }
        self.init(report: report, pipeline: run.pipeline)
    }

    init(report: JSONValue, pipeline: String) { (self.report, self.pipeline) = (report, pipeline) }

    /// The counts in words, those of the streams' own records first.
    var counts: [String] {
        let summary = report.member(named: "summary")
        let words = SummaryText.planned { summary?.member(named: $0).map { Int($0.integer) } ?? 0 }
        // What stands within records, an entity each.
        let within = (report.member(named: "entities")?.members ?? []).map { entity in
            let words = SummaryText.planned { entity.value.member(named: $0).map { Int($0.integer) } ?? 0 }
            return "\(entity.name): \(words.joined(separator: ", "))"
        }
        return [words.joined(separator: ", ")] + within
    }

    /// All of it.
    var html: HTML {
        let isNothing = (report.member(named: "summary")?.members ?? []).allSatisfy { $0.value.integer == 0 }
        let told: HTML =
            isNothing && elements("changes").isEmpty
            ? "<p>It would change no record.</p>" : "<p><strong>\(counts.joined(separator: "; "))</strong></p>"
        return told + list
    }

    /// All of it but the counts.
    var list: HTML {
        let problems = elements("problems").map { problem -> HTML in
            let severity = text(problem, "severity")
            return
                "<li class=\"\(value: severity)\"><strong>\(severity)</strong> \(text(problem, "message"))</li>"
        }
        let schema = elements("schema_changes").map { change -> HTML in
            "<li>\(text(change, "change").replacing("_", with: " ")): <code>\(text(change, "table"))</code></li>"
        }
        let changes = elements("changes")
        let rows = changes.prefix(Self.shown).map(row)
        let table: HTML =
            rows.isEmpty
            ? ""
            : """
            <table class="cards"><thead><tr><th scope="col">Record</th><th scope="col">Change</th><th scope="col">Values</th></tr></thead><tbody>\(Array(rows))</tbody></table>
            """
        let isCut = changes.count > Self.shown || report.member(named: "changes_truncated")?.boolean == true
        let more: HTML = isCut ? "<p class=\"faint\">… and more changes</p>" : ""
        let unwritten = elements("quarantine").prefix(Self.shown).map { entry -> HTML in
            "<li>\(label(entry)): \(text(entry, "message"))</li>"
        }
        return """
            \(section("Tables", schema))<ul class="problems">\(problems)</ul>\(table)\(more)\(section("Conflicts", withdrawn))\(section("Not written", Array(unwritten)))
            """
    }

    /// What becomes of conflicts where a run is taken back: those that it opened go, and those that it closed are open again.
    private var withdrawn: [HTML] {
        let gone = elements("withdrawn_conflicts").map { number -> HTML in
            let reference = EntryReference(pipeline, number.integer)
            return
                "<li><a href=\"\(link: Link.conflict(reference))\">Conflict \(number.integer)</a> of that run goes away</li>"
        }
        if report.member(named: "command")?.string != "undo" { return gone }
        return gone
            + elements("conflicts").prefix(Self.shown).map { conflict -> HTML in
                let field = text(conflict, "field")
                let word = text(conflict, "status") == "open" ? "is open as before" : "is as before"
                return "<li>The conflict over \(label(conflict))\(field.isEmpty ? "" : ", \(field)") \(word)</li>"
            }
    }

    private func section(_ title: String, _ items: [HTML]) -> HTML {
        items.isEmpty ? "" : "<h3>\(title)</h3><ul>\(items)</ul>\n"
    }

    private func row(_ change: JSONValue) -> HTML {
        let action = text(change, "action")
        let fields = elements("fields", of: change).map { field -> HTML in
            let local = json(field.member(named: "local"))
            let (old, new) = Words.pair(local, json(field.member(named: "result")))
            let source: HTML =
                action == "conflict"
                ? "the source says \(Words.marked(json(field.member(named: "remote")), against: local))" : ""
            return """
                <tr><th scope="row"><bdi>\(text(field, "field"))</bdi></th><td>\(old)</td><td>\(new)</td><td class="faint">\(source)</td></tr>
                """
        }
        let table: HTML =
            fields.isEmpty
            ? ""
            : "<table class=\"fields\"><thead><tr><th scope=\"col\">field</th><th scope=\"col\">now</th><th scope=\"col\">then</th><th scope=\"col\"></th></tr></thead><tbody>\(fields)</tbody></table>"
        return """
            <tr><th scope="row">\(label(change))</th><td><span class="kind \(value: action)">\(action)</span></td><td>\(table)</td></tr>

            """
    }

    /// The record of an entry; one that is in its table is a link.
    private func label(_ entry: JSONValue) -> HTML {
        let entity = text(entry, "entity")
        guard let key = json(entry.member(named: "key")), key != "null" else { return "a record of \(entity)" }
        let label = RecordLabel.of(entity: entity, key: key)
        // What is to be inserted is not there yet.
        guard let action = entry.member(named: "action")?.string, action != "insert" else { return "\(label)" }
        return "<a href=\"\(link: Link.record(pipeline: pipeline, entity: entity, key: key))\">\(label)</a>"
    }

    private func elements(_ name: String, of value: JSONValue? = nil) -> [JSONValue] {
        (value ?? report).member(named: name)?.elements ?? []
    }

    private func text(_ value: JSONValue, _ name: String) -> String { value.member(named: name)?.string ?? "" }

    private func json(_ value: JSONValue?) -> String? { value.map { String(decoding: $0.json, as: UTF8.self) } }
}
