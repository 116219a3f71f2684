import Foundation
import SluiceSQLite
import SluiceServe
import SluiceSystem
import Synchronization
import TestSupport
import Testing

/// `notify` tells how a run ended: by programs and by webhooks, once the run is committed or rolled back.
@Suite struct NoticeTests {
    private static let all = "[failed, recovered, refused, conflict, attention]"
    private static let books = #"[{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#

    /// What happens before the last run, and what there is to tell of that one.
    struct Case: CustomTestStringConvertible {
        let name: String
        /// What the source has, run by run.
        var sources = [books]
        /// What somebody does in the store before the last run.
        var edit: String?
        var options: [String] = []
        let events: [String]
        var code: Int32 = 0
        /// A piece of what people are told.
        var text = ""
        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "a run that succeeds, after another one", sources: [books, books], events: []),
        Case(
            name: "a run that failed", sources: [books, "[{"], events: ["failed"], code: 1,
            text: "shop: The run failed. "),
        Case(name: "a first run that failed", sources: ["[{"], events: ["failed"], code: 1),
        Case(
            name: "a run that succeeds after one that failed", sources: [books, "[{", books], events: ["recovered"],
            text: " succeeded, and the one before had not."),
        Case(name: "that is told once", sources: [books, "[{", books, books], events: []),
        Case(
            name: "refused deletes", sources: [books, #"[{"id":1,"title":"One"}]"#], events: ["refused"], code: 4,
            text: "shop: A safety guard refused a part of the run. "),
        Case(
            name: "a run after refused deletes", sources: [books, #"[{"id":1,"title":"One"}]"#, books],
            events: ["recovered"]),
        Case(
            name: "a conflict", sources: [books, books.replacing("One", with: "Uno")],
            edit: "UPDATE books SET title = 'Eins' WHERE id = 1", events: ["conflict", "attention"],
            text: " opened or renewed 1 conflict. "),
        Case(
            name: "a conflict with --strict", sources: [books, books.replacing("One", with: "Uno")],
            edit: "UPDATE books SET title = 'Eins' WHERE id = 1", options: ["--strict"],
            events: ["conflict", "attention"], code: 3),
        Case(
            name: "a record in quarantine", sources: [books, books.replacing("\"One\"", with: "null")],
            events: ["attention"], text: "somebody should look at it: 1 record was not written."),
        Case(
            name: "records that share a key",
            sources: [books, books.replacing("]", with: #",{"id":3,"title":"Tres"}]"#)], events: ["attention"],
            text: "somebody should look at it. 2 of 4 records of `books` share a key and differ; the last is kept."),
    ]

    /// Does all runs of a case, and says how the last one ended.
    private func run(
        _ expected: Case, in shop: Workshop, beforeLast: () -> Void = {}
    ) throws -> Workshop.Outcome {
        for source in expected.sources.dropLast() {
            try shop.write(source, to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
        }
        if let edit = expected.edit { try shop.sql(edit) }
        try shop.write(try #require(expected.sources.last), to: "books.json")
        beforeLast()
        return shop.sluice(["run", shop.pipeline, "-q"] + expected.options)
    }

    private func shop(notify: String) throws -> Workshop {
        let shop = try Workshop()
        shop.environment["PATH"] = "/usr/bin:/bin"
        try shop.writePipeline()
        try shop.write(
            try shop.read("shop.yaml") + "\nnotify:\n" + notify.replacing("FOLDER", with: shop.folder) + "\n",
            to: "shop.yaml")
        try shop.write(Self.books, to: "books.json")
        return shop
    }

    /// What somebody was told.
    private struct Told: Decodable {
        struct Pipeline: Decodable {
            let pipeline: String
            let status: String
        }
        let format: String
        let events: [String]
        let text: String
        let pipelines: [Pipeline]
    }

    private func check(_ text: String, _ expected: Case, _ outcome: Workshop.Outcome) throws {
        let told = try JSONDecoder().decode(Told.self, from: Data(text.utf8))
        #expect(told.format == "sluice.report/1" && told.events == expected.events)
        #expect(
            told.text.hasPrefix("shop: ") && (expected.text.isEmpty || told.text.contains(expected.text)),
            "\(told.text)")
        #expect(told.pipelines.map(\.pipeline) == ["shop"])
        #expect(outcome.code == expected.code && !outcome.errors.contains("of `notify`"), "\(outcome.errors)")
    }

    @Test(arguments: cases) func aProgramIsTold(_ expected: Case) throws {
        let shop = try shop(notify: "  - {on: \(Self.all), command: [sh, FOLDER/hook.sh, FOLDER/told]}")
        try shop.write("cat > \"$1\"", to: "hook.sh")
        let outcome = try run(expected, in: shop) { FileSystem.remove("\(shop.folder)/told") }
        guard !expected.events.isEmpty else {
            #expect(outcome.code == expected.code && !shop.files.contains("told"))
            return
        }
        try check(try shop.read("told"), expected, outcome)
    }

    /// A conflict is told as opened once, and asks for attention until it is decided.
    @Test func anOlderConflictIsNoNews() throws {
        let shop = try shop(notify: "  - {on: \(Self.all), command: [sh, FOLDER/hook.sh, FOLDER/told]}")
        try shop.write("cat > \"$1\"", to: "hook.sh")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1")
        try shop.write(Self.books.replacing("One", with: "Uno"), to: "books.json")
        for events in [["conflict", "attention"], ["attention"], ["attention"]] {
            let outcome = shop.sluice("run", shop.pipeline, "-q", "--full")
            let text = events.count == 1 ? "look at it: 1 record is in conflict; no conflict is new." : "in conflict."
            try check(try shop.read("told"), Case(name: "", events: events, text: text), outcome)
        }
    }

    /// What a run tells for which a service has told that another one failed.
    @Test(arguments: [
        ("another attempt at the due time, that succeeds", true, books, ["recovered"]),
        ("another attempt at the due time, that fails", true, "[{", []),
        ("a later one, that succeeds", false, books, ["recovered"]),
        ("a later one, that fails", false, "[{", ["failed"]),
    ])
    func aRunOfAServiceIsTold(name: String, isSameDueTime: Bool, source: String, events: [String]) throws {
        let shop = try shop(notify: "  - {on: \(Self.all), command: [sh, FOLDER/hook.sh, FOLDER/told]}")
        try shop.write("cat > \"$1\"", to: "hook.sh")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.write(source, to: "books.json")
        let told = ToldFailure(start: 4_000_000_000, isSameDueTime: isSameDueTime)
        _ = shop.run(["run", shop.pipeline, "-q", "--store", "sqlite:\(shop.store)"], told: told)
        guard !events.isEmpty else {
            #expect(!shop.files.contains("told"))
            return
        }
        #expect(try JSONDecoder().decode(Told.self, from: Data(try shop.read("told").utf8)).events == events)
    }

    @Test(arguments: cases) func aWebhookIsTold(_ expected: Case) throws {
        let rows = Mutex([Int64]())
        let store = Mutex("")
        let server = try LoopbackServer { _ in
            let path = store.withLock { $0 }
            if let row = try? Connection(path: path, mode: .existing).rows("SELECT count(*) FROM books").first,
                case .integer(let count) = row[0]
            {
                rows.withLock { $0.append(count) }
            }
            return .text("", status: 204)
        }
        defer { server.stop() }
        let shop = try shop(notify: "  - {on: \(Self.all), webhook: \"\(server.url)/hooks?a=b\"}")
        store.withLock { $0 = shop.store }
        var before = 0
        let outcome = try run(expected, in: shop) { before = server.requests.count }
        let requests = server.requests.dropFirst(before)
        #expect(requests.count == (expected.events.isEmpty ? 0 : 1), "\(outcome.errors)")
        guard let request = requests.first else { return }
        #expect(request.method == "POST" && request.target == "/hooks?a=b")
        #expect(request.header("Content-Type") == "application/json")
        try check(String(decoding: request.body, as: UTF8.self), expected, outcome)
        // What the run wrote is there for everybody when it is told, if it wrote anything at all.
        if shop.files.contains("shop.db") { #expect(rows.withLock { $0.last } == 3) }
    }

    @Test func valuesThatAChangeOfTypeLeftAreAReason() throws {
        let shop = try shop(notify: "  - {on: \(Self.all), command: [sh, FOLDER/hook.sh, FOLDER/told]}")
        try shop.write("cat > \"$1\"", to: "hook.sh")
        try shop.write(Self.books.replacing("\"One\"", with: "\"One\",\"price\":\"1.50\""), to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.write(try shop.read("shop.yaml").replacing("price: decimal", with: "price: int"), to: "shop.yaml")
        try shop.write(Self.books, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q", "--allow-schema", "quarantine").code == 0)
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let told = try shop.read("told")
        #expect(
            told.contains("somebody should look at it: 1 value that a change of type left is in quarantine."),
            "\(told)")
    }

    @Test func theyAreToldInTheOrderOfTheFileAndOnlyOfTheirEvents() throws {
        let shop = try shop(
            notify: """
                  - {on: [failed, refused], command: [sh, -c, "echo one >> FOLDER/told"]}
                  - {on: [recovered], command: [sh, -c, "echo two >> FOLDER/told"]}
                  - {on: [failed], command: [sh, -c, "echo three >> FOLDER/told"]}
                """)
        try shop.write("[{", to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(try shop.read("told") == "one\nthree\n")
    }

    @Test(arguments: [
        ["plan", "PIPELINE"], ["run", "PIPELINE", "--replay", "FOLDER"], ["quarantine", "retry", "--all", "PIPELINE"],
        ["validate", "PIPELINE"], ["record", "PIPELINE", "--to", "FOLDER/kept"],
    ])
    func othersTellNobody(command: [String]) throws {
        let shop = try shop(notify: "  - {on: \(Self.all), command: [sh, -c, \"echo told >> FOLDER/told\"]}")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(!shop.files.contains("told"))
        try shop.write("[{", to: "books.json")
        _ = shop.sluice(
            command.map { $0.replacing("PIPELINE", with: shop.pipeline).replacing("FOLDER", with: shop.folder) })
        #expect(!shop.files.contains("told"))
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(shop.files.contains("told"), "a run tells it")
    }

    /// A run over a recording tells nobody that it failed, so that there is nothing to recover from.
    @Test func nobodyRecoversFromARecording() throws {
        let shop = try shop(notify: "  - {on: \(Self.all), command: [sh, -c, \"echo told >> FOLDER/told\"]}")
        try shop.write(Self.books, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        // What is read from files is not recorded.
        try shop.write("[{", to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q", "--replay", shop.folder).code == 1)
        let history = shop.sluice("history", "2", "--format", "json").output
        #expect(history.contains(#""scope":"recording""#) && history.contains(#""status":"failed""#), "\(history)")
        try shop.write(Self.books, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        #expect(!shop.files.contains("told"))
    }

    /// What cannot be told, and what is said of that.
    struct Failing: CustomTestStringConvertible {
        let notify: String
        let warning: String
        var testDescription: String { warning }
    }

    @Test(arguments: [
        Failing(
            notify: "command: [sh, -c, \"echo no network >&2; exit 3\"]",
            warning:
                "Entry 1 of `notify` could not be delivered. The program `sh` ended with the exit code 3. It wrote: \"no network\"."
        ),
        Failing(
            notify: "command: [no-such-program]",
            warning: "The program `no-such-program` cannot be started: No such file or directory."),
        Failing(
            notify: "command: [./missing.sh]",
            warning: "The program `FOLDER/missing.sh` cannot be started: No such file or directory."),
        Failing(
            notify: "command: [sleep, 60], timeout: 100ms",
            warning: "The program `sleep` was ended, since it took longer than 100ms, its `timeout`."),
        Failing(
            notify: "webhook: \"SILENT/secret-path\", timeout: 100ms",
            warning: "The webhook at SILENT took longer than 100ms, its `timeout`."),
        Failing(
            notify: "webhook: \"SERVER/secret-path\"",
            warning:
                "The webhook could not be called. POST SERVER: the server answered 404 (Not Found). It said: \"no ***\"."
        ),
        Failing(
            notify: "webhook: \"SERVER/redirect\"",
            warning: "The webhook could not be called. POST SERVER: the answer is a"),
    ])
    func whatCannotBeToldIsAWarning(_ expected: Failing) throws {
        let silent = try SilentServer()
        let server = try LoopbackServer { request in
            request.path == "/redirect"
                ? ServerResponse(status: 307, headers: [("Location", "/secret-path")])
                : .text("no \(request.target)", status: 404)
        }
        defer { server.stop() }
        func filled(_ text: String) -> String {
            text.replacing("SERVER", with: server.url).replacing("SILENT", with: "http://127.0.0.1:\(silent.port)")
        }
        let shop = try shop(notify: "  - {on: [recovered], \(filled(expected.notify))}")
        let warning = filled(expected.warning).replacing("FOLDER", with: shop.folder)
        for source in [Self.books, "[{"] {
            try shop.write(source, to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
        }
        try shop.write(Self.books, to: "books.json")
        let outcome = shop.sluice("run", shop.pipeline, "--strict", "--format", "json")
        #expect(outcome.code == 0, "the run stands: \(outcome.output)")
        #expect(outcome.errors.contains(warning), "\(outcome.errors)")
        #expect(outcome.output.contains(#""code":"hook_failed","severity":"warning""#), "\(outcome.output)")
        #expect(!(outcome.errors + outcome.output).contains("secret-path"), "\(outcome.errors)")
        #expect(server.requests.count <= 1)
        withExtendedLifetime(silent) {}
    }

    @Test(arguments: ["text", "json"]) func nothingTellsSecrets(format: String) throws {
        let server = try LoopbackServer { .text("no \($0.target) \($0.headers)", status: 403) }
        defer { server.stop() }
        let shop = try shop(
            notify: """
                  - {on: \(Self.all), webhook: "\(server.url)/services/T0-literal/${env:HOOK_TOKEN}?k=${env:HOOK_KEY}"}
                  - {on: \(Self.all), command: [sh, -c, 'echo "$0 $1"; env; exit 1', "${env:WORD}", "x${env:HOOK_KEY}"]}
                  - {on: \(Self.all), command: ["/no/${env:HOOK_TOKEN}/page-me"]}
                """)
        for name in ["HOOK_TOKEN", "HOOK_KEY", "WORD"] {
            shop.environment[name] = "\(name.lowercased())-hidden/1"
        }
        var sinks = ""
        for (source, command) in [
            (Self.books, "plan"), (Self.books, "run"), ("[{", "run"), (Self.books, "run"), (Self.books, "status"),
            (Self.books, "history"), (Self.books, "validate"),
        ] {
            try shop.write(source, to: "books.json")
            let outcome = shop.sluice(command, shop.pipeline, "--log-level", "debug", "--format", format)
            sinks += outcome.output + outcome.errors
        }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.target.contains("/services/T0-literal/hook_token-hidden/1") })
        #expect(sinks.contains("POST \(server.url): the server answered 403"), "\(sinks)")
        #expect(sinks.contains("/no/***/page-me"), "\(sinks)")
        for secret in ["hidden", "T0-literal"] { #expect(!sinks.contains(secret), "\(sinks)") }
    }
}
