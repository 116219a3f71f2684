package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// What belongs to a record that comes back by a decision comes back with it.
extension OwnedRows {
    /// Brings back what is gone of what a record's source said to belong to it.
    ///
    /// A row is made of the base, where that holds every value; of others the base says that they are gone, so that the
    /// next run which reads them inserts them.
    ///
    /// - Parameters:
    ///   - owner: The record, which has a row again.
    ///   - run: The number of the run.
    ///   - counts: Grows by what came back, entity by entity.
    /// - Returns: Whether everything came back.
    /// - Throws: `StoreError`.
    package func revive(under owner: RecordKey, run: Int64, counts: inout [String: RunCounts]) throws -> Bool {
        var absent: [RecordKey: BaseRow] = [:]
        for key in try table.liveKeys(under: owner) where try table.localRow(key) == nil {
            guard var base = try table.baseRow(key) else { continue }
            base.lastRun = run
            absent[key] = base
        }
        var missing: Set<RecordKey> = []
        for (key, base) in absent.sorted(by: { $0.key < $1.key }) {
            if let values = values(of: base) {
                try table.write(RecordWrite(key: key, row: .insert(values), base: base))
            } else {
                missing.insert(key)
            }
        }
        let outcome = try table.finish(run: run) { _, _ in nil }
        missing.formUnion(outcome.reasons(table.schema).map(\.key))
        for key in missing.sorted() {
            guard let base = absent[key] else { continue }
            try table.write(Self.forgetting(key, base))
            for rows in below { try rows.forgetAbsent(under: key, run: run) }
        }
        if absent.count > missing.count {
            counts[table.schema.entity, default: RunCounts()].inserted += absent.count - missing.count
        }
        var isWhole = missing.isEmpty
        for key in try table.rowKeys(under: owner) {
            for rows in below { isWhole = try rows.revive(under: key, run: run, counts: &counts) && isWhole }
        }
        return isWhole
    }

    /// Lets the base of records without a row say that they are gone, so that a run which reads them inserts them.
    package func forgetAbsent(under owner: RecordKey, run: Int64?) throws { try forgetAbsent(under: [owner], run: run) }

    /// Does so for the rows of several records.
    package func forgetAbsent(under owners: [RecordKey], run: Int64?) throws {
        let keys = try table.liveKeys(under: owners).flatMap { $0 }
        if keys.isEmpty { return }
        let absent = zip(keys, try table.localRows(keys)).filter { $1 == nil }.map(\.0)
        if absent.isEmpty { return }
        let writes = zip(absent, try table.baseRows(absent)).compactMap { key, base in
            base.map { base in
                var base = base
                base.lastRun = run
                return Self.forgetting(key, base)
            }
        }
        try table.write(writes)
        for rows in below { try rows.forgetAbsent(under: absent, run: run) }
    }

    private static func forgetting(_ key: RecordKey, _ base: BaseRow) -> RecordWrite {
        var base = base
        base.state = .remoteTombstone
        return RecordWrite(key: key, row: .none, base: base)
    }

    /// The row that the source gave last; nil where the base does not hold every value.
    private func values(of base: BaseRow) -> [FieldValue]? {
        var values: [FieldValue] = []
        for (field, entry) in base.entries.enumerated() {
            switch entry {
            case .none, .null: values.append(.null)
            case .value(let value): values.append(table.schema.stored(value, field: field))
            case .digest: return nil
            }
        }
        return values
    }
}
