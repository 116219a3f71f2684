import Foundation
import SluiceSQLite

/// Everything that a store holds, and the files around it, to be compared before and after a command.
struct StoreDump {
    /// The rows of each table and the statements that made them, but for the runs and what is noted of each.
    let tables: [String: [String]]
    /// The rows of `_sluice_runs`: a failed run adds its own.
    let runs: [String]
    /// The names of the files in the store's folder.
    let files: Set<String>

    /// Reads a store; one that does not exist has no tables.
    init(_ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        files = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        guard FileManager.default.fileExists(atPath: path) else {
            (tables, runs) = ([:], [])
            return
        }
        let connection = try Connection(path: path, mode: .existing)
        func texts(_ sql: String) throws -> [String] {
            try connection.rows(sql).map { row in
                if case .text(let bytes) = row[0] { String(decoding: bytes, as: UTF8.self) } else { "" }
            }
        }
        var tables = [
            "": try texts("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
        ]
        for table in try texts("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let columns = try texts("SELECT name FROM pragma_table_info(\(Self.quoted(table, "'")))")
                .map { "quote(\(Self.quoted($0, "\"")))" }.joined(separator: " || '|' || ")
            let others = table == "_sluice_state" ? " WHERE part NOT LIKE 'run %'" : ""
            tables[table] = try texts("SELECT \(columns) FROM \(Self.quoted(table, "\""))\(others) ORDER BY 1")
        }
        runs = tables.removeValue(forKey: "_sluice_runs") ?? []
        self.tables = tables
    }

    private static func quoted(_ name: String, _ quote: String) -> String {
        quote + name.replacing(quote, with: quote + quote) + quote
    }

    /// The tables that are not as they were before, and the files that came or went.
    func differences(from before: StoreDump) -> [String] {
        let names = Set(tables.keys).union(before.tables.keys).sorted()
        let changed = names.filter { tables[$0] != before.tables[$0] }.map { $0.isEmpty ? "schema" : $0 }
        return changed + files.symmetricDifference(before.files).sorted()
    }
}
