internal import SluiceHTTPServer
internal import SluiceServeModel

/// The pages for people.
enum PageRoutes {
    static let all: [Route] =
        looks + changes + [
            Route("GET", "/login", .page, role: nil) { site, question in LoginPage.answer(site, question) },
            Route("POST", "/login", .page, role: nil) { site, question in try LoginPage.logIn(site, question) },
            Route("POST", "/logout", .page, role: .view) { site, question in
                site.gatekeeper.logOut(question.request)
                return OutgoingResponse(303, [HeaderField("Location", "/login")])
            },
        ]

    private static func page(
        _ path: String, _ answer: @escaping @Sendable (PageContext) throws -> OutgoingResponse
    ) -> Route {
        Route("GET", path, .page, role: .view) { site, question in try answer(PageContext(site, question)) }
    }

    private static func change(
        _ path: String, _ answer: @escaping @Sendable (PageContext) throws -> OutgoingResponse
    ) -> Route {
        Route("POST", path, .page, role: .decide) { site, question in try answer(PageContext(site, question)) }
    }

    private static let looks: [Route] = [
        page("/") { OverviewPage(context: $0).answer() },
        page("/runs") { try RunsPage(context: $0).answer() },
        page("/runs/{run}") { try RunPage($0).answer() },
        page("/runs/{run}/log") { try LogPage(context: $0).answer() },
        page("/runs/{run}/report") { try StoredReport.answer($0.site, $0.question) },
        page("/conflicts") { try ConflictsPage($0).answer() },
        page("/conflicts/{conflict}") { try ConflictsPage($0).one() },
        page("/quarantine") { try QuarantinePage($0).answer() },
        page("/quarantine/{record}") { try QuarantinePage($0).one() },
        page("/records") { try RecordPage(context: $0).answer() },
        page("/pipelines") { PipelinePage(context: $0).list() },
        page("/pipelines/{pipeline}") { try PipelinePage(context: $0).one() },
        // The plan of an undo runs the program, which only those may do who could carry it out.
        Route("GET", "/runs/{run}/undo", .page, role: .decide) { site, question in
            try UndoPage(context: PageContext(site, question)).plan()
        },
    ]

    private static let changes: [Route] = [
        change("/pipelines/{pipeline}/runs") { try PipelinePage(context: $0).start() },
        change("/runs/{run}/undo") { try UndoPage(context: $0).perform() },
        change("/runs/{run}/stop") { context in
            let run = try RunFinder(site: context.site).run(context.question["run"])
            guard let served = run.served else { throw Refusal(409, "ended", "This run has ended.") }
            try context.site.control.stop(served.id, by: context.who ?? "page")
            return context.seeOther(Link.run(run.reference) + "?told=stopped")
        },
        change("/conflicts/preview") { try ConflictsPage($0).preview() },
        change("/conflicts/decide") { try ConflictsPage($0).decideAll() },
        change("/conflicts/{conflict}") { try ConflictsPage($0).decide() },
        change("/quarantine/{record}") { try QuarantinePage($0).handle() },
    ]
}
