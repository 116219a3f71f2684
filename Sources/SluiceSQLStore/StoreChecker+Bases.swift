internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluiceStore

/// What the sources said last, row by row.
extension StoreChecker {
    func baseFindings(_ known: Known) throws -> [StoreFinding] {
        let keys = known.keys
        let base = try Set(database.columnNames(of: known.base))
        let table = try Set(database.columnNames(of: known.table))
        let columns = keys.map { TableLayout.baseColumn(for: $0.column) }
        guard columns.allSatisfy({ base.contains($0.lowercased()) }), base.contains("fields"), base.contains("state"),
            keys.allSatisfy({ table.contains($0.column.lowercased()) })
        else { return [] }
        return try unreadableBases(known, columns) + openBases(known, columns) + deletedRows(known, columns)
    }

    /// Rows of a base that say nothing that this program understands.
    private func unreadableBases(_ known: Known, _ columns: [String]) throws -> [StoreFinding] {
        var (count, examples): (Int, [String]) = (0, [])
        let states = Set(BaseState.allCases.map { Int64($0.rawValue) })
        let types = known.keys.map { ($0.field, $0.type) }
        try database.each(
            "SELECT fields, state, \(SQLText.list(columns)) FROM \(database.table(known.base))", []
        ) { row in
            let isState = row[1].number.map { states.contains($0) } ?? false
            // What is written has an entry for each slot that there was.
            let entries = row[0].bytes.flatMap {
                $0.isEmpty ? nil : BaseCoding.decode($0, slotCount: known.slots.count)
            }
            if isState, let entries, entries.count <= known.slots.count,
                Self.isKey(Array(row.dropFirst(2)), of: entries, known.keys)
            {
                return true
            }
            count += 1
            if examples.count < StoreFinding.listed {
                examples.append(RefusedRows.key(types.map { (name: $0.0, type: $0.1) }, Array(row.dropFirst(2))))
            }
            return true
        }
        if count == 0 { return [] }
        return [
            StoreFinding(
                .bases, table: known.base, count: count,
                message:
                    "Of \(Plural.of(count, "record", "records")) of `\(known.table)` it cannot be read what `\(known.mapping.path)` said last.",
                examples: examples,
                remedy:
                    "Delete these rows of `\(known.base)`, and run `\(known.mapping.pipeline)` with `--full`: each row is compared with the source anew."
            )
        ]
    }

    /// Whether a base is of the record whose key it has, as far as its entries say so. Keys of other types are written in
    /// more than one way.
    private static func isKey(_ key: [FieldValue], of entries: [BaseEntry], _ slots: [EntityRegistry.Slot]) -> Bool {
        zip(key, slots).allSatisfy { value, slot in
            guard slot.type == .int || slot.type == .string, slot.comparison == .exact,
                entries.indices.contains(slot.number), case .value(let said) = entries[slot.number]
            else { return true }
            return said == value
        }
    }

    /// Bases that say that a conflict waits, and none does.
    private func openBases(_ known: Known, _ columns: [String]) throws -> [StoreFinding] {
        var open: Set<String> = []
        try database.each(
            "SELECT key FROM \(database.ledger("conflicts")) WHERE status = 'open' AND pipeline = ?1 AND stream = ?2 AND entity = ?3",
            [known.mapping.pipeline, known.mapping.stream, known.mapping.entity].map { FieldValue($0) }
        ) { row in
            if let key = row[0].string.flatMap(Self.canonical) { open.insert(key) }
            return true
        }
        var (count, examples): (Int, [String]) = (0, [])
        let types = known.keys.map { (name: $0.field, type: $0.type) }
        try database.each(
            "SELECT \(SQLText.list(columns)) FROM \(database.table(known.base)) WHERE open % 2 <> 0", []
        ) { row in
            let key = RefusedRows.key(types, row)
            if Self.canonical(key).map(open.contains) ?? true { return true }
            count += 1
            if examples.count < StoreFinding.listed { examples.append(key) }
            return true
        }
        if count == 0 { return [] }
        return [
            StoreFinding(
                .conflicts, table: known.base, count: count,
                message:
                    "\(Plural.of(count, "record", "records")) of `\(known.table)` \(Plural.word(count, "is", "are")) noted as having an open conflict of `\(known.mapping.path)`, and there is none.",
                examples: examples,
                remedy:
                    "Set `open = open - 1` of these rows of `\(known.base)`; a run asks again where both sides still differ."
            )
        ]
    }

    /// A key with its members in one order.
    private static func canonical(_ key: String) -> String? {
        (try? JSONDocument(key).root.canonicalJSON).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Rows that people deleted, which is no fault.
    private func deletedRows(_ known: Known, _ columns: [String]) throws -> [StoreFinding] {
        let same = try zip(columns, known.keys).map {
            try database.isSame(
                BaseKey(base: known.base, row: "b", column: $0), "t.\(SQLText.quoted($1.column))", as: $1.column,
                of: known.table)
        }
        let forms = try database.forms(of: known.table)
        // A key in the form of another program does not equal the base's.
        if known.keys.contains(where: { forms[$0.column.lowercased()].map { !$0.isOwn } ?? false }) { return [] }
        var count = 0
        // A database that compares values of one type alone fails where a key is none of the column's values.
        let failure = try database.misfit {
            count = Int(
                clamping: try database.integer(
                    """
                    SELECT count(*) FROM \(database.table(known.base)) AS b WHERE b.state = \(BaseState.live.rawValue)
                    AND NOT EXISTS (SELECT 1 FROM \(database.table(known.table)) AS t WHERE \(same.joined(separator: " AND ")))
                    """) ?? 0)
        }
        if let failure {
            return [
                StoreFinding(
                    .bases, table: known.base, count: 1,
                    message: "`\(known.base)` has keys that are none of `\(known.table)`: \(failure).",
                    remedy: "Delete these rows of `\(known.base)`; the next run takes their records for new ones.")
            ]
        }
        if count == 0 { return [] }
        return [
            StoreFinding(
                .bases, .note, table: known.table, count: count,
                message:
                    "\(Plural.of(count, "row", "rows")) of `\(known.table)` \(Plural.word(count, "was", "were")) deleted here, and \(Plural.word(count, "stays so until `\(known.mapping.path)` changes its record", "stay so until `\(known.mapping.path)` changes their records")).",
                remedy: "`sluice edits` lists \(Plural.word(count, "it", "them")); nothing is to be mended.")
        ]
    }
}
