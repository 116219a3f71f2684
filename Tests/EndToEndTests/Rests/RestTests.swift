import Foundation
import TestSupport
import Testing

/// Lists that go on, from run to run.
@Suite struct RestTests {
    private static let all = ["i1|a1", "i1|a2", "i1|a3", "i1|a4", "i1|a5", "i2|b1"]

    @Test func theReportCountsRests() throws {
        let forge = Forge(Invoices.small)
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(
                #""continued_lists":{"count":1,"failed":0},"rests":{"count":1,"failed":0},"requests":3"#),
            "\(run.output)")
        #expect(try scene.lines() == Self.all)
    }

    @Test func whatGoesFromTheRestIsDeletedAndEditsStay() throws {
        let forge = Forge(Invoices.small)
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        #expect(try scene.forge().code == 0)
        try scene.execute("UPDATE line SET amount = 77 WHERE id = 'a4'")
        forge["/invoices/i1/lines?after=a2"] = .body(Invoices.lines("a4", more: true))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines() == Self.all.filter { $0 != "i1|a3" })
        #expect(try scene.query("SELECT amount FROM line WHERE id = 'a4'") == ["77"])
        // What is edited here and changed there is a conflict.
        forge["/invoices/i1/lines?after=a2"] = .body(
            #"{"data": [{"id": "a4", "amount": 5}], "has_more": true}"#)
        let conflict = try scene.forge()
        #expect(conflict.output.contains(#""kind":"edit_edit""#), "\(conflict.output)")
    }

    @Test func whatIsMissingFromCountedPagesGoesWithTheNextRun() throws {
        let forge = Forge([
            "/invoices": .body("[\(Invoices.invoice("i1", Invoices.lines("a1", more: true)))]"),
            "/invoices/i1/lines?offset=1": .body(Invoices.lines("a2", "a3")),
            "/invoices/i1/lines?offset=2": .body(Invoices.lines()),
            "/invoices/i1/lines?offset=3": .body(Invoices.lines()),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url, Invoices.more("{type: offset}")))
        #expect(try scene.forge().code == 0)
        forge["/invoices/i1/lines?offset=1"] = .body(Invoices.lines("a3"))
        #expect(try scene.forge().code == 0)
        #expect(try scene.lines() == ["i1|a1", "i1|a2", "i1|a3"])
        // Seen again it counts anew.
        forge["/invoices/i1/lines?offset=1"] = .body(Invoices.lines("a2", "a3"))
        #expect(try scene.forge().code == 0)
        forge["/invoices/i1/lines?offset=1"] = .body(Invoices.lines("a3"))
        #expect(try scene.forge().code == 0)
        #expect(try scene.lines().count == 3)
        let gone = try scene.forge()
        #expect(gone.code == 0, "\(gone.output)")
        #expect(try scene.lines() == ["i1|a1", "i1|a3"])
    }

    /// What moved up would stand beside what it took the place of: a list that no side ever had.
    @Test func anOrderedListOfCountedPagesIsTakenAsAWhole() throws {
        let forge = Forge([
            "/invoices": .body("[\(Invoices.invoice("i1", Invoices.lines("a1", "a2", more: true)))]"),
            "/invoices/i1/lines?offset=2": .body(Invoices.lines("a3", "a4")),
            "/invoices/i1/lines?offset=4": .body(Invoices.lines()),
            "/invoices/i1/lines?offset=3": .body(Invoices.lines()),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(
                server.url, Invoices.more("{type: offset}"),
                child: "children: {lines: {entity: Line, from: \"lines.data[*]\", ordered: true}}"))
        func list() throws -> [String] {
            try scene.query("SELECT * FROM line ORDER BY 1, 2").map { $0.split(separator: "|")[2].description }
        }
        #expect(try scene.forge().code == 0)
        #expect(try list() == ["a1", "a2", "a3", "a4"])
        forge["/invoices"] = .body("[\(Invoices.invoice("i1", Invoices.lines("a2", "a3", more: true)))]")
        forge["/invoices/i1/lines?offset=2"] = .body(Invoices.lines("a4"))
        #expect(try scene.forge().code == 0)
        #expect(try list() == ["a1", "a2", "a3", "a4"])
        #expect(try scene.forge().code == 0)
        #expect(try list() == ["a2", "a3", "a4"])
    }

    @Test func nothingIsAskedOfWhatIsNotTaken() throws {
        let lines = Invoices.lines("a1", more: true)
        let forge = Forge([
            "/invoices": .body(
                """
                [{"id": "i1", "total": "many", "lines": \(lines)}, {"id": "i2", "total": 1, "draft": true, "lines": \(lines)},
                 {"id": "i3", "total": 1, "gone": true, "lines": \(lines)}, \(Invoices.invoice("i4", lines))]
                """),
            "/invoices/i4/lines?after=a1": .body(Invoices.lines("a2")),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(server.url, stream: "filter: '.draft | not'\n    deleted_when: .gone == true"))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.map(\.target) == ["/invoices", "/invoices/i4/lines?after=a1"])
        #expect(try scene.lines() == ["i4|a1", "i4|a2"])
    }

    @Test func aRecordThatIsTriedAgainLosesNoLine() throws {
        let forge = Forge(Invoices.small)
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        #expect(try scene.forge().code == 0)
        forge["/invoices"] = .body(
            "[\(Invoices.invoice("i1", Invoices.lines("a1", more: true)).replacing("\"total\": 1", with: "\"total\": \"1x\""))]"
        )
        #expect(try scene.forge().code == 0)
        #expect(try scene.query("SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'") == ["1"])
        let text = try String(contentsOfFile: scene.folder.file("forge.yaml"), encoding: .utf8)
        try scene.write("forge.yaml", text.replacing("total: int", with: "total: {type: int, map: {1x: 9}}"))
        let retry = try Program.run(
            "quarantine", "retry", "--all", "forge.yaml", "--format", "json", in: scene.path)
        #expect(retry.code == 0 && retry.output.contains(#""left":1"#), "\(retry.output)\(retry.errors)")
        #expect(try scene.query("SELECT total FROM invoice WHERE id = 'i1'") == ["9"])
        #expect(try scene.lines().filter { $0.hasPrefix("i1") } == Self.all.filter { $0.hasPrefix("i1") })
    }

    @Test func aBadLineOfTheRestKeepsItsInvoiceOut() throws {
        let forge = Forge(Invoices.small)
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        #expect(try scene.forge().code == 0)
        forge["/invoices/i1/lines?after=a4"] = #"{"data": [{"id": "a5", "amount": "x"}], "has_more": false}"#
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains(#""pointer":"/lines/data/4/amount""#), "\(run.output)")
        #expect(try scene.lines() == Self.all)
    }

    @Test func theCursorWaitsForTheRest() throws {
        func invoice(_ number: Int, _ lines: String) -> String {
            "{\"id\": \"i\(number)\", \"total\": 1, \"at\": \"2024-01-0\(number)T00:00:00Z\", \"lines\": \(lines)}"
        }
        let forge = Forge([
            "/invoices?since=2020-01-01T00%3A00%3A00Z": .body(
                "[\(invoice(1, Invoices.lines("a1"))), \(invoice(2, Invoices.lines("b1", more: true))), \(invoice(3, Invoices.lines("c1")))]"
            )
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(
                server.url, fields: ", at: datetime",
                stream:
                    "params: {since: \"{{ cursor.start }}\"}\n    incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}"
            ))
        let run = try scene.forge()
        #expect(
            run.code == 5 && run.output.contains("1 record could not be written with the rest of a list"),
            "\(run.output)\(run.errors)")
        #expect(try scene.lines() == ["i1|a1", "i2|b1", "i3|c1"])
        let since = "/invoices?since=2024-01-01T23%3A59%3A59Z"
        forge[since] = .body("[\(invoice(2, Invoices.lines("b1", more: true))), \(invoice(3, Invoices.lines("c1")))]")
        forge["/invoices/i2/lines?after=b1"] = .body(Invoices.lines("b2"))
        let next = try scene.forge()
        #expect(next.code == 0, "\(next.output)\(next.errors)")
        #expect(server.requests.map(\.target).suffix(2) == [since, "/invoices/i2/lines?after=b1"])
        #expect(try scene.lines() == ["i1|a1", "i2|b1", "i2|b2", "i3|c1"])
    }

    @Test func whatWasRecordedIsReplayed() throws {
        let forge = Forge(Invoices.small)
        let server = try forge.serve()
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        let record = try Program.run("record", "forge.yaml", "--to", "tape", in: scene.path)
        #expect(record.code == 0, "\(record.output)\(record.errors)")
        server.stop()
        let run = try scene.forge("run", "--replay", "tape")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines() == Self.all)
    }

    @Test func aRunThatIsStoppedIsDoneAgain() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let forge = Forge(Invoices.small)
        let server = try LoopbackServer { request in
            if request.target.contains("after=a4") {
                isAsked.open()
                mayAnswer.wait()
            }
            guard case .body(let text)? = forge[request.target] else { return .text("", status: 404) }
            return .text(text)
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        let running = try Program.start(["run", "forge.yaml"], in: scene.path)
        #expect(isAsked.wait())
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
        // Nobody is left to remove the file that was made for the lock; nothing was written to it.
        #expect(try Data(contentsOf: URL(filePath: scene.store)).isEmpty)
        mayAnswer.open()
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines() == Self.all)
    }

    @Test func restsAreReadSeveralAtATime() throws {
        let gate = Gate()
        let invoices = (1...3).map { Invoices.invoice("i\($0)", Invoices.lines("a1", more: true)) }
        let server = try LoopbackServer { request in
            if request.target == "/invoices" { return .text("[\(invoices.joined(separator: ","))]") }
            // The first one answers only once the second one was asked for.
            if request.target.hasPrefix("/invoices/i1/") { gate.wait() } else { gate.open() }
            return .text(Invoices.lines("a2"))
        }
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(server.url, source: ", rate_limit: {concurrency: 2}"))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines() == (1...3).flatMap { ["i\($0)|a1", "i\($0)|a2"] })
    }
}
