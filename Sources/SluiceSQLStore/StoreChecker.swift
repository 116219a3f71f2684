internal import SluiceDiagnostics
internal import SluiceModel
package import SluiceStore

/// Checks what a store on SQL keeps against itself: its notes against the tables, bases against rows, ledgers against runs.
///
/// Nothing is changed. What people may do at any time, such as deleting a row, is no fault.
package struct StoreChecker {
    let database: any SQLDatabase
    let registry: EntityRegistry

    /// Looks into a store.
    package init(_ database: any SQLDatabase) {
        self.database = database
        registry = EntityRegistry(database: database)
    }

    /// All that is found, in the order of the checks.
    ///
    /// - Parameter more: Finds more at the same moment.
    /// - Returns: All of it.
    /// - Throws: What the database throws.
    package func findings(adding more: () throws -> [StoreFinding]) throws -> [StoreFinding] {
        try database.atOneMoment {
            var found = try database.integrityFindings()
            // What stands on damaged pages cannot be judged.
            if found.contains(where: { $0.check == .integrity && $0.verdict == .wrong }) { return found }
            let ledgers = try ledgerFindings()
            if !ledgers.isEmpty { return found + ledgers }
            let (registered, mappings) = try registryFindings()
            found += registered
            for mapping in mappings { found += try columnFindings(mapping) }
            for mapping in mappings { found += try baseFindings(mapping) }
            let references = try registry.references()
            found += try foreignKeyFindings(besides: references)
            let values = try valueFindings()
            found += values
            // Whether a reference waits is read from keys of JSON.
            if !values.contains(where: { $0.check == .waiting }) {
                for reference in references { found += try findings(of: reference) }
            }
            for check in [waitingFindings, conflictFindings, quarantineFindings, historyFindings, runFindings] {
                found += try check()
            }
            // What is missing is mended first: without it little else can be looked at.
            let isWhole = !found.contains { $0.verdict == .wrong && [.registry, .columns].contains($0.check) }
            if isWhole { found += try more() }
            let order = StoreCheck.allCases
            return found.enumerated().sorted { one, other in
                let places = [one, other].map { order.firstIndex(of: $0.element.check) ?? 0 }
                return (places[0], one.offset) < (places[1], other.offset)
            }.map(\.element)
        }
    }

    /// What is wrong with the database itself and with the foreign keys that it knows.
    ///
    /// - Throws: What the database throws.
    package func integrityFindings() throws -> [StoreFinding] {
        try database.integrityFindings() + foreignKeyFindings(besides: [])
    }

    // MARK: What the store notes

    /// A mapping with the tables that it has.
    struct Known {
        let mapping: RecordMapping
        let name: String
        let base: String
        let table: String
        let slots: [EntityRegistry.Slot]
        var keys: [EntityRegistry.Slot] {
            slots.filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        }
    }

    private static let restore = "Go back to a backup, or copy what can be read to a new store."

    /// The ledgers that are missing.
    private func ledgerFindings() throws -> [StoreFinding] {
        let needed = ["runs", "state", "conflicts", "quarantine"]
        return try needed.filter { try database.object("_sluice_" + $0) != .table }.map { name in
            StoreFinding(
                .registry, table: "_sluice_" + name, count: 1, message: "The table `_sluice_\(name)` is missing.",
                remedy: Self.restore)
        }
    }

    private func registryFindings() throws -> ([StoreFinding], [Known]) {
        var found: [StoreFinding] = []
        var known: [Known] = []
        for entry in try registry.entries("mapping") {
            guard let mapping = EntityRegistry.mapping(entry.name), let tables = try registry.tables(of: entry.name)
            else {
                found.append(unreadable("mapping", entry))
                continue
            }
            var slots: [EntityRegistry.Slot] = []
            for slot in try registry.entries("slot", prefix: entry.name + "/") {
                let field = String(decoding: slot.name.utf8.dropFirst(entry.name.utf8.count + 1), as: UTF8.self)
                if let read = EntityRegistry.Slot(field: field, value: slot.value) {
                    slots.append(read)
                } else {
                    found.append(unreadable("slot", slot))
                }
            }
            slots.sort { $0.number < $1.number }
            if slots.map(\.number) != Array(slots.indices) {
                found.append(
                    StoreFinding(
                        .registry, table: tables.table, count: 1,
                        message: "The slots of `\(entry.name)` are not numbered from 0 to \(slots.count - 1).",
                        remedy: Self.restore))
            }
            if !slots.contains(where: { $0.keyPosition != nil }) {
                found.append(
                    StoreFinding(
                        .registry, table: tables.table, count: 1,
                        message: "No slot of `\(entry.name)` identifies its records.", remedy: Self.restore))
                continue
            }
            known.append(
                Known(
                    mapping: mapping, name: entry.name, base: tables.base, table: tables.table, slots: slots))
        }
        for entry in try registry.entries("reference") {
            let parts = EntityRegistry.lists(entry.value)
            let isKnown = parts.first?.first.flatMap { RecordReference.DanglingRule(rawValue: $0) } != nil
            if parts.count != 7 || !isKnown || parts[1].isEmpty { found.append(unreadable("reference", entry)) }
        }
        return (found, known)
    }

    private func unreadable(_ kind: String, _ entry: (name: String, value: String)) -> StoreFinding {
        StoreFinding(
            .registry, table: "_sluice_schema", count: 1,
            message: "The \(kind) `\(entry.name)` of `_sluice_schema` cannot be read.",
            remedy: "A hand edited it, or a newer program wrote it. \(Self.restore)")
    }

    // MARK: Tables

    private func columnFindings(_ known: Known) throws -> [StoreFinding] {
        let columns = try database.columns(of: known.table)
        if columns.isEmpty {
            return [
                StoreFinding(
                    .columns, table: known.table, count: 1,
                    message: "The table `\(known.table)` of `\(known.name)` is missing.",
                    remedy: "The next run of `\(known.mapping.pipeline)` makes it anew, and fills it from the source.")
            ]
        }
        let links = try registry.links(of: known.name)
        let names = Set(columns.map { $0.name.lowercased() })
        var found: [StoreFinding] = []
        for slot in known.slots where !slot.isRetired && !slot.isGivenUp && !links.contains(slot.field) {
            guard let column = columns.first(where: { ColumnName.areSame($0.name, slot.column) }) else {
                found.append(
                    StoreFinding(
                        .columns, table: known.table, count: 1,
                        message:
                            "The column `\(slot.column)` of `\(known.table)`, which `\(known.name)` fills, is missing.",
                        remedy: slot.keyPosition == nil
                            ? "The next run of `\(known.mapping.pipeline)` adds it, and fills it from the source."
                            : Self.restore))
                continue
            }
            if column.isGenerated || database.fits(column, slot.type, isKey: slot.keyPosition != nil) { continue }
            found.append(
                StoreFinding(
                    .columns, table: known.table, count: 1,
                    message:
                        "The column `\(slot.column)` of `\(known.table)` is \(column.declared), and `\(slot.field)` is kept as \(slot.type.rawValue), which needs \(database.columnType(slot.type)).",
                    remedy: "Give the column that type again."))
        }
        let base = try Set(database.columnNames(of: known.base))
        let wanted =
            known.keys.map { TableLayout.baseColumn(for: $0.column).lowercased() } + TableLayout.baseColumns
        let missing = wanted.filter { !base.contains($0) && !($0.hasPrefix("text_") && !base.isEmpty) }
        if !missing.isEmpty {
            found.append(
                StoreFinding(
                    .columns, table: known.base, count: missing.count,
                    message: base.isEmpty
                        ? "The base `\(known.base)` of `\(known.name)` is missing: what the source said last is not known."
                        : "The base `\(known.base)` of `\(known.name)` lacks \(missing.joined(separator: ", ")).",
                    remedy: Self.restore))
        }
        let lacking = known.keys.filter { !names.contains($0.column.lowercased()) }
        return lacking.isEmpty ? found : found.filter { $0.table == known.table }
    }

    /// Foreign keys that rows break, but for those of references, which are told by their names.
    private func foreignKeyFindings(besides references: [EntityRegistry.Reference]) throws -> [StoreFinding] {
        let known = Set(references.map { [$0.link?.table ?? $0.table, $0.target].map { $0.lowercased() } })
        return try database.brokenForeignKeys().filter {
            !known.contains([$0.table, $0.target].map { $0.lowercased() })
        }
        .map { broken in
            StoreFinding(
                .foreignKeys, table: broken.table, count: broken.count,
                message:
                    "\(Plural.of(broken.count, "row", "rows")) of `\(broken.table)` \(Plural.word(broken.count, "refers", "refer")) to rows of `\(broken.target)` that are not there.",
                remedy: "Put these rows back, or correct the rows that refer to them.")
        }
    }

    // MARK: Bases

    private func baseFindings(_ known: Known) throws -> [StoreFinding] {
        let keys = known.keys
        let base = try Set(database.columnNames(of: known.base))
        let table = try Set(database.columnNames(of: known.table))
        let columns = keys.map { TableLayout.baseColumn(for: $0.column) }
        guard columns.allSatisfy({ base.contains($0.lowercased()) }), base.contains("fields"), base.contains("state"),
            keys.allSatisfy({ table.contains($0.column.lowercased()) })
        else { return [] }
        return try unreadableBases(known, columns) + (try deletedRows(known, columns))
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
            let entries = row[0].bytes.flatMap { BaseCoding.decode($0, slotCount: known.slots.count) }
            if isState, let entries, entries.count <= known.slots.count { return true }
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

    /// Rows that people deleted, which is no fault.
    private func deletedRows(_ known: Known, _ columns: [String]) throws -> [StoreFinding] {
        let same = zip(columns, known.keys).map { "t.\(SQLText.quoted($1.column)) = b.\(SQLText.quoted($0))" }
        let forms = try database.forms(of: known.table)
        // A key in the form of another program does not equal the base's.
        if known.keys.contains(where: { forms[$0.column.lowercased()].map { !$0.isOwn } ?? false }) { return [] }
        let count = Int(
            clamping: try database.integer(
                """
                SELECT count(*) FROM \(database.table(known.base)) AS b WHERE b.state = \(BaseState.live.rawValue)
                AND NOT EXISTS (SELECT 1 FROM \(database.table(known.table)) AS t WHERE \(same.joined(separator: " AND ")))
                """) ?? 0)
        if count == 0 { return [] }
        return [
            StoreFinding(
                .bases, .note, table: known.table, count: count,
                message:
                    "\(Plural.of(count, "row", "rows")) of `\(known.table)` \(Plural.word(count, "was", "were")) deleted since the last run of `\(known.mapping.path)`.",
                remedy: "`sluice edits` lists them; the next run settles them.")
        ]
    }
}
