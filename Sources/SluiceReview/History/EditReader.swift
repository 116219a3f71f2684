internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
package import SluiceReconcile
package import SluiceReport
package import SluiceStore

/// Tells what people changed, from the store alone.
package final class EditReader {
    /// Is told of a table how many of its rows were looked at.
    package typealias Progress = (_ table: String, _ rows: Int) -> Void

    let store: any RecordStore
    private let tally: LiveTally?
    private let progress: Progress

    /// Makes a reader of a store that is open.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - tally: Is told of the records that are met; nil for nothing.
    ///   - progress: Is told now and then how far it has come.
    package init(store: any RecordStore, tally: LiveTally? = nil, progress: @escaping Progress = { _, _ in }) {
        (self.store, self.tally, self.progress) = (store, tally, progress)
    }

    /// Tells what people changed: table by table, first what the source has or had in the order of the keys, then what it
    /// never had.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines whose records are looked at, nil for all.
    ///   - entity: The only entity to look at, nil for all.
    ///   - body: Is given what was done to each record.
    /// - Throws: `StoreError`, and what the body throws.
    package func edits(pipelines: [String]?, entity: String?, _ body: (RecordEdit) throws -> Void) throws {
        var told: Set<String> = []
        let mappings = try store.mappings(pipeline: nil, entity: entity)
            .filter { pipelines?.contains($0.pipeline) ?? true }
        for mapping in mappings {
            guard let table = try tableIfWhole(mapping), told.insert(table.lowercased()).inserted else { continue }
            // Several sources may fill a table, and what one of them gave nobody edited.
            try TableEdits(table, in: store, asked: mappings, tally).forEach(progress: { progress(table, $0) }, body)
        }
    }

    /// The table of a mapping; nil where it is missing, or one to which it refers: no row is known without it.
    private func tableIfWhole(_ mapping: RecordMapping) throws -> String? {
        do {
            return try store.knownTable(mapping)?.schema.table
        } catch let error as StoreError where error.code == .failed {
            let tables = try store.tables(pipelines: nil, entity: nil)
            let missing = Set(tables.filter(\.columns.isEmpty).map { $0.name.lowercased() })
            let own = tables.filter { table in table.sources.contains { $0.mapping == mapping } }
            if own.flatMap(\.references).contains(where: { missing.contains($0.target.lowercased()) }) { return nil }
            throw error
        }
    }

    /// How much people changed.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines whose records are looked at, nil for all.
    ///   - entity: The only entity to look at, nil for all.
    /// - Returns: The counts of all tables.
    /// - Throws: `StoreError`.
    package func counts(pipelines: [String]?, entity: String?) throws -> EditCounts {
        var counts = EditCounts()
        try edits(pipelines: pipelines, entity: entity) { counts.add($0) }
        // A store that no run has written to knows of no tables.
        if try store.mappings(pipeline: nil, entity: entity).isEmpty { return counts }
        let missing = try missing(pipelines: pipelines, entity: entity).count
        if missing > 0 { counts.missing = missing }
        return counts
    }
}

extension RecordStore {
    /// The table of a mapping, as an earlier run prepared it.
    func knownTable(_ mapping: RecordMapping) throws -> (any RecordTable)? {
        try knownTable(pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
    }
}
