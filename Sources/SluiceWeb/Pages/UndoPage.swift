internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceJSON
internal import SluiceServeModel

/// What taking a run back would do, and the button that does it.
struct UndoPage {
    private static let shown = 200
    let context: PageContext

    func plan() throws -> OutgoingResponse {
        let site = context.site
        let run = try RunFinder(site: site).run(context.question["run"])
        let outcome = try Decisions(site: site).undo(run, isPlan: true, by: context.who)
        guard let report = outcome.json?.member(named: "pipelines")?.element(at: 0) else {
            throw Refusal(422, "refused", outcome.messages)
        }
        let address = Link.run(run.reference)
        return context.page(
            "Undo \(run.title.lowercased()) of \(run.pipeline.name)", .runs,
            """
            <p>This is what an undo would do now. What was changed since, by hand or by a later run, stays.\(repetition(run))</p>
            \(Self.text(report, pipeline: run.pipeline.name))
            <div class="actions">\(context.form(address + "/undo", "\(context.whoField)<button class=\"strong\">Undo the run</button>"))
            <a href="\(link: address)">Cancel</a></div>
            """)
    }

    private func repetition(_ run: RunView) -> HTML {
        run.entry.map { RepetitionNote.applies(to: $0) } == true ? " \(RepetitionNote.text)" : ""
    }

    func perform() throws -> OutgoingResponse {
        let site = context.site
        let run = try RunFinder(site: site).run(context.question["run"])
        let outcome = try Decisions(site: site).undo(run, isPlan: false, by: context.who)
        guard let report = outcome.json?.member(named: "pipelines")?.element(at: 0),
            let number = report.member(named: "run"), !number.isNull
        else { throw Refusal(422, "refused", outcome.messages) }
        let reference = EntryReference(run.pipeline.name, number.integer).text
        return context.seeOther(Link.run(reference) + "?told=undone")
    }

    /// A report of the program: its counts, problems and changes.
    static func text(_ report: JSONValue, pipeline: String) -> HTML {
        let summary = report.member(named: "summary")?.members ?? []
        let counts = summary.filter { $0.value.integer != 0 }.map {
            "\(CountText.grouped(Int($0.value.integer))) \($0.name.replacing("_", with: " "))"
        }
        let problems = (report.member(named: "problems")?.elements ?? []).map { problem -> HTML in
            let severity = problem.member(named: "severity")?.string ?? ""
            return
                "<li class=\"\(value: severity)\"><strong>\(severity)</strong> \(problem.member(named: "message")?.string ?? "")</li>"
        }
        let changes = report.member(named: "changes")?.elements ?? []
        let rows = changes.prefix(shown).map { row($0, pipeline) }
        let more: HTML =
            changes.count > shown || report.member(named: "changes_truncated")?.boolean == true
            ? "<p class=\"faint\">… and more changes</p>" : ""
        let list: HTML =
            rows.isEmpty
            ? ""
            : """
            <table class="cards"><thead><tr><th scope="col">Record</th><th scope="col">Change</th><th scope="col">Values</th></tr></thead><tbody>\(Array(rows))</tbody></table>
            """
        let told: HTML =
            counts.isEmpty
            ? "<p>It would change no record.</p>" : "<p><strong>\(counts.joined(separator: ", "))</strong></p>"
        return "\(told)<ul class=\"problems\">\(problems)</ul>\(list)\(more)"
    }

    private static func row(_ change: JSONValue, _ pipeline: String) -> HTML {
        func json(_ value: JSONValue?) -> String? { value.map { String(decoding: $0.json, as: UTF8.self) } }
        let entity = change.member(named: "entity")?.string ?? ""
        let key = json(change.member(named: "key"))
        let action = change.member(named: "action")?.string ?? ""
        let fields = (change.member(named: "fields")?.elements ?? []).map { field -> HTML in
            let name = field.member(named: "field")?.string ?? ""
            let (old, new) = Words.pair(json(field.member(named: "local")), json(field.member(named: "result")))
            return "<tr><th scope=\"row\"><bdi>\(name)</bdi></th><td>\(old)</td><td>\(new)</td></tr>"
        }
        let table: HTML =
            fields.isEmpty
            ? ""
            : "<table class=\"fields\"><thead><tr><th scope=\"col\">field</th><th scope=\"col\">now</th><th scope=\"col\">then</th></tr></thead><tbody>\(fields)</tbody></table>"
        return """
            <tr><th scope="row">\(RecordLabel.of(entity: entity, key: key))</th><td><span class="kind \(value: action)">\(action)</span></td><td>\(table)</td></tr>

            """
    }
}
