internal import SluiceCommands
internal import SluiceDiagnostics
internal import SluiceHTTPServer
internal import SluiceServeModel
internal import SluiceStore

/// All pipelines, each in a line.
struct OverviewPage {
    let context: PageContext

    func answer() -> OutgoingResponse {
        let status = context.site.control.status()
        let states = context.site.states.all(status)
        let trouble: HTML = status.trouble.map { "<p class=\"trouble\">\($0)</p>" } ?? ""
        let stopping: HTML = status.isStopping ? "<p class=\"trouble\">The service is about to end.</p>" : ""
        let broken = status.brokenFiles.map { file -> HTML in
            "<li><code>\(file.path)</code>: \(file.problems.first?.message ?? "")</li>"
        }
        let files: HTML =
            broken.isEmpty ? "" : "<section><h2>Files with errors</h2><ul class=\"problems\">\(broken)</ul></section>"
        if states.isEmpty {
            return context.page(
                "Overview", .overview, isLive: true, trouble + stopping + files + "<p>No pipeline is served.</p>")
        }
        return context.page(
            "Overview", .overview, isLive: true,
            """
            \(trouble)\(stopping)<table class="cards overview"><thead><tr><th scope="col">Pipeline</th><th scope="col">State</th><th scope="col">Last run</th><th scope="col">Next due</th><th scope="col">Duration</th><th scope="col">Records</th><th scope="col">Open</th></tr></thead>
            <tbody>\(states.map { row($0, now: status.now) })</tbody></table>
            \(files)\(workers(status))
            """)
    }

    /// The services that share the stores; nothing where there is this one alone.
    private func workers(_ status: ServeStatus) -> HTML {
        guard status.crew.contains(where: { $0.lease != nil }) else { return "" }
        let rows = status.crew.map { worker -> HTML in
            let note: HTML = worker.isThis ? " <span class=\"faint\">this one</span>" : ""
            let takeover = worker.tasks.isEmpty ? "late" : "late: others take over its runs"
            let late: HTML = worker.isLate ? "<p class=\"note\">\(takeover)</p>" : ""
            let tasks = worker.tasks.map { task -> HTML in
                "<div><bdi>\(task.pipeline)</bdi>\(task.helps ? " (partitions)" : "")</div>"
            }
            return """
                <tr><th scope="row"><bdi>\(worker.place)</bdi>\(note)\(late)</th><td>\(Words.moment(worker.startedAt, now: status.now))</td><td>\(Words.moment(worker.seenAt, now: status.now))</td><td>\(tasks.isEmpty ? "<span class=\"faint\">nothing</span>" : tasks.joined(""))</td></tr>

                """
        }
        return """
            <section><h2>Workers</h2><table class="cards"><thead><tr><th scope="col">Worker</th><th scope="col">Since</th><th scope="col">Heard of</th><th scope="col">Runs</th></tr></thead>
            <tbody>\(rows)</tbody></table></section>
            """
    }

    private func row(_ state: PipelineState, now: Int64) -> HTML {
        let served = state.served
        let notes = UnusualNotes.of(state, now: now).map { note -> HTML in "<p class=\"note\">\(note)</p>" }
        let described: HTML = served.description.map { "<div class=\"faint\">\($0)</div>" } ?? ""
        return """
            <tr><th scope="row"><a href="\(link: Link.pipeline(served.name))"><bdi>\(served.name)</bdi></a>\(described)\(notes)</th>
            <td>\(present(state))</td><td>\(last(state, now: now))</td><td>\(due(served, now: now))</td>
            <td>\(Chart.durations(state.runs))</td><td>\(Chart.records(state.runs))</td><td>\(open(state))</td></tr>

            """
    }

    private func present(_ state: PipelineState) -> HTML {
        let served = state.served
        if let run = served.running {
            return """
                <a href="\(link: Link.run(String(run.id)))">\(Words.badge("running"))</a> <div class="faint" data-progress="\(value: served.name)">\(run.progress?.line ?? "")</div>
                """
        }
        if !served.waiting.isEmpty { return Words.badge("waiting") }
        if let last = served.lastRun, last.storeRun == nil || last.storeRun == state.row?.run?.id {
            return Words.badge(last.outcome?.rawValue ?? "unknown")
        }
        return state.row?.run.map { Words.badge($0.status) } ?? "<span class=\"faint\">has not run</span>"
    }

    private func last(_ state: PipelineState, now: Int64) -> HTML {
        // A run that failed before it reached the store is known to the service alone.
        if let served = state.served.lastRun, served.storeRun == nil, served.startedAt ?? 0 >= start(of: state) {
            return link(String(served.id), served.endedAt, served.error, now)
        }
        guard let run = state.row?.run else { return "<span class=\"faint\">–</span>" }
        let reference = EntryReference(state.served.name, run.id).text
        return link(reference, run.end ?? MomentText.moment(run.startedAt), run.error, now)
    }

    private func start(of state: PipelineState) -> Int64 {
        (state.row?.run?.startedAt).flatMap(MomentText.moment) ?? .min
    }

    private func link(_ reference: String, _ end: Int64?, _ error: String?, _ now: Int64) -> HTML {
        let reason: HTML = error.map { "<div class=\"failed\">\(Words.shortened($0))</div>" } ?? ""
        return "<a href=\"\(link: Link.run(reference))\">\(Words.moment(end, now: now))</a>\(reason)"
    }

    private func due(_ served: ServedPipeline, now: Int64) -> HTML {
        guard let schedule = served.schedule else { return "<span class=\"faint\">no schedule</span>" }
        return "\(Words.moment(served.nextDue, now: now))<div class=\"faint\">\(schedule)</div>"
    }

    private func open(_ state: PipelineState) -> HTML {
        guard let row = state.row else { return "" }
        let query = Link.query([FormField("pipeline", state.served.name)])
        var parts: [HTML] = []
        if row.openConflicts > 0 {
            parts.append(
                "<a href=\"\(link: "/conflicts" + query)\">\(CountText.of(row.openConflicts, "conflict"))</a>")
        }
        if row.quarantined > 0 {
            parts.append(
                "<a href=\"\(link: "/quarantine" + query)\">\(CountText.grouped(row.quarantined)) in quarantine</a>")
        }
        return parts.isEmpty ? "<span class=\"faint\">nothing</span>" : parts.joined("<br>")
    }
}
