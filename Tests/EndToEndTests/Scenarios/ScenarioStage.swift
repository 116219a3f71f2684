import Foundation
import SluiceCommands
import SluiceSQLite
import SluiceSystem
import TestSupport
import Testing

/// A scenario in a temporary folder, played with the program's commands within this process.
struct ScenarioStage {
    /// What a command printed and how it ended.
    struct Outcome {
        let code: Int32
        let text: String
        let errors: String
    }

    private final class Collector: TextSink {
        let isTerminal = false
        private(set) var bytes: [UInt8] = []

        func write(_ bytes: [UInt8]) throws(SystemError) { self.bytes += bytes }
    }

    let scenario: Scenario
    let folder: TemporaryDirectory
    private var store: String { folder.file("shop.db") }

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        folder = try TemporaryDirectory()
        #expect(scenario.pipelines.contains("pipeline.yaml"), "\(scenario.name) has no pipeline.yaml")
        for name in scenario.pipelines { try write(#require(scenario.text(name)), to: name) }
        if let sql = scenario.text("before.sql") { try Connection(path: store, mode: .create).execute(sql) }
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    /// Puts what the source says in a step in the place of what it said before.
    func putRemote(_ step: String) throws {
        for (name, text) in try scenario.remote(in: step) { try write(text, to: name) }
    }

    /// Does what happens before a step: decisions about conflicts, edits with plain SQL, then what else is run.
    func prepare(_ step: String) throws {
        for arguments in scenario.lines("resolve-\(step).txt") {
            let outcome = sluice(["conflicts", "resolve"] + arguments + ["--store", "sqlite:\(store)"])
            #expect(outcome.code == 0, "resolve \(arguments): \(outcome)")
        }
        if let sql = scenario.edits(before: step) {
            try Connection(path: store, mode: .existing).execute(sql)
        }
        try putRemote(step)
        for words in scenario.lines("also-\(step).txt") {
            let arguments = words.map { scenario.pipelines.contains($0) ? folder.file($0) : $0 }
            let outcome = sluice(arguments + ["--store", "sqlite:\(store)"])
            #expect(outcome.code == 0, "\(words): \(outcome)")
        }
    }

    /// Runs a command; what it prints names this folder as `.` and has no times.
    func sluice(_ arguments: [String]) -> Outcome {
        let (output, errors) = (Collector(), Collector())
        let context = CommandContext(
            output: output, errors: errors, errorsShareOutput: true, environment: ["USER": "ada"])
        let code = Sluice.run(arguments: arguments, context: context)
        ReportCheck.check(String(decoding: output.bytes, as: UTF8.self), arguments)
        func text(_ sink: Collector) -> String {
            String(decoding: sink.bytes, as: UTF8.self).replacing(folder.path + "/", with: "")
                .replacing(#/"(started|finished)_at":"[^"]*"/#) { "\"\($0.1)_at\":\"…\"" }
        }
        return Outcome(code: code, text: text(output), errors: text(errors))
    }

    /// Compares what the store keeps with itself.
    func checkStore() -> Outcome { sluice(["store", "check", "--store", "sqlite:\(store)"]) }

    /// `plan` or `run` of the pipeline with the step's arguments.
    func sync(_ command: String, _ step: String, _ more: String...) -> Outcome {
        let arguments = scenario.lines("arguments-\(step).txt").joined() + ["--changes", "all"]
        return sluice([command, folder.file("pipeline.yaml")] + arguments + more)
    }

    /// What the store holds once a saved plan of the step is carried out, and how that ended; nil where there is none. The
    /// store is as before.
    func applied(_ step: String) throws -> (outcome: Outcome, text: String)? {
        let plan = folder.file("saved.plan")
        _ = sync("plan", step, "--save", plan)
        guard FileManager.default.fileExists(atPath: plan) else { return nil }
        let before = try? Data(contentsOf: URL(filePath: store))
        let outcome = sluice(["apply", plan, "--changes", "all"])
        let text = try storeText()
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + ending) }
        try before?.write(to: URL(filePath: store))
        try FileManager.default.removeItem(atPath: plan)
        return (outcome, text)
    }

    /// Rows of a query as SQL writes them: `1`, `'text'`, `NULL`.
    func rows(_ sql: String) throws -> [[String]] {
        try Connection(path: store, mode: .existing).rows(sql).map { $0.map(StoreText.text) }
    }

    /// What the store holds, in words.
    func storeText() throws -> String { try StoreText(Connection(path: store, mode: .existing)).text }

    /// The base of a record of the pipeline's only stream, nil where it has none.
    func base(of record: Int64) throws -> StoreText.Base? {
        try StoreText(Connection(path: store, mode: .existing)).bases().first { $0.key == ["id=\(record)"] }
    }

    /// Every row of every table, but for the runs and when things were seen.
    func contents(withRuns: Bool = false) throws -> [String] {
        guard FileManager.default.fileExists(atPath: store) else { return [] }
        return try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").flatMap { row in
            let name = String(row[0].dropFirst().dropLast())
            if name == "_sluice_runs" && !withRuns { return [String]() }
            // What is kept of a run besides its row belongs to it.
            let others = name == "_sluice_state" && !withRuns ? " WHERE part NOT LIKE 'run %'" : ""
            return try [name]
                + rows("SELECT * FROM \(SQLName.quoted(name))\(others)").map { $0.joined(separator: "|") }
        }
    }
}
