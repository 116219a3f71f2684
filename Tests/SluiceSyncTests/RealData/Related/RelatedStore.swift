import SluiceReport
import SluiceSQLite
import SluiceStore
import Testing

/// A store that takes version after version of related data, each checked against the publisher's own files.
final class RelatedStore {
    let shop: Workshop
    private let publication: RelatedPublication
    /// The rows of each table by their key, as they should be.
    private var known: [[String: String]]
    private var number = 0

    init(_ publication: RelatedPublication) throws {
        self.publication = publication
        shop = try Workshop()
        known = publication.tables.map { _ in [:] }
    }

    /// Takes the next version.
    ///
    /// Plan and run must agree, all references must lead somewhere, counts and tables must be as the files say, and a
    /// repeated run must write nothing.
    @discardableResult
    func take(_ name: String, base: String, files: Connection) throws -> RunReport {
        shop.definition = try publication.publication.definition(base: base)
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.status == .succeeded, "\(name): \(report.problems)")
        let keyless = publication.keyless.indices.contains(number) ? publication.keyless[number] : 0
        #expect(recorder.quarantine.map(\.reason) == Array(repeating: "missing_key", count: keyless), "\(name)")
        #expect(recorder.conflicts.isEmpty, "\(name)")
        #expect(try shop.rows("PRAGMA foreign_key_check") == [], "\(name)")
        for stream in report.streams {
            let parts = stream.summary
            let sum = parts.insert + parts.update + parts.unchanged + parts.quarantined
            #expect(stream.read == stream.filtered + stream.duplicates + sum, "\(name) \(stream.stream)")
        }
        for (index, table) in publication.tables.enumerated() {
            try check(table, index, report, files, "\(name) \(table.origin)")
        }
        try checkWaiting(name)
        let (again, written) = try shop.quietRun()
        #expect(written == [], "\(name)")
        #expect(again.summary.hasOnly(\.unchanged, and: \.quarantined), "\(name) \(again.summary)")
        for (entity, summary) in again.entities {
            #expect(summary.hasOnly(\.unchanged, and: \.quarantined), "\(name) \(entity) \(summary)")
        }
        number += 1
        return report
    }

    /// What waits must be of the fields that may, and the records that it waits for must not be there.
    private func checkWaiting(_ name: String) throws {
        let fields = try shop.rows("SELECT DISTINCT field FROM _sluice_pending ORDER BY 1")
        #expect(Set(fields).isSubset(of: publication.waiting.keys.map { "'\($0)'" }), "\(name)")
        for (field, target) in publication.waiting {
            let there = try shop.rows(
                """
                SELECT key FROM _sluice_pending WHERE field = '\(field)' AND json_extract(target_key, '$[0]')
                IN (SELECT \(target.column) FROM \(target.table)) LIMIT 1
                """)
            #expect(there == [], "\(name) \(field)")
        }
    }

    private func check(
        _ table: RelatedPublication.Table, _ index: Int, _ report: RunReport, _ files: Connection, _ place: Comment
    ) throws {
        let published = try Self.rows(files.rows(table.published), key: table.key)
        var summary = RunSummary()
        let before = known[index]
        for (key, row) in published {
            if let old = before[key] {
                if old == row { summary.unchanged += 1 } else { summary.update += 1 }
            } else {
                summary.insert += 1
            }
        }
        known[index] = published
        switch table.origin {
        case .embedded:
            known[index] = before.merging(published) { $1 }
        case .stream, .children: summary.delete = before.keys.count { published[$0] == nil }
        case .links: break
        }
        let stored = try Self.rows(Connection(path: shop.store, mode: .existing).rows(table.stored), key: table.key)
        let wanted = known[index]
        #expect(stored.count == wanted.count, place)
        let wrong = wanted.filter { stored[$0.key] != $0.value }.min { $0.key < $1.key }
        #expect(wrong == nil, "\(place): \(wrong.map { "\($0) \(stored[$0.key] ?? "-")" } ?? "")")
        switch table.origin {
        case .links: break
        case .stream(let name):
            let stream = report.streams.first { $0.stream == name }
            summary.quarantined = stream?.summary.quarantined ?? 0
            #expect(stream?.summary.text == summary.text, place)
        case .children(let entity, let name), .embedded(let entity, let name):
            let stream = report.streams.first { $0.stream == name }
            #expect(stream?.parts.first { $0.entity == entity }?.summary.text == summary.text, place)
        }
    }

    /// Checks that every table had a row in some version.
    func checkTables() {
        for (table, rows) in zip(publication.tables, known) { #expect(!rows.isEmpty, "\(table.origin)") }
    }

    private static func rows(_ rows: [[SQLiteValue]], key: Int) throws -> [String: String] {
        var found: [String: String] = [:]
        for row in rows {
            let text = row[..<key].map(Workshop.text).joined(separator: "|")
            #expect(found[text] == nil, "\(text) is there twice")
            found[text] = row[key...].map(Workshop.text).joined(separator: "|")
        }
        return found
    }
}

extension RunSummary {
    /// Whether nothing else was counted, but for records whose key came again.
    fileprivate func hasOnly(_ one: WritableKeyPath<RunSummary, Int>, and other: WritableKeyPath<RunSummary, Int>)
        -> Bool
    {
        var rest = self
        rest[keyPath: one] = 0
        rest[keyPath: other] = 0
        rest.duplicates = 0
        return rest == RunSummary()
    }
}
