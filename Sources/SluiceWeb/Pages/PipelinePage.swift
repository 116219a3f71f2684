internal import SluiceCommands
internal import SluiceDiagnostics
internal import SluiceHTTPServer
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores

/// The pipelines: their files with what is wrong with them, what they fill, and the buttons that start them.
struct PipelinePage {
    private static let runs = 15
    private static let lines = 5_000
    let context: PageContext

    func list() -> OutgoingResponse {
        let status = context.site.control.status()
        let rows = status.pipelines.map { served -> HTML in
            let problems = served.file.problems.count
            let words = problems == 0 ? "no problems" : CountText.of(problems, "problem")
            let name = served.file.hasErrors ? "failed" : "faint"
            return """
                <tr><th scope="row"><a href="\(link: Link.pipeline(served.name))"><bdi>\(served.name)</bdi></a></th><td><code>\(served.file.path)</code></td><td class="\(value: name)">\(words)</td><td>\(served.schedule ?? "no schedule")</td></tr>

                """
        }
        let broken = status.brokenFiles.map { file -> HTML in
            "<section><h2><code>\(file.path)</code></h2>\(Self.problems(file.problems))</section>"
        }
        return context.page(
            "Pipelines", .pipelines, isLive: true,
            """
            <table class="cards"><thead><tr><th scope="col">Pipeline</th><th scope="col">File</th><th scope="col">Problems</th><th scope="col">Schedule</th></tr></thead><tbody>\(rows)</tbody></table>
            \(broken)
            """)
    }

    func one() throws -> OutgoingResponse {
        let site = context.site
        let served = try site.pipeline(context.question["pipeline"])
        let now = site.control.status().now
        let state = site.states.state(of: served, now: now)
        let notes = UnusualNotes.of(state, now: now).map { note -> HTML in "<p class=\"note\">\(note)</p>" }
        let leftOut: HTML = served.leftOut.map { "<p class=\"note\">\($0)</p>" } ?? ""
        let described: HTML = served.description.map { "<p>\($0)</p>" } ?? ""
        let runs = try RunFinder(site: site).runs(of: [served], limit: Self.runs)
        let (definition, _) = PipelineLoader.load(
            path: served.file.path, environment: site.program.environment, mode: .replay)
        let graph = definition.map { PipelineGraph(definition: $0).html } ?? ""
        let buttons: HTML =
            context.canDecide
            ? "<div class=\"actions\">\(context.form(Link.pipeline(served.name) + "/runs", "\(context.whoField)<button class=\"strong\" name=\"kind\" value=\"run\">Run now</button> <button name=\"kind\" value=\"plan\">Plan now</button>"))</div>"
            : ""
        let table: HTML = runs.isEmpty ? "<p>It has not run.</p>" : RunsPage.table(runs, now: now)
        let all = "/runs" + Link.query([FormField("pipeline", served.name)])
        return context.page(
            served.name, .pipelines, isLive: true,
            """
            \(described)\(notes)\(leftOut)
            <dl class="facts"><dt>Schedule</dt><dd>\(served.schedule ?? "started by people alone")</dd><dt>Next due</dt><dd>\(Words.moment(served.nextDue, now: now))</dd><dt>Store</dt><dd>\(store(served))</dd></dl>
            \(buttons)
            <section><h2>Sources, entities and references</h2>\(graph)</section>
            <section><h2>Runs</h2>\(table)<p><a href="\(link: all)">All its runs</a></p></section>
            <section><h2>The file</h2>\(file(served.file))</section>
            """)
    }

    private func store(_ served: ServedPipeline) -> HTML {
        if served.hasSecretStore { return "<span class=\"faint\">its place is secret</span>" }
        let size = context.site.stores.bytes(served).map(CountText.bytes) ?? ""
        return "<code>\(served.store.description)</code> <span class=\"faint\">\(size)</span>"
    }

    private static func problems(_ problems: [Diagnostic]) -> HTML {
        if problems.isEmpty { return "<p class=\"faint\">It has no problems.</p>" }
        let items = problems.map { problem -> HTML in
            let severity = problem.severity.rawValue
            let place: HTML =
                problem.location?.position.map { "<a href=\"#line-\($0.line)\">line \($0.line)</a>: " } ?? ""
            let help: HTML = problem.help.map { "<div class=\"faint\">\($0)</div>" } ?? ""
            return
                "<li class=\"\(value: severity)\"><strong>\(severity)</strong> \(place)\(problem.message)\(help)</li>"
        }
        return "<ul class=\"problems\">\(items)</ul>"
    }

    /// The text of a file, its secrets left out, with what is wrong beside the line.
    private func file(_ file: ServedFile) -> HTML {
        let list = Self.problems(file.problems)
        guard let shown = ShownFile(path: file.path) else {
            return "<p><code>\(file.path)</code> cannot be read.</p>\(list)"
        }
        let byLine = Dictionary(grouping: file.problems) { problem -> Int in
            problem.location.flatMap { $0.file == file.path ? $0.position?.line : nil } ?? 0
        }
        let lines = shown.lines.prefix(Self.lines).enumerated().map { index, line -> HTML in
            let notes = (byLine[index + 1] ?? []).map { problem -> HTML in
                "       <span class=\"\(value: problem.severity.rawValue)\">↑ \(problem.message)</span>\n"
            }
            let number = String(repeating: " ", count: max(0, 4 - String(index + 1).count)) + String(index + 1)
            return "<span class=\"line\" id=\"line-\(index + 1)\">\(number)</span>  \(line)\n\(notes)"
        }
        return "<p><code>\(file.path)</code></p>\(list)<pre>\(Array(lines))</pre>"
    }

    /// Starts a run or a plan.
    func start() throws -> OutgoingResponse {
        let site = context.site
        let served = try site.pipeline(context.question["pipeline"])
        let kind: ServedRun.Kind = context.question.form("kind") == "plan" ? .plan : .run
        let id = try site.control.start(pipeline: served.name, kind, by: context.who ?? "page")
        return context.seeOther(Link.run(String(id)))
    }
}
