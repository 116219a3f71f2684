import Foundation
import SluiceDiagnostics
import SluiceHTTPServer
import SluiceServeModel
import SluiceWeb
import TestSupport
import Testing

/// The API against its own description, and what its changes do.
@Suite struct APITests {
    private struct Description {
        let document: [String: Any]
        var check: SchemaCheck { SchemaCheck(document: document) }

        init(_ shop: WebShop) throws {
            document = try #require(shop.get("/api/v1/openapi.json").json as? [String: Any])
        }

        /// All operations: path, method and what is said of them.
        var operations: [(path: String, method: String, text: [String: Any])] {
            let paths = document["paths"] as? [String: [String: [String: Any]]] ?? [:]
            return paths.flatMap { path, methods in methods.map { (path, $0.key, $0.value) } }
                .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
        }

        /// What is wrong with an answer.
        func faults(_ answer: Answer, _ operation: [String: Any]) -> [String] {
            let answers = operation["responses"] as? [String: [String: Any]] ?? [:]
            var described = answers[String(answer.status)] ?? answers["default"] ?? [:]
            if let reference = described["$ref"] as? String, let name = reference.split(separator: "/").last {
                let components = document["components"] as? [String: [String: [String: Any]]]
                described = components?["responses"]?[String(name)] ?? [:]
            }
            let content = described["content"] as? [String: [String: Any]] ?? [:]
            let type = answer.header("Content-Type") ?? ""
            guard let body = content[type] else { return ["the type \(type) is not described for \(answer.status)"] }
            guard type == "application/json" else { return [] }
            guard let json = answer.json else { return ["no JSON: \(answer.text.prefix(200))"] }
            return check.faults(json, body["schema"] ?? [:])
        }
    }

    private func shop() throws -> WebShop {
        let shop = try WebShop()
        let path = shop.folder.path
        try #"{"time":"2026-01-01T00:00:00Z","event":"run_started","level":"info","message":"x"}"#
            .write(toFile: "\(path)/log.jsonl", atomically: true, encoding: .utf8)
        try WebShop.run(
            ["plan", "shop.yaml", "--format", "json", "--output", "report.json"], in: path, allowed: [0])
        shop.control.change { state in
            var run = ServedRun(id: 1, pipeline: "shop", kind: .run)
            (run.startedAt, run.endedAt, run.outcome, run.exitCode) = (1, 3, .succeeded, 0)
            (run.storeRun, run.counts, run.seconds) = (2, ServedCounts(), 2.25)
            var going = ServedRun(id: 2, pipeline: "shop", kind: .run)
            going.startedAt = 5
            going.progress = ServedProgress()
            var waiting = ServedRun(id: 3, pipeline: "shop", kind: .plan)
            waiting.who = "Ana"
            state.runs = [run, going, waiting]
            state.documents["1 log.jsonl"] = "\(path)/log.jsonl"
            state.documents["1 report.json"] = "\(path)/report.json"
            state.status.pipelines[0].running = going
            state.status.pipelines[0].waiting = [waiting]
        }
        return shop
    }

    @Test func everyAnswerIsAsDescribed() throws {
        let shop = try shop()
        let description = try Description(shop)
        let values = [
            "pipeline": "shop", "run": "shop:2", "conflict": "shop:1", "record": "shop:1", "entity": "Book", "key": "1",
        ]
        let bodies: [String: [String]] = [
            "startRun": ["{}", #"{"plan": true, "name": "Ana"}"#], "stopRun": ["{}"],
            "undoRun": [#"{"plan": true}"#], "decideConflict": [#"{"take": "base"}"#],
            "decideQuarantined": [#"{"action": "drop"}"#],
        ]
        #expect(description.document["openapi"] as? String == "3.1.0")
        var asked = 0
        for operation in description.operations {
            let id = operation.text["operationId"] as? String ?? ""
            if id == "streamEvents" { continue }
            func target(_ change: (String, String)? = nil) -> String {
                values.reduce(operation.path) { path, value in
                    path.replacing("{\(value.key)}", with: change?.0 == value.key ? change?.1 ?? "" : value.value)
                }
            }
            let runs = id == "stopRun" ? ["2"] : operation.path.contains("{run}") ? ["shop:2", "1", "shop:1"] : [""]
            for run in runs {
                for body in operation.method == "get" ? [""] : bodies[id] ?? ["{}"] {
                    let answer =
                        operation.method == "get"
                        ? try shop.get(target(("run", run))) : try shop.post(target(("run", run)), body)
                    let isDocument = ["getRunLog", "getRunReport"].contains(id) && run == "shop:1"
                    #expect(
                        answer.status < 300 || isDocument && answer.status == 404,
                        "\(id) \(run): \(answer.status) \(answer.text)")
                    #expect(description.faults(answer, operation.text) == [], "\(id) \(run)")
                    asked += 1
                }
            }
            // What is not there, and what is no such body, is a problem as described.
            for (name, wrong) in [
                ("pipeline", "none"), ("run", "none:1"), ("conflict", "shop:99"), ("record", "shop:99"),
                ("entity", "None"),
            ]
            where operation.path.contains("{\(name)}") {
                let answer =
                    operation.method == "get"
                    ? try shop.get(target((name, wrong))) : try shop.post(target((name, wrong)), "{}")
                #expect(answer.status == 404, "\(id) \(answer.status)")
                #expect(description.faults(answer, operation.text) == [], "\(id)")
            }
            if operation.method == "post" {
                for body in ["[]", "{", "1", #"{"name": 1, "plan": 1, "take": 1, "action": 1}"#] {
                    let answer = try shop.post(target(), body)
                    #expect([400, 409, 404].contains(answer.status), "\(id) \(body): \(answer.status)")
                    #expect(description.faults(answer, operation.text) == [], "\(id)")
                }
            }
        }
        #expect(asked > 25)
    }

    static let undescribed: [(String, String?)] = [
        ("/api/v1/conflicts?closed=maybe", nil), ("/api/v1/conflicts?limit=1001", nil),
        ("/api/v1/conflicts?offset=-1", nil), ("/api/v1/quarantine?closed=1", nil),
        ("/api/v1/pipelines/shop/runs?failed=1", nil), ("/api/v1/runs/shop:1/changes?action=none", nil),
        ("/api/v1/runs/shop:x", nil), ("/api/v1/conflicts/shop:1", #"{"take": "remote", "value": "x"}"#),
        ("/api/v1/conflicts/shop:1", "{}"), ("/api/v1/conflicts/shop:1", #"{"take": "remote", "note": null}"#),
        ("/api/v1/conflicts/shop:1", #"{"take": "neither"}"#), ("/api/v1/quarantine/shop:1", #"{"action": "keep"}"#),
        ("/api/v1/pipelines/shop/runs", #"{"plan": null}"#),
    ]

    @Test(arguments: undescribed)
    func whatIsNotDescribedIsRefused(target: String, body: String?) throws {
        let shop = try WebShop()
        let answer = try body.map { try shop.post(target, $0) } ?? shop.get(target)
        #expect(answer.status == 400, "\(answer.status) \(answer.text)")
        #expect(answer.json("error", "code") as? String == "bad_request", "\(answer.text)")
        #expect(shop.control.change { $0.asked } == [])
    }

    @Test func aWrongMethodIsToldTheRightOnes() throws {
        let shop = try WebShop()
        for (path, methods) in [
            ("/api/v1/pipelines", "GET, HEAD"), ("/api/v1/pipelines/shop/runs", "GET, HEAD, POST"),
            ("/api/v1/runs/1/stop", "POST"), ("/runs", "GET, HEAD"),
        ] {
            let answer = try shop.ask("DELETE", path)
            #expect(answer.status == 405 && answer.header("Allow") == methods, "\(path) \(answer.headers)")
        }
    }

    /// A plan may go beside a run, and a run ends also where its pipeline is served no more.
    @Test func allThatRunsIsTold() throws {
        let shop = try WebShop()
        shop.control.change { state in
            var run = ServedRun(id: 1, pipeline: "shop", kind: .run)
            run.startedAt = state.status.now
            state.status.pipelines[0].running = run
            state.status.unlisted = [("shop", Int64(2)), ("gone", 3)].map { name, id in
                var other = ServedRun(id: id, pipeline: name, kind: .plan)
                other.startedAt = state.status.now
                return other
            }
        }
        let running = try shop.get("/api/v1/workers").json("running") as? [[String: Any]] ?? []
        #expect(running.compactMap { $0["service_run"] as? Int } == [1, 2, 3])
        #expect(try shop.get("/metrics").text.contains("\nsluice_running_runs 3\n"))
    }

    /// The services that share a store, with what they run. One that stands alone is nobody's news.
    @Test func theWorkersOfAPoolAreTold() throws {
        let shop = try WebShop()
        #expect(try !shop.get("/").text.contains("<h2>Workers</h2>"))
        shop.control.change { state in
            let now = state.status.now
            var own = ServedWorker(id: "a", place: "db1, process 7", slots: 2, startedAt: now - 60, seenAt: now)
            (own.lease, own.isThis) = (60, true)
            own.tasks = [.init(pipeline: "<shop>", due: now - 30, since: now - 20)]
            var other = ServedWorker(id: "b", place: "db2, process 8", slots: 2, startedAt: now - 60, seenAt: now - 90)
            (other.lease, other.isLate) = (60, true)
            other.tasks = [.init(pipeline: "late", due: nil, since: now - 120)]
            state.status.crew = [own, other]
        }
        let workers = try shop.get("/api/v1/workers").json("workers") as? [[String: Any]] ?? []
        #expect(workers.compactMap { $0["place"] as? String } == ["db1, process 7", "db2, process 8"])
        #expect(workers.compactMap { $0["late"] as? Bool } == [false, true])
        let runs = workers.first?["runs"] as? [[String: Any]] ?? []
        #expect(runs.compactMap { $0["pipeline"] as? String } == ["<shop>"])
        let page = try shop.get("/").text
        #expect(page.contains("<h2>Workers</h2>") && page.contains("db2, process 8") && page.contains("&lt;shop&gt;"))
        #expect(page.contains("late: others take over its runs"))
    }

    /// Where there are several pipelines, a number alone is one of the service.
    @Test func aRunThatTheServiceDoesNotKnowIsNotFound() throws {
        let shop = try WebShop()
        #expect(try shop.get("/api/v1/runs/2").status == 200)
        shop.control.change { state in
            var other = state.status.pipelines[0]
            other = ServedPipeline(name: "other", file: other.file, store: other.store)
            state.status.pipelines.append(other)
        }
        #expect(try shop.get("/api/v1/runs/2").status == 404)
        #expect(try shop.get("/api/v1/runs/shop:2").status == 200)
    }

    @Test func listsComeInParts() throws {
        let shop = try WebShop(
            WebShop.Books(
                first: "[" + (1...25).map { #"{"id": \#($0), "title": "T", "price": 1}"# }.joined(separator: ",") + "]",
                edit: "UPDATE books SET title = 'mine'",
                then: "[" + (1...25).map { #"{"id": \#($0), "title": "N", "price": 1}"# }.joined(separator: ",") + "]"))
        var ids: [Int] = []
        var offset: Int? = 0
        while let next = offset {
            let page = try shop.get("/api/v1/conflicts?limit=10&offset=\(next)")
            ids += (page.json("conflicts") as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
            #expect(page.json("total") as? Int == 25)
            offset = page.json("next_offset") as? Int
        }
        #expect(ids == Array(1...25))
        #expect(try shop.get("/api/v1/conflicts?limit=0").status == 400)
        #expect(try shop.get("/api/v1/conflicts?limit=x").status == 400)
        for run in ["shop:1", "shop:2"] {
            var keys: [Int] = []
            var after: String? = ""
            while let next = after {
                let page = try shop.get("/api/v1/runs/\(run)/changes?limit=10&after=\(PercentText.encoded(next))")
                let changes = page.json("changes") as? [[String: Any]] ?? []
                keys += changes.compactMap { ($0["key"] as? [String: Any])?["id"] as? Int }
                after = page.json("next") as? String
            }
            #expect(run == "shop:2" || keys == Array(1...25), "\(run) \(keys)")
        }
        #expect(try shop.get("/api/v1/runs/shop:1/changes?after=x").status == 400)
    }

    @Test func changesOfTheAPIAreDone() throws {
        let shop = try WebShop()
        let decided = try shop.post(
            "/api/v1/conflicts/shop:1", #"{"value": "Dune!", "note": "why", "name": "Ana"}"#)
        #expect(decided.status == 200 && decided.json("resolved") as? Int == 1, "\(decided.text)")
        #expect(decided.json("format") as? String == "sluice.resolution/1")
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune!")
        let conflict = try shop.get("/api/v1/conflicts/shop:1")
        #expect(conflict.json("who") as? String == "Ana" && conflict.json("note") as? String == "why")
        // One pipeline, so that the number alone will do.
        #expect(try shop.get("/api/v1/conflicts/1").status == 200)
        let plan = try shop.post("/api/v1/runs/shop:2/undo", #"{"plan": true}"#)
        #expect(plan.json("pipelines", "0", "command") != nil, "\(plan.text)")
        #expect(try shop.sql("SELECT count(*) FROM _sluice_runs WHERE undoes IS NOT NULL") == "0")
        let undone = try shop.post("/api/v1/runs/shop:2/undo", #"{"name": "Ana"}"#)
        #expect(try shop.sql("SELECT count(*) FROM _sluice_runs WHERE undoes IS NOT NULL") == "1", "\(undone.text)")
        // Who did it is kept, and told by the API and the page.
        let number = try shop.sql("SELECT id FROM _sluice_runs WHERE undoes IS NOT NULL")
        #expect(try shop.get("/api/v1/runs/shop:\(number)").json("history", "who") as? String == "Ana")
        #expect(try shop.get("/runs/shop:\(number)").text.contains("<dt>Asked for by</dt><dd>Ana</dd>"))
        #expect(try shop.get("/records?pipeline=shop&entity=Book&key=3").text.contains(", undo by Ana</span>"))
        #expect(try shop.get("/api/v1/runs/shop:2").json("history", "who") == nil)
    }

    @Test func eventsAreTold() throws {
        let shop = try WebShop()
        let server = try WebServer(control: shop.control, listening: shop.listening, program: WebShop.program)
        try server.start()
        defer { server.stop() }
        let port = try #require(UInt16(server.address.split(separator: ":").last?.dropLast() ?? ""))
        let client = try RawConnection(port: port)
        client.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.receive(until: "retry: 3000").contains("text/event-stream"))
        var run = ServedRun(id: 7, pipeline: "shop", kind: .run)
        run.progress = ServedProgress()
        run.progress?.line = "page 3"
        shop.control.tell(.progressed(run))
        let text = client.receive(until: "page 3")
        #expect(text.contains("event: progressed\ndata: {") && text.contains("\"pipeline\":\"shop\""), "\(text)")
        shop.control.tell(.late(pipeline: "shop", due: 0))
        #expect(client.receive(until: "event: late").contains("event: late"))
        client.close()
    }
}
