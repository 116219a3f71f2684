internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceServeModel
internal import SluiceStore

/// The newest runs.
struct RunsPage {
    private static let size = 50
    let context: PageContext

    func answer() throws -> OutgoingResponse {
        let question = context.question
        let status = context.site.control.status()
        let name = question.query("pipeline")
        let pipelines = try name.map { [try context.site.pipeline($0)] } ?? status.pipelines
        let page = try question.number("page", standard: 1, within: 1...1_000)
        let isFailure = question.query("failed") == "1"
        let all = try RunFinder(site: context.site).runs(
            of: pipelines, isFailure: isFailure, limit: page * Self.size + 1)
        let shown = all.dropFirst((page - 1) * Self.size).prefix(Self.size)
        let checked: HTML = isFailure ? " checked" : ""
        var fields = name.map { [FormField("pipeline", $0)] } ?? []
        if isFailure { fields.append(FormField("failed", "1")) }
        let list: HTML = shown.isEmpty ? "<p>No such run.</p>" : Self.table(Array(shown), now: status.now)
        return context.page(
            "Runs", .runs, isLive: page == 1,
            """
            <form class="tools" action="/runs">\(PageContext.choice("Pipeline", "pipeline", status.pipelines.map(\.name), name))
            <label><input type="checkbox" name="failed" value="1"\(checked)> only those that did not succeed</label>
            <button>Show</button></form>
            \(list)\(context.pages("/runs", fields, page: page, hasMore: all.count > page * Self.size))
            """)
    }

    /// Runs, a line each.
    static func table(_ runs: [RunView], now: Int64) -> HTML {
        let rows = runs.map { run -> HTML in
            let error: HTML = run.error.map { "<div class=\"failed\">\(Words.shortened($0))</div>" } ?? ""
            let undone: HTML = run.entry?.undoneBy.map { "<div class=\"faint\">undone by run \($0)</div>" } ?? ""
            let command: HTML =
                run.entry.flatMap { $0.command == "run" ? nil : " <span class=\"faint\">\($0.command)</span>" } ?? ""
            let took = run.seconds.map { CountText.time($0) } ?? ""
            return """
                <tr><th scope="row"><a href="\(link: Link.run(run.reference))">\(run.title)</a>\(command)</th>
                <td><a href="\(link: Link.pipeline(run.pipeline.name))"><bdi>\(run.pipeline.name)</bdi></a></td>
                <td>\(Words.badge(run.state))\(undone)</td><td>\(Words.moment(run.startedAt, now: now))</td><td>\(took)</td>
                <td>\(run.work)\(error)</td></tr>

                """
        }
        return """
            <table class="cards"><thead><tr><th scope="col">Run</th><th scope="col">Pipeline</th><th scope="col">State</th><th scope="col">Started</th><th scope="col">Took</th><th scope="col">What it did</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }
}
