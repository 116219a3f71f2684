import Foundation
import SluiceCommands
import SluiceReport
import Testing

/// `--log-format json`: each event is an object on a line of its own, with the members that the table of events names.
@Suite struct LogFormatTests {
    private static let common: Set = ["time", "level", "event", "pipeline", "stream", "message"]
    private let shop: Workshop

    init() throws {
        shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"a"},{"id":2}]"#, to: "books.json")
    }

    /// The events of a command, which writes nothing else to standard error.
    private func events(_ arguments: [String], isTerminal: Bool = false) throws -> [[String: Any]] {
        let outcome = shop.run(arguments, errors: MemorySink(isTerminal: isTerminal))
        return try outcome.errors.split(separator: "\n").map { line in
            let event = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            let name = try #require(event["event"] as? String)
            let row = try #require(LogEvent(rawValue: name)?.row, "\(name)")
            let unknown = Set(event.keys).subtracting(Self.common).subtracting(row.details.map(\.rawValue))
            #expect(unknown == [], "\(line)")
            let time = try #require(event["time"] as? String)
            #expect(time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil, "\(time)")
            return event
        }
    }

    private func names(_ events: [[String: Any]]) -> [String] { events.compactMap { $0["event"] as? String } }

    @Test func aRunIsToldFromItsBeginningToItsEnd() throws {
        let options = ["--store", "sqlite:\(shop.store)", "-q", "--log-format", "json", "--log-level", "info"]
        let told = try events(["run", shop.pipeline] + options)
        #expect(names(told).first == "run_started" && names(told).last == "run_finished", "\(told)")
        #expect(told[0]["store"] as? String == "sqlite:\(shop.store)" && told[0]["command"] as? String == "run")
        let end = try #require(told.last)
        #expect(end["pipeline"] as? String == "shop" && end["level"] as? String == "info")
        #expect(end["status"] as? String == "succeeded")
        #expect(end["insert"] as? Int == 1 && end["quarantined"] as? Int == 1 && end["run"] as? Int == 1, "\(end)")
        #expect(end["seconds"] is Double)
        let read = try #require(told.first { $0["event"] as? String == "stream_read" })
        #expect(read["stream"] as? String == "books" && read["records"] as? Int == 2 && read["pages"] as? Int == 1)
    }

    /// Ways to get something onto standard error, and the event that tells it.
    static let failures: [(arguments: [String], event: String)] = [
        (["run", "shop.yaml", "--log-level", "warn"], "command_failed"), (["nothing"], "command_failed"),
        (["history", "999"], "command_failed"), (["undo", "999"], "command_failed"),
        (["validate", "no.yaml", "--format", "json"], ""), (["run", "no.yaml"], "pipeline_problem"),
        (["quarantine", "drop", "999"], "quarantine_refused"), (["generate", "cron", "PIPELINE"], "schedule_missing"),
    ]

    @Test(arguments: failures)
    func whateverFailsIsAnEvent(_ failure: (arguments: [String], event: String)) throws {
        _ = shop.sluice("run", shop.pipeline, "-q")
        let words = failure.arguments.map { $0 == "PIPELINE" ? shop.pipeline : $0 }
        let store = ["undo", "history", "quarantine"].contains(words[0]) ? ["--store", "sqlite:\(shop.store)"] : []
        let told = try events(words + store + ["--log-format", "json"])
        #expect(failure.event.isEmpty || names(told).contains(failure.event), "\(told)")
        #expect(try names(events(words + store + ["--log-format=json"], isTerminal: true)) == names(told))
    }

    @Test func theProblemOfAPipelineNamesItsPlaceInNumbers() throws {
        try shop.write(try shop.read("shop.yaml") + "\nschedul: {}\n", to: "shop.yaml")
        let told = try events(["run", shop.pipeline, "--log-format", "json"])
        let problem = try #require(told.first)
        #expect(problem["code"] as? String == "unknown_key" && problem["line"] as? Int ?? 0 > 1, "\(problem)")
        #expect(problem["column"] as? Int == 1 && problem["file"] as? String == shop.pipeline, "\(problem)")
        #expect((problem["message"] as? String)?.contains("`schedule`") == true, "\(problem)")
    }

    @Test func nothingActsOnATerminalAndNothingIsLost() throws {
        let hostile = "a\u{1B}[2J\u{202E}\u{2028}\u{9B}\"\\\n\u{E0041}z"
        let sink = MemorySink(isTerminal: true)
        let line = ProgressLine(sink: nil, pipeline: hostile, log: Log(level: .info, format: .json, sink: sink))
        line.show(.init(stage: .waiting(seconds: 1.5, until: "x", reason: hostile, cause: .retry), stream: hostile))
        #expect(sink.text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A }, "\(sink.text)")
        #expect(sink.text.split(separator: "\n").count == 1)
        let event = try JSONSerialization.jsonObject(with: Data(sink.text.utf8)) as? [String: Any]
        #expect(event?["pipeline"] as? String == hostile && event?["stream"] as? String == hostile)
        #expect(event?["reason"] as? String == hostile && event?["seconds"] as? Double == 1.5)
    }

    @Test func thePageHasTheTableOfEvents() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: project.appending(path: "docs/operation.md"), encoding: .utf8)
        #expect(page.contains(LogEvent.table), "docs/operation.md needs this table:\n\(LogEvent.table)")
    }

    @Test func everyCommandThatHasALevelHasAForm() {
        for command in CommandSpec.all {
            let help = HelpText.of(command.path)
            #expect(help.contains("--log-level ") == help.contains("--log-format "), "\(command.name)")
        }
    }
}
