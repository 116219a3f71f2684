internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// The store's own tables, and what is noted in them of pipelines, tables and fields.
extension StoreChecker {
    static let restoring = "Go back to a backup, or copy what can be read to a new store."

    /// The tables of the store itself that are missing, or lack columns.
    func ledgerFindings() throws -> [StoreFinding] {
        // An older store that was only read has less, until a run brings it up to date.
        let isCurrent = try database.isCurrent()
        let needed = isCurrent ? ["runs"] + CopiedLedger.all.map(\.name) : ["runs", "state", "conflicts", "quarantine"]
        let missing = try needed.filter { try database.object("_sluice_" + $0) != .table }.map { name in
            StoreFinding(
                .registry, table: "_sluice_" + name, count: 1, message: "The table `_sluice_\(name)` is missing.",
                remedy: Self.restoring)
        }
        guard missing.isEmpty, isCurrent else { return missing }
        return try CopiedLedger.all.compactMap { ledger in
            let table = "_sluice_" + ledger.name
            let known = try Set(database.columnNames(of: table))
            let lacking = ledger.columns.filter { !known.contains($0) }
            if lacking.isEmpty { return nil }
            return StoreFinding(
                .registry, table: table, count: lacking.count,
                message: "The table `\(table)` lacks \(lacking.joined(separator: ", ")).", remedy: Self.restoring)
        }
    }

    /// The keys and unique indexes that the store's own tables lack.
    func ownIndexFindings() throws -> [StoreFinding] {
        guard try database.isCurrent() else { return [] }
        let bases = try registry.mappings().compactMap { mapping -> (table: String, key: [String])? in
            let name = EntityRegistry.name(mapping)
            guard let base = try registry.tables(of: name)?.base, try database.object(base) == .table else {
                return nil
            }
            return (base, try registry.keySlots(of: name).map { TableLayout.baseColumn(for: $0.column) })
        }
        let keyed = CopiedLedger.keys.map { (table: "_sluice_" + $0.name, key: $0.key) } + bases
        var found: [StoreFinding] = []
        for (table, key) in keyed where try !database.columns(of: table).contains(where: { $0.keyPosition > 0 }) {
            found.append(
                StoreFinding(
                    .indexes, table: table, count: 1, message: "The table `\(table)` has no primary key.",
                    remedy: Self.remade("ALTER TABLE \(database.table(table)) ADD PRIMARY KEY (\(SQLText.list(key)))")))
        }
        for (ledger, sql) in database.ownUniqueIndexes {
            let table = "_sluice_" + ledger
            if try database.indexes(of: table).contains(where: { $0.isUnique && !$0.isPrimary }) { continue }
            found.append(
                StoreFinding(
                    .indexes, table: table, count: 1,
                    message: "The unique index of the open rows of `\(table)` is missing, so that rows may be double.",
                    remedy: Self.remade(sql)))
        }
        return found
    }

    private static func remade(_ sql: String) -> String { "Make it again: `\(sql)`." }

    func registryFindings() throws -> ([StoreFinding], [Known]) {
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
                        remedy: Self.restoring))
            }
            if !slots.contains(where: { $0.keyPosition != nil }) {
                found.append(
                    StoreFinding(
                        .registry, table: tables.table, count: 1,
                        message: "No slot of `\(entry.name)` identifies its records.", remedy: Self.restoring))
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

    func unreadable(_ kind: String, _ entry: (name: String, value: String)) -> StoreFinding {
        StoreFinding(
            .registry, table: "_sluice_schema", count: 1,
            message: "The \(kind) `\(entry.name)` of `_sluice_schema` cannot be read.",
            remedy: "It was edited by hand, or written by a newer version. \(Self.restoring)")
    }

    /// Records of mappings that are not there, notes of no kind, and what is noted of tables' views.
    func recordFindings(_ known: [Known]) throws -> [StoreFinding] {
        let mappings = Set(try registry.entries("mapping").map(\.name))
        func owner(_ kind: String, _ name: String) -> String? {
            switch kind {
            case "deletes", EntityRegistry.emptiedKind: name
            case "unique": name.hasPrefix("table/") ? nil : name
            // No name of a pipeline, stream or field holds a slash; that of an entity may.
            case "slot", "reference", EntityRegistry.leftKind, EntityRegistry.movedKind:
                name.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            default: nil
            }
        }
        var found: [StoreFinding] = []
        let rows = try database.rows("SELECT kind, name, value FROM \(database.ledger("schema")) ORDER BY kind, name")
        for row in rows {
            let (kind, name, value) = (row[0].string ?? "", row[1].string ?? "", row[2].string ?? "")
            if !EntityRegistry.kinds.contains(kind) {
                found.append(
                    StoreFinding(
                        .registry, .note, table: "_sluice_schema", count: 1,
                        message: "`_sluice_schema` has a note of the kind `\(kind)`, which this version does not know.",
                        examples: [name], remedy: "Nothing uses it; a newer version may have written it."))
            } else if let owner = owner(kind, name),
                !mappings.contains(where: { owner == $0 || owner.hasPrefix($0 + "/") })
            {
                found.append(
                    StoreFinding(
                        .registry, table: "_sluice_schema", count: 1,
                        message: "The \(kind) `\(name)` of `_sluice_schema` is of a mapping that is not noted.",
                        remedy: "Put the row of the kind `mapping` back from a backup, or delete this one."))
            } else if kind == "view", !ConflictView.states.contains(value) {
                found.append(unreadable("view", (name, value)))
            }
        }
        return found
    }
}
