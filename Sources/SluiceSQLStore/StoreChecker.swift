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
    /// - Parameters:
    ///   - told: Is told what is looked at next.
    ///   - more: Finds more at the same moment.
    /// - Returns: All of it.
    /// - Throws: What the database throws.
    package func findings(
        telling told: (String) -> Void, adding more: () throws -> [StoreFinding]
    ) throws -> [StoreFinding] {
        try database.atOneMoment {
            told("the database")
            var found = try database.integrityFindings()
            // What stands on damaged pages cannot be judged.
            if found.contains(where: { $0.check == .integrity && $0.verdict == .wrong }) { return found }
            told("what is noted of tables")
            let ledgers = try ledgerFindings()
            if !ledgers.isEmpty { return found + ledgers }
            found += try ownIndexFindings()
            let (registered, mappings) = try registryFindings()
            found += registered + (try recordFindings(mappings))
            for check in [viewFindings, indexFindings] { found += try check(mappings) }
            for mapping in mappings { found += try columnFindings(mapping) }
            found += try linkColumnFindings()
            for mapping in mappings {
                told(mapping.table)
                found += try baseFindings(mapping)
            }
            told("references")
            let references = try registry.references()
            found += try foreignKeyFindings(besides: references)
            told("values")
            let values = try valueFindings()
            found += values
            // Whether a reference waits is read from keys of JSON.
            if !values.contains(where: { $0.check == .waiting }) {
                for reference in references {
                    told("references of \(reference.table)")
                    found += try findings(of: reference)
                }
            }
            if !values.contains(where: { $0.check == .waiting }) { found += try waitingFindings() }
            told("conflicts, quarantine and history")
            for check in [
                conflictFindings, quarantineFindings, historyFindings, runFindings, scanFindings,
            ] {
                found += try check()
            }
            found += try SharedPartitions(database).findings()
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

    // MARK: Tables

    /// What becomes of a column that is missing: another program may only have given it another name.
    private func adding(
        _ slot: EntityRegistry.Slot, of known: Known, besides columns: [SQLColumn]
    ) throws -> String {
        let filled = try registry.sources(of: known.table).flatMap { try registry.slots(of: EntityRegistry.name($0)) }
        let others = columns.filter { column in
            column.keyPosition == 0 && !column.isGenerated && database.fits(column, slot.type, isKey: false)
                && !filled.contains { ColumnName.areSame($0.column, column.name) }
        }
        let anew =
            "run `\(known.mapping.pipeline)` once with `--allow-schema drop`: that adds it, and fills it from the source."
        guard let other = others.first(where: \.isRequired) ?? others.first else {
            return "If it has another name now, give the field that as `column`. Else \(anew)"
        }
        return
            "If it is called `\(other.name)` now, give the field `column: \(other.name)`, or the field that it is now `renamed_from: \(slot.field)`. Else \(anew)"
    }

    private func columnFindings(_ known: Known) throws -> [StoreFinding] {
        if try database.object(known.table) == .view {
            return [
                StoreFinding(
                    .columns, table: known.table, count: 1,
                    message: "`\(known.table)` of `\(known.name)` is a view, and its records need a table.",
                    remedy:
                        "Drop the view and give the table its name again, or give the entity `table:` with the name that its table has now and `table_renamed_from: \(known.table)`."
                )
            ]
        }
        let columns = try database.columns(of: known.table)
        if columns.isEmpty {
            return [
                StoreFinding(
                    .columns, table: known.table, count: 1,
                    message: "The table `\(known.table)` of `\(known.name)` is missing.",
                    remedy:
                        "If it has another name now, give the entity `table:` with that one and `table_renamed_from: \(known.table)`, or give it its name again. Else run `\(known.mapping.pipeline)` once with `--allow-schema drop`: that makes it anew, and fills it from the source."
                )
            ]
        }
        let links = try registry.links(of: known.name)
        let names = Set(columns.map { $0.name.lowercased() })
        var found: [StoreFinding] = []
        for slot in known.slots where !slot.isRetired && !slot.isGivenUp && !links.contains(slot.field) {
            guard let column = columns.first(where: { ColumnName.areSame($0.name, slot.column) }) else {
                if slot.isOfSet {
                    found.append(
                        StoreFinding(
                            .columns, table: known.table, count: 1,
                            message:
                                "`\(slot.field)` of `\(known.name)` has neither a column of `\(known.table)` nor a table of links that is noted.",
                            remedy:
                                "The next run of `\(known.mapping.pipeline)` notes the table of links anew, or adds the column."
                        ))
                    continue
                }
                let remedy = try slot.keyPosition == nil ? adding(slot, of: known, besides: columns) : Self.restoring
                found.append(
                    StoreFinding(
                        .columns, table: known.table, count: 1,
                        message:
                            "The column `\(slot.column)` of `\(known.table)`, which `\(known.name)` fills, is missing.",
                        remedy: remedy))
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
        if try registry.deletesSoftly(known.name) && !names.contains(DeletionMark.time.lowercased()) {
            found.append(
                StoreFinding(
                    .columns, table: known.table, count: 1,
                    message:
                        "The column `\(DeletionMark.time)` of `\(known.table)`, by which `\(known.name)` marks rows as deleted, is missing.",
                    remedy:
                        "If it was renamed, give it that name again. Else run `\(known.mapping.pipeline)` once with `--allow-schema drop`: that adds it, and no row is marked."
                ))
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
                    remedy: Self.restoring))
        }
        let lacking = known.keys.filter { !names.contains($0.column.lowercased()) }
        return lacking.isEmpty ? found : found.filter { $0.table == known.table }
    }

    /// Foreign keys that rows break, but for those that stand for a reference or for the owners of links: these are told by
    /// their names.
    private func foreignKeyFindings(besides references: [EntityRegistry.Reference]) throws -> [StoreFinding] {
        try database.brokenForeignKeys().filter { broken in
            !references.contains { $0.holds(broken.key, of: broken.table) }
        }
        .map { broken in
            StoreFinding(
                .foreignKeys, table: broken.table, count: broken.count,
                message:
                    "\(Plural.of(broken.count, "row", "rows")) of `\(broken.table)` \(Plural.word(broken.count, "refers", "refer")) to rows of `\(broken.key.target)` that are not there.",
                remedy: "Put these rows back, or correct or delete the rows that refer to them.")
        }
    }
}
