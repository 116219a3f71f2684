internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceJSON
internal import SluiceServeModel

/// What taking a run back would do, and the button that does it.
struct UndoPage {
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
            \(PlannedChanges(report: report, pipeline: run.pipeline.name).html)
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
}
