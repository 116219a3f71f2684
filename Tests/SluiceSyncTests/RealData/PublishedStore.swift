import SluiceModel
import SluiceReport
import SluiceSQLite
import SluiceStore
import Testing

/// A store that takes version after version of a publication, each checked in every respect.
final class PublishedStore {
    private let publication: Publication
    private let shop: Workshop
    private var expectations: [CollectionExpectation]
    private var versionNumber = 0

    init(_ publication: Publication) throws {
        self.publication = publication
        shop = try Workshop()
        expectations = publication.collections.map { CollectionExpectation($0) }
    }

    /// Takes the next version.
    ///
    /// Plan and run must agree, counts and tables must be as expected, and a repeated run must write nothing.
    func take(_ name: String, base: String) throws {
        let version = Publication.Version(publication, name)
        shop.definition = try publication.definition(base: base)
        for (index, collection) in publication.collections.enumerated() {
            expectations[index].take(try collection.records(version))
        }
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.status == .succeeded, "\(name): \(report.problems)")
        #expect(report.streams.map(\.stream) == publication.collections.map(\.name))
        for (expected, stream) in zip(expectations, report.streams) {
            let place: Comment = "\(name) \(stream.stream)"
            #expect(stream.summary.text == expected.summary.text, place)
            #expect(stream.read == expected.read, place)
            #expect(stream.filtered == expected.filtered, place)
            #expect(stream.duplicates == expected.duplicates, place)
            #expect(stream.isComplete == (expected.keyless == 0), place)
            let keyless = recorder.quarantine.filter { $0.stream == stream.stream && $0.key == nil }
            #expect(keyless.count == expected.keyless, place)
            #expect(keyless.allSatisfy { $0.reason == "missing_key" && !$0.record.isEmpty }, place)
            checkPublished(expected, place)
            try checkTable(expected, place)
        }
        let problems = expectations.flatMap { expected in
            (expected.keyless > 0 && expected.collection.deletes ? ["incomplete_scan"] : [])
                + (expected.hasDiffering ? ["differing_duplicates"] : [])
        }
        #expect(report.problems.filter { $0.severity != .note }.map(\.code) == problems, "\(name)")
        let (again, written) = try shop.quietRun()
        #expect(written == [], "\(name)")
        for (expected, stream) in zip(expectations, again.streams) {
            let summary = expected.summary
            var quiet = RunSummary()
            quiet.unchanged = summary.insert + summary.update + summary.unchanged
            quiet.quarantined = summary.quarantined
            #expect(stream.summary.text == quiet.text, "\(name) \(stream.stream) again")
        }
        versionNumber += 1
    }

    /// The expectation itself must agree with what the publisher's notes say.
    private func checkPublished(_ expected: CollectionExpectation, _ place: Comment) {
        let counts = expected.collection.published
        guard counts.indices.contains(versionNumber) else { return }
        let count = counts[versionNumber]
        #expect(expected.read == count.records, place)
        #expect(expected.keyless == count.keyless, place)
        #expect(expected.filtered == count.filtered, place)
        guard let steps = count.steps else { return }
        let summary = expected.summary
        #expect([summary.insert, summary.delete, summary.update, summary.unchanged] == steps, place)
    }

    private func checkTable(_ expected: CollectionExpectation, _ place: Comment) throws {
        let stored = try rows(expected.collection)
        let wanted = expected.table
        #expect(stored.count == wanted.count, place)
        for (key, row) in wanted {
            #expect(stored[key] == row, "\(place) \(key)")
            if stored[key] != row { break }
        }
    }

    private func rows(_ collection: Publication.Collection) throws -> [[FieldValue]: [FieldValue]] {
        let connection = try Connection(path: shop.store, mode: .existing)
        let names = collection.columns.map(\.name)
        let keys = collection.key.compactMap { names.firstIndex(of: $0) }
        var rows: [[FieldValue]: [FieldValue]] = [:]
        let query = "SELECT \(SQLName.list(names)) FROM \(SQLName.quoted(collection.name))"
        for row in try connection.rows(query) {
            let values = row.map { FieldValue($0) }
            rows[keys.map { values[$0] }] = values
        }
        return rows
    }
}

extension FieldValue {
    /// A value as a table holds it.
    init(_ value: SQLiteValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let bytes): self = .text(bytes)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}
