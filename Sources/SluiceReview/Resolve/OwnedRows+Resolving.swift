package import SluiceModel
package import SluiceReconcile
package import SluiceStore

/// What belongs to a record whose deletion somebody decides, as the store alone knows it.
extension OwnedRows {
    /// The rows that belong to the records of a mapping.
    ///
    /// - Parameters:
    ///   - mapping: What the records are.
    ///   - store: Knows what belongs to them.
    /// - Returns: One for each table of children.
    /// - Throws: `StoreError`.
    package static func all(of mapping: RecordMapping, in store: any RecordStore) throws -> [OwnedRows] {
        try store.children(of: mapping).compactMap { child in
            let table = try store.knownTable(pipeline: child.pipeline, stream: child.stream, entity: child.entity)
            return try table.map { table in
                OwnedRows(
                    table, siblings: try SiblingSources(of: table.schema, in: store),
                    below: try all(of: child, in: store))
            }
        }
    }

    /// A row that a person added below a record, as people call it; nil where there is none.
    package func addition(under owner: RecordKey) throws -> String? {
        for key in try table.rowKeys(under: owner) {
            if try condition(of: key) == .added {
                return "The row \(FieldJSON.object(key: key, schema: table.schema)) of `\(table.schema.table)`"
            }
            for rows in below { if let found = try rows.addition(under: key) { return found } }
        }
        return nil
    }

    /// Deletes what belongs to a record, as the record itself is deleted; what was to be decided about it is no more.
    ///
    /// - Parameters:
    ///   - owner: The record.
    ///   - deletion: How it is deleted.
    ///   - run: The number of the run.
    ///   - counts: Grows by what is deleted, entity by entity.
    ///   - store: Has the conflicts.
    /// - Throws: `StoreError`.
    package func delete(
        under owner: RecordKey, as deletion: RecordWrite.Row, run: Int64, counts: inout [String: RunCounts],
        in store: any RecordStore
    ) throws {
        // Of a list that is one value the record's key names the conflict.
        let list = FieldJSON.object(key: owner, schema: table.schema)
        for var conflict in try store.conflicts.open(of: table.schema.source, key: list) {
            (conflict.status, conflict.lastRun) = (.obsolete, run)
            try store.conflicts.update(conflict)
        }
        var keys = try table.liveKeys(under: owner)
        // What others gave goes as well.
        if !siblings.isEmpty { keys = Set(keys).union(try table.rowKeys(under: owner)).sorted() }
        for key in keys {
            for rows in below { try rows.delete(under: key, as: deletion, run: run, counts: &counts, in: store) }
            let name = FieldJSON.object(key: key, schema: table.schema)
            let closed =
                try store.conflicts.open(of: table.schema.source, key: name)
                + siblings.withdraw(key, siblings.records(key), as: .remoteTombstone, run: run)
            for var conflict in closed {
                (conflict.status, conflict.lastRun) = (.obsolete, run)
                try store.conflicts.update(conflict)
            }
            var base = try table.baseRow(key)
            base?.state = .remoteTombstone
            base?.isOpen = false
            base?.lastRun = run
            let isThere = try table.localRow(key) != nil
            try table.write(RecordWrite(key: key, row: isThere ? deletion : .none, base: base))
            if isThere { counts[table.schema.entity, default: RunCounts()].deleted += 1 }
        }
    }
}

extension RecordWrite.Row {
    /// Whether the row is there no longer.
    package var deletes: Bool {
        switch self {
        case .delete, .markDeleted: true
        case .none, .insert, .update, .set, .restore: false
        }
    }
}
