internal import SluiceMerge
internal import SluiceStore

/// The records that belong to a record, as the store knows them: its children, and theirs.
struct OwnedRecords {
    private struct Owned {
        let table: any RecordTable
        let below: OwnedRecords
    }

    private let all: [Owned]

    /// - Parameters:
    ///   - mapping: What the record is.
    ///   - store: Knows what belongs to it.
    /// - Throws: `StoreError`.
    init(of mapping: RecordMapping, in store: any RecordStore) throws {
        all = try store.children(of: mapping).compactMap { child in
            let table = try store.knownTable(pipeline: child.pipeline, stream: child.stream, entity: child.entity)
            return try table.map { Owned(table: $0, below: try OwnedRecords(of: child, in: store)) }
        }
    }

    /// A row that a person added below a record, as people call it; nil where there is none.
    func addition(under owner: RecordKey) throws -> String? {
        for owned in all {
            for key in try owned.table.rowKeys(under: owner) {
                let base = try owned.table.baseRow(key)
                if base == nil || base?.state == .remoteTombstone {
                    return
                        "The row \(FieldJSON.object(key: key, schema: owned.table.schema)) of `\(owned.table.schema.table)`"
                }
                if let found = try owned.below.addition(under: key) { return found }
            }
        }
        return nil
    }

    /// Deletes all that belongs to a record, as the record itself is deleted.
    func delete(under owner: RecordKey, as deletion: RecordWrite.Row, run: Int64) throws {
        for owned in all {
            for key in try owned.table.liveKeys(under: owner) {
                try owned.below.delete(under: key, as: deletion, run: run)
                guard var base = try owned.table.baseRow(key) else { continue }
                base.state = .remoteTombstone
                base.isOpen = false
                base.lastRun = run
                let isThere = try owned.table.localRow(key) != nil
                try owned.table.write(RecordWrite(key: key, row: isThere ? deletion : .none, base: base))
            }
        }
    }
}

extension RecordWrite.Row {
    /// Whether the row is there no longer.
    var deletes: Bool {
        switch self {
        case .delete, .markDeleted: true
        case .none, .insert, .update, .set, .restore: false
        }
    }
}
