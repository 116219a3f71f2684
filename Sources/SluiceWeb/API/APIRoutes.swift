internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceJSON
internal import SluiceReview
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores

/// What programs can ask for, with its description.
enum APIRoutes {
    static let all: [Route] = pipelines + runs + conflicts + quarantine + others

    private static let standardLimit = 100
    private static let limits = 1...1_000
    private static let offsets = 0...1_000_000_000

    private static let paging: [Operation.Parameter] = [
        .query("limit", "The most entries", .integer(limits, standard: standardLimit)),
        .query("offset", "How many entries to leave out", .integer(offsets, standard: 0)),
    ]

    /// A list of some entries.
    private static func list(_ format: String, _ name: String, _ schema: String, total: Bool = true) -> Schema {
        .object(
            [("format", .constant(format)), (name, .array(.named(schema))), ("next_offset", .optional(.integer))]
                + (total ? [("total", .integer)] : []))
    }

    /// Some of the entries of a list, as a question asks for them.
    private static func page<Entry>(
        _ entries: [Entry], _ question: Question
    ) throws -> (entries: ArraySlice<Entry>, next: Int?) {
        let (limit, offset) = try stretch(question)
        let end = min(entries.count, offset + limit)
        return (entries[min(offset, end)..<end], end < entries.count ? end : nil)
    }

    private static func stretch(_ question: Question) throws -> (limit: Int, offset: Int) {
        (
            try question.number("limit", standard: standardLimit, within: limits),
            try question.number("offset", standard: 0, within: offsets)
        )
    }

    // MARK: Pipelines

    private static let pipelines: [Route] = [
        Route(
            "GET", "/api/v1/pipelines", .data, role: .view,
            operation: Operation(
                id: "listPipelines", summary: "All pipelines with their states",
                answers: [
                    .init(
                        status: 200, help: "The pipelines",
                        schema: .object([
                            ("format", .constant("sluice.pipelines/1")), ("pipelines", .array(.named("Pipeline"))),
                            (
                                "broken_files",
                                .array(.object([("file", .text), ("problems", .array(.named("PipelineProblem")))]))
                            ),
                        ]))
                ])
        ) { site, _ in
            let status = site.control.status()
            var object = JSONObject()
            object.add("format", "sluice.pipelines/1")
            let states = site.states.all(status)
            object.add("pipelines", json: JSONObject.array(states.map { APIAnswer.text($0, now: status.now) }))
            let files = status.brokenFiles.map { file in
                var object = JSONObject()
                object.add("file", file.path)
                object.add("problems", json: JSONText.array(file.problems.map { ProblemsJSON.text($0) }))
                return object.text
            }
            object.add("broken_files", json: JSONText.array(files))
            return APIAnswer.json(object.text)
        },
        Route(
            "GET", "/api/v1/pipelines/{pipeline}", .data, role: .view,
            operation: Operation(
                id: "getPipeline", summary: "One pipeline with its state", parameters: [.path("pipeline", "Its name")],
                answers: [.init(status: 200, help: "The pipeline", schema: .named("Pipeline"))])
        ) { site, question in
            let pipeline = try site.pipeline(question["pipeline"])
            let now = site.control.status().now
            return APIAnswer.json(APIAnswer.text(site.states.state(of: pipeline, now: now), now: now))
        },
        Route(
            "GET", "/api/v1/pipelines/{pipeline}/runs", .data, role: .view,
            operation: Operation(
                id: "listRuns", summary: "The newest runs of a pipeline, newest first",
                parameters: [.path("pipeline", "Its name")] + paging
                    + [.query("failed", "`true`: only those that did not succeed", .flag)],
                answers: [
                    .init(
                        status: 200, help: "The runs", schema: list("sluice.runs/1", "runs", "Run", total: false))
                ])
        ) { site, question in
            let pipeline = try site.pipeline(question["pipeline"])
            let (limit, offset) = try stretch(question)
            let runs = try RunFinder(site: site).runs(
                of: [pipeline], isFailure: try question.flag("failed"), limit: offset + limit + 1)
            let page = runs.dropFirst(offset).prefix(limit)
            let next = runs.count > offset + limit ? offset + limit : nil
            return APIAnswer.list("sluice.runs/1", "runs", page.map { APIAnswer.text($0) }, next: next)
        },
        Route(
            "POST", "/api/v1/pipelines/{pipeline}/runs", .data, role: .decide,
            operation: Operation(
                id: "startRun", summary: "Start a run, or with `plan` a plan",
                parameters: [.path("pipeline", "Its name")],
                body: .object([], optional: [("plan", .flag), ("name", .text)]),
                answers: [.init(status: 202, help: "The run, which waits for a worker", schema: .named("Run"))])
        ) { site, question in
            let pipeline = try site.pipeline(question["pipeline"])
            let body = try APIBody(question)
            let kind: ServedRun.Kind = try body.flag("plan") ?? false ? .plan : .run
            let id = try site.control.start(pipeline: pipeline.name, kind, by: try body.who(question.visitor))
            let run = site.control.run(id) ?? ServedRun(id: id, pipeline: pipeline.name, kind: kind)
            return APIAnswer.json(APIAnswer.text(RunView(pipeline: pipeline, served: run)), status: 202)
        },
    ]

    // MARK: Runs

    private static let runParameter: Operation.Parameter = .path(
        "run", "The service's number of a run, or `PIPELINE:NUMBER` with its number in the store",
        .text(EntryReference.pattern))

    private static let runs: [Route] = [
        Route(
            "GET", "/api/v1/runs/{run}", .data, role: .view,
            operation: Operation(
                id: "getRun", summary: "One run", parameters: [runParameter],
                answers: [.init(status: 200, help: "The run", schema: .named("Run"))])
        ) { site, question in
            let view = try RunFinder(site: site).run(question["run"])
            var text = APIAnswer.text(view)
            var documents: [String] = []
            if let served = view.served {
                if site.control.path(of: .log, of: served.id) != nil { documents.append("log") }
                if site.control.path(of: .json, of: served.id) != nil { documents.append("report") }
            }
            text.removeLast()
            text += ",\"documents\":\(JSONText.array(documents.map { JSONText.quoted($0) }))"
            if let entry = view.entry { text += ",\"history\":\(HistoryJSON.text(entry))" }
            return APIAnswer.json(text + "}")
        },
        Route(
            "GET", "/api/v1/runs/{run}/changes", .data, role: .view,
            operation: Operation(
                id: "listChanges", summary: "What a run changed",
                parameters: [
                    runParameter, paging[0],
                    .query("after", "Where to go on: the `next` of an earlier answer", .text(HistoryPlace.pattern)),
                    .query("entity", "Only the records of this entity"),
                    .query("action", "Only this action", .choice(ChangePage.Filter.actions)),
                    .query("q", "Only what has these words"),
                ],
                answers: [
                    .init(
                        status: 200, help: "The changes",
                        schema: .object([
                            ("format", .constant("sluice.history/1")), ("changes", .array(.named("Change"))),
                            ("next", .optional(.text)),
                        ]))
                ])
        ) { site, question in
            let view = try RunFinder(site: site).run(question["run"])
            let limit = try stretch(question).limit
            let filter = ChangePage.Filter(
                entity: question.query("entity"),
                action: try question.choice("action", of: ChangePage.Filter.actions), search: question.query("q"))
            let place = try question.place()
            var page: ChangePage?
            if let entry = view.entry {
                page = try site.stores.read(view.pipeline) {
                    try ChangePage(HistoryReader(store: $0), of: entry, filter, after: place, limit: limit)
                }
            }
            var object = JSONObject()
            object.add("format", "sluice.history/1")
            object.add("changes", json: JSONObject.array(page?.changes.map { HistoryJSON.text($0) } ?? []))
            object.add("next", page?.next?.text)
            return APIAnswer.json(object.text)
        },
        Route(
            "GET", "/api/v1/runs/{run}/log", .data, role: .view,
            operation: Operation(
                id: "getRunLog", summary: "The log of a run, a JSON object in each line", parameters: [runParameter],
                answers: [.init(status: 200, help: "The log", type: "application/x-ndjson", schema: .text)])
        ) { site, question in try document(.log, "application/x-ndjson", site, question) },
        Route(
            "GET", "/api/v1/runs/{run}/report", .data, role: .view,
            operation: Operation(
                id: "getRunReport", summary: "The report of a run, as `--format json` writes it",
                parameters: [runParameter], answers: [.init(status: 200, help: "The report")])
        ) { site, question in try document(.json, "application/json", site, question) },
        Route(
            "POST", "/api/v1/runs/{run}/stop", .data, role: .decide,
            operation: Operation(
                id: "stopRun", summary: "Stop a run that is going, or give up one that waits",
                parameters: [runParameter], body: .object([], optional: [("name", .text)]),
                answers: [.init(status: 202, help: "It is told to stop", schema: .named("Run"))])
        ) { site, question in
            let view = try RunFinder(site: site).run(question["run"])
            guard let served = view.served else { throw Refusal(409, "ended", "This run has ended.") }
            try site.control.stop(served.id, by: try APIBody(question).who(question.visitor))
            return APIAnswer.json(APIAnswer.text(view), status: 202)
        },
        Route(
            "POST", "/api/v1/runs/{run}/undo", .data, role: .decide,
            operation: Operation(
                id: "undoRun", summary: "Take a run back, or with `plan` show what that would do",
                parameters: [runParameter], body: .object([], optional: [("plan", .flag), ("name", .text)]),
                answers: [.init(status: 200, help: "The report, as `sluice undo --format json` writes it")])
        ) { site, question in
            let view = try RunFinder(site: site).run(question["run"])
            let body = try APIBody(question)
            let outcome = try Decisions(site: site).undo(
                view, isPlan: try body.flag("plan") ?? false, by: try body.who(question.visitor))
            return document(outcome)
        },
    ]

    private static func document(
        _ kind: ServedRun.Document, _ type: String, _ site: WebSite, _ question: Question
    ) throws -> OutgoingResponse {
        let view = try RunFinder(site: site).run(question["run"])
        guard let served = view.served, let path = site.control.path(of: kind, of: served.id) else {
            throw Refusal.notFound("Of this run the service has no such document, or none any more.")
        }
        return OutgoingResponse(200, [HeaderField("Content-Type", type)], body: .file(path))
    }

    /// What the program wrote, or why it wrote nothing.
    private static func document(_ outcome: ProgramRunner.Outcome) -> OutgoingResponse {
        guard outcome.isDone else { return APIAnswer.problem(Refusal(422, "refused", outcome.messages)) }
        return OutgoingResponse(
            200, [HeaderField("Content-Type", "application/json")], body: .bytes(outcome.document))
    }

    // MARK: Conflicts

    private static let conflictParameter: Operation.Parameter = .path(
        "conflict", "`PIPELINE:NUMBER`; the number alone will do where there is one pipeline",
        .text(EntryReference.pattern))

    private static let conflicts: [Route] = [
        Route(
            "GET", "/api/v1/conflicts", .data, role: .view,
            operation: Operation(
                id: "listConflicts", summary: "The open conflicts, or all",
                parameters: [
                    .query("pipeline", "Only those of this pipeline"), .query("entity", "Only those of this entity"),
                    .query("field", "Only those of this field"), .query("kind", "Only those of this kind"),
                    .query("q", "Only what has these words"),
                    .query("closed", "`true`: closed ones too", .flag),
                ] + paging,
                answers: [
                    .init(
                        status: 200, help: "The conflicts", schema: list("sluice.conflicts/1", "conflicts", "Conflict"))
                ])
        ) { site, question in
            _ = try question.flag("closed")
            let all = try ConflictQuery(question.request.query).entries(site)
            let page = try page(all, question)
            return APIAnswer.list(
                "sluice.conflicts/1", "conflicts", page.entries.map { ConflictJSON.listed($0.entry) }, total: all.count,
                next: page.next)
        },
        Route(
            "GET", "/api/v1/conflicts/{conflict}", .data, role: .view,
            operation: Operation(
                id: "getConflict", summary: "One conflict", parameters: [conflictParameter],
                answers: [.init(status: 200, help: "The conflict", schema: .named("Conflict"))])
        ) { site, question in
            APIAnswer.json(ConflictJSON.listed(try ConflictQuery.entry(question["conflict"], site).entry))
        },
        Route(
            "POST", "/api/v1/conflicts/{conflict}", .data, role: .decide,
            operation: Operation(
                id: "decideConflict", summary: "Decide a conflict", parameters: [conflictParameter],
                body: Schema.object(
                    [],
                    optional: [
                        ("take", .choice(["local", "remote", "base"])), ("value", .text), ("note", .text),
                        ("name", .text), ("mark", .text),
                    ]
                ).having(oneOf: ["take", "value"]),
                answers: [
                    .init(status: 200, help: "What came of it, as `sluice conflicts resolve --format json` writes it")
                ])
        ) { site, question in
            let found = try ConflictQuery.entry(question["conflict"], site)
            let body = try APIBody(question)
            let decision = try Decision(take: body.text("take"), value: body.text("value"))
            let outcome = try Decisions(site: site).decide(
                [found], decision, marks: [body.text("mark")].compactMap { $0 }, note: try body.text("note"),
                by: try body.who(question.visitor))
            try Decisions.check(outcome)
            return document(outcome)
        },
    ]

    // MARK: Quarantine

    private static let recordParameter: Operation.Parameter = .path(
        "record", "`PIPELINE:NUMBER`; the number alone will do where there is one pipeline",
        .text(EntryReference.pattern))

    private static let quarantine: [Route] = [
        Route(
            "GET", "/api/v1/quarantine", .data, role: .view,
            operation: Operation(
                id: "listQuarantine", summary: "The records in quarantine",
                parameters: [
                    .query("pipeline", "Only those of this pipeline"), .query("entity", "Only those of this entity"),
                    .query("stream", "Only those of this stream"), .query("reason", "Only those with this reason"),
                    .query("closed", "`true`: closed ones too", .flag),
                ] + paging,
                answers: [
                    .init(
                        status: 200, help: "The records",
                        schema: list("sluice.quarantine/1", "quarantine", "QuarantinedRecord"))
                ])
        ) { site, question in
            _ = try question.flag("closed")
            let all = try QuarantineQuery(question.request.query).entries(site)
            let page = try page(all, question)
            return APIAnswer.list(
                "sluice.quarantine/1", "quarantine", page.entries.map { QuarantineJSON.listed($0.entry) },
                total: all.count, next: page.next)
        },
        Route(
            "GET", "/api/v1/quarantine/{record}", .data, role: .view,
            operation: Operation(
                id: "getQuarantined", summary: "One record in quarantine with its JSON", parameters: [recordParameter],
                answers: [.init(status: 200, help: "The record", schema: .named("QuarantinedRecord"))])
        ) { site, question in
            APIAnswer.json(QuarantineJSON.shown(try QuarantineQuery.entry(question["record"], site).entry))
        },
        Route(
            "POST", "/api/v1/quarantine/{record}", .data, role: .decide,
            operation: Operation(
                id: "decideQuarantined", summary: "Try a record again, or give it up", parameters: [recordParameter],
                body: .object([("action", .choice(["retry", "drop"]))], optional: [("name", .text)]),
                answers: [.init(status: 200, help: "What came of it, as `sluice quarantine` writes it")])
        ) { site, question in
            let found = try QuarantineQuery.entry(question["record"], site)
            let body = try APIBody(question)
            guard let action = QuarantineAction(rawValue: try body.text("action") ?? "") else {
                throw Refusal.badRequest("`action` is `retry` or `drop`.")
            }
            return document(
                try Decisions(site: site).handle([found], action, by: try body.who(question.visitor)))
        },
    ]

    // MARK: Others

    private static let others: [Route] = [
        Route(
            "GET", "/api/v1/records/{entity}/{key}", .data, role: .view,
            operation: Operation(
                id: "getRecord", summary: "The life of a record",
                parameters: [
                    .path("entity", "The entity's name"),
                    .path("key", "The key: a value, `field=value,field=value`, or a JSON object"),
                    .query("pipeline", "Only what this pipeline knows"),
                ],
                answers: [
                    .init(
                        status: 200, help: "What is known, as `sluice inspect record` writes it",
                        schema: .object([("format", .constant("sluice.record/1")), ("records", .array(.any))]))
                ])
        ) { site, question in
            let lives = try RecordFinder(site: site).lives(
                entity: question["entity"], key: question["key"], pipeline: question.query("pipeline"))
            if lives.isEmpty { throw Refusal.notFound("No pipeline knows this record.") }
            let stores = Set(lives.map(\.pipeline.storeURL)).sorted().joined(separator: ", ")
            return OutgoingResponse(
                200, [HeaderField("Content-Type", "application/json")],
                body: .bytes(Array(RecordLifeJSON.text(lives.map(\.life), store: stores).utf8)))
        },
        Route(
            "GET", "/api/v1/schedule", .data, role: .view,
            operation: Operation(
                id: "getSchedule", summary: "When pipelines are due",
                answers: [
                    .init(
                        status: 200, help: "The pipelines that have a schedule",
                        schema: .object([
                            ("format", .constant("sluice.due/1")), ("now", .moment),
                            (
                                "schedule",
                                .array(
                                    .object([
                                        ("pipeline", .text), ("schedule", .text), ("next_due", .optional(.moment)),
                                        ("late_since", .optional(.moment)), ("left_out", .optional(.text)),
                                    ]))
                            ),
                        ]))
                ])
        ) { site, _ in
            let status = site.control.status()
            let entries = status.pipelines.compactMap { pipeline -> String? in
                guard let schedule = pipeline.schedule else { return nil }
                var object = JSONObject()
                object.add("pipeline", pipeline.name)
                object.add("schedule", schedule)
                object.add("next_due", pipeline.nextDue.map { MomentText.utc($0) })
                object.add("late_since", pipeline.lateSince.map { MomentText.utc($0) })
                object.add("left_out", pipeline.leftOut)
                return object.text
            }
            var object = JSONObject()
            object.add("format", "sluice.due/1")
            object.add("now", MomentText.utc(status.now))
            object.add("schedule", json: JSONObject.array(entries))
            return APIAnswer.json(object.text)
        },
        Route(
            "GET", "/api/v1/workers", .data, role: .view,
            operation: Operation(
                id: "getWorkers", summary: "Who runs pipelines, what runs and what waits",
                answers: [
                    .init(
                        status: 200,
                        help: "This service and those that share its stores, and what runs and waits here",
                        schema: .object([
                            ("format", .constant("sluice.workers/1")), ("now", .moment),
                            ("workers", .array(.named("Worker"))), ("slots", .integer), ("stopping", .flag),
                            ("trouble", .optional(.text)), ("running", .array(.named("Run"))),
                            ("waiting", .array(.named("Run"))),
                        ]))
                ])
        ) { site, _ in
            let status = site.control.status()
            let running = status.running.map { run in
                // A run goes on where its pipeline is served no more.
                let gone = ServedPipeline(
                    name: run.pipeline, file: ServedFile(path: "", problems: []), store: StoreAddress(file: ""))
                return RunView(pipeline: status.pipeline(named: run.pipeline) ?? gone, served: run)
            }
            let waiting = status.pipelines.flatMap { pipeline in
                pipeline.waiting.map { RunView(pipeline: pipeline, served: $0) }
            }
            var object = JSONObject()
            object.add("format", "sluice.workers/1")
            object.add("now", MomentText.utc(status.now))
            object.add("workers", json: WorkersJSON.array(status.crew))
            object.add("slots", status.workers)
            object.add("stopping", status.isStopping)
            object.add("trouble", status.trouble)
            object.add("running", json: JSONObject.array(running.map { APIAnswer.text($0) }))
            object.add("waiting", json: JSONObject.array(waiting.map { APIAnswer.text($0) }))
            return APIAnswer.json(object.text)
        },
        Route(
            "GET", "/api/v1/events", .data, role: .view,
            operation: Operation(
                id: "streamEvents", summary: "What happens, as server-sent events",
                answers: [
                    .init(
                        status: 200,
                        help:
                            "The events `queued`, `started`, `progressed` and `ended`, each with a run, and `late`, `skipped`, `reloaded` and `stopping`",
                        type: "text/event-stream", schema: .text)
                ])
        ) { site, _ in EventFeed.answer(site) },
        Route(
            "GET", "/api/v1/openapi.json", .data, role: .view,
            operation: Operation(
                id: "getDescription", summary: "This description",
                answers: [.init(status: 200, help: "OpenAPI 3.1", schema: .object([("openapi", .text)]))])
        ) { _, _ in APIAnswer.json(OpenAPI.text) },
    ]
}
