import SluiceDiagnostics
import SluicePostgres
import TestSupport
import Testing

/// A scenario whose store is a schema of PostgreSQL.
final class PostgresStage {
    let stage: ScenarioStage
    private let place: PostgresSchemaURL
    private let connection: PostgresConnection
    private var scenario: Scenario { stage.scenario }

    init(_ scenario: Scenario) throws {
        stage = try ScenarioStage(scenario)
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute(
            "SET timezone = 'UTC'; SET client_min_messages = warning; SET search_path = \(place.schema)")
    }

    deinit { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    /// Runs a command on the store; what it prints calls the store as the pipeline does.
    func sluice(_ arguments: [String]) -> ScenarioStage.Outcome {
        let outcome = stage.sluice(arguments + ["--store", place.store])
        func text(_ text: String) -> String {
            text.replacing(place.store, with: "sqlite:shop.db").replacing("'sqlite:shop.db'", with: "sqlite:shop.db")
        }
        return ScenarioStage.Outcome(code: outcome.code, text: text(outcome.text), errors: text(outcome.errors))
    }

    /// `plan` or `run` of the pipeline with the step's arguments.
    func sync(_ command: String, _ step: String, _ more: String...) -> ScenarioStage.Outcome {
        let arguments = scenario.lines("arguments-\(step).txt").joined() + ["--changes", "all"]
        return sluice([command, stage.folder.file("pipeline.yaml")] + arguments + more)
    }

    /// Does what happens before a step.
    func prepare(_ step: String) throws {
        for arguments in scenario.lines("resolve-\(step).txt") {
            let outcome = sluice(["conflicts", "resolve"] + arguments)
            #expect(outcome.code == 0, "resolve \(arguments): \(outcome)")
        }
        let edits = step == "second" ? scenario.text("local.postgres.sql") : scenario.text("local-\(step).postgres.sql")
        if let sql = edits ?? scenario.edits(before: step) { try connection.execute(sql) }
        try stage.putRemote(step)
        for words in scenario.lines("also-\(step).txt") {
            let arguments = words.map { scenario.pipelines.contains($0) ? stage.folder.file($0) : $0 }
            let outcome = sluice(arguments)
            #expect(outcome.code == 0, "\(words): \(outcome)")
        }
    }

    private func texts(_ sql: String) throws -> [[String?]] {
        // Tables may have changed since a statement was prepared.
        try connection.forgetStatements()
        return try connection.run(sql).values.map { row in
            row.map { value in
                switch value {
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .integer(let number): String(number)
                default: nil
                }
            }
        }
    }

    private func tables(_ condition: String) throws -> [String] {
        try texts(
            """
            SELECT tablename::text FROM pg_tables WHERE schemaname = '\(place.schema)' AND \(condition) ORDER BY 1
            """
        ).map { $0[0] ?? "" }
    }

    /// Whether the schema is there.
    func exists() throws -> Bool {
        try !texts("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(place.schema)'").isEmpty
    }

    /// Every row of every table as PostgreSQL writes it, but for runs where they are not asked for.
    func contents(withRuns: Bool) throws -> [String] {
        try tables(withRuns ? "true" : "tablename NOT LIKE '\\_sluice\\_run%'").flatMap { name in
            // What is noted of a run goes with its entry.
            let others = name == "_sluice_state" && !withRuns ? " WHERE part NOT LIKE 'run %'" : ""
            let rows = try texts("SELECT t::text FROM \(PostgresName.quoted(name)) AS t\(others) ORDER BY 1")
            return [name] + rows.map { $0[0] ?? "" }
        }
    }

    /// The rows of the pipelines' tables in words: what types of PostgreSQL write in another way is `…`.
    func rows() throws -> [String] {
        try tables("tablename NOT LIKE '\\_sluice\\_%'").flatMap { name in
            let columns = try columns(of: name)
            let list = columns.map { "\(PostgresName.quoted($0.name))::text" }.joined(separator: ", ")
            return try texts("SELECT \(list) FROM \(PostgresName.quoted(name))").map { row in
                "\(name): " + zip(columns, row).map { Self.word($1, $0.name, $0.type) }.joined(separator: "  ")
            }.sorted()
        }
    }

    private func columns(of table: String) throws -> [(name: String, type: String)] {
        try texts(
            """
            SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute
            WHERE attrelid = '\(PostgresName.quoted(table))'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """
        ).map { ($0[0] ?? "", $0[1] ?? "") }
    }

    /// Types whose values have another text here than in a store of SQLite.
    private static let others = ["timestamp with time zone", "jsonb", "numeric", "double precision"]

    private static func word(_ text: String?, _ column: String, _ type: String) -> String {
        guard let text else { return "NULL" }
        if column == "_deleted_at" { return "'deleted'" }
        switch type {
        case "bigint": return text
        case "boolean": return text == "true" ? "1" : "0"
        case _ where others.contains(type): return "…"
        default: return "'" + PrintableText.escape(text) + "'"
        }
    }

    /// The rows that a store's text has, in the words of ``rows()``.
    func expectedRows(_ storeText: String) throws -> [String] {
        var found: [String: [String]] = [:]
        var table: String?
        for line in storeText.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("table ") {
                table = String(line.dropFirst("table ".count))
            } else if line.hasPrefix("    "), let table {
                found[table, default: []].append(String(line.dropFirst(4)))
            } else {
                table = nil
            }
        }
        return try found.sorted { $0.key < $1.key }.flatMap { name, lines in
            let columns = try columns(of: name)
            return lines.map { line in
                let cells = line.split(separator: "  ", maxSplits: columns.count - 1, omittingEmptySubsequences: false)
                let words = zip(columns, cells).map { column, cell in
                    cell == "NULL" || !Self.others.contains(column.type) || column.name == "_deleted_at"
                        ? String(cell) : "…"
                }
                return "\(name): " + words.joined(separator: "  ")
            }.sorted()
        }
    }
}
