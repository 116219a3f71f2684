internal import SluiceModel
package import SluiceStore

/// Gives up what a store keeps for names that a pipeline no longer has, and writes that down.
extension OrphanFinder {
    package func giveUp(_ orphan: Orphan) throws -> [SchemaChange] {
        try record(orphan)
        let before = try openConflicts(of: orphan.source)
        let changes = try carryOut(orphan, EntityRegistry.name(orphan.source))
        let after = try openConflicts(of: orphan.source)
        let closed = before.mapValues(\.count).merging(after.mapValues { -$0.count }, uniquingKeysWith: +).filter {
            $1 > 0
        }
        if closed.isEmpty { return changes }
        var told = SchemaChange(
            table: orphan.table, kind: .closeConflicts, sql: "\(orphan.source.path) \(orphan.source.entity)")
        (told.statements, told.rows) = ([], closed.values.reduce(0, +))
        if closed.count == 1 { told.name = closed.keys.first ?? nil }
        return changes + [told]
    }

    /// The open conflicts over records of a source by what they are about, nil for whole records.
    private func openConflicts(of source: RecordMapping) throws -> [String?: [FieldValue]] {
        let rows = try database.rows(
            """
            SELECT field FROM \(database.ledger("conflicts"))
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'
            """, [source.pipeline, source.stream, source.entity].map { FieldValue($0) })
        return Dictionary(grouping: rows.map { $0[0] }, by: \.string)
    }

    private func carryOut(_ orphan: Orphan, _ mapping: String) throws -> [SchemaChange] {
        switch orphan.subject {
        // The base starts anew with the new table; it is kept by the identifier.
        case .table(let hasOtherKey, let isFilled, _):
            if hasOtherKey { try forget(orphan.source, mapping) }
            return isFilled ? [] : [try change(orphan.table, .leaveTable, "")]
        case .field(let name, let column, let hasMoved, _):
            try giveUp(field: name, of: orphan, mapping, isLost: orphan.isEdited || hasMoved)
            return [try change(orphan.table, .leaveColumn, column, filling: column)]
        case .links(let name, let table), .movedLinks(let name, let table, _, _):
            try giveUp(field: name, of: orphan, mapping, isLost: orphan.isEdited)
            return [try change(table, .leaveTable, name)]
        // The run makes it anew.
        case .missing, .missingLinks, .missingMark, .returned, .unsaid, .unsaidLinks: return []
        case .passed(let name, _):
            try giveUp(field: name, of: orphan, mapping, isLost: false)
            return []
        case .renamedElsewhere(let name, _, _):
            try registry.remove(EntityRegistry.movedKind, "\(mapping)/\(name)")
            return []
        case .missingTable(_, let isEmptied):
            if isEmptied { try registry.record(emptied: orphan.table, of: mapping) }
            return []
        case .source:
            try forget(orphan.source, mapping)
            let name = "\(orphan.source.path) \(orphan.source.entity)"
            return [try change(orphan.table, .forgetSource, name)]
        }
    }

    /// A change that leaves the rows of a table as they are, and tells how many there are, or have a value in a column.
    private func change(
        _ table: String, _ kind: SchemaChange.Kind, _ words: String, filling column: String? = nil
    ) throws -> SchemaChange {
        var change = SchemaChange(table: table, kind: kind, sql: words)
        change.statements = []
        let columns = try database.columns(of: table)
        if columns.isEmpty { return change }
        guard let column else {
            change.rows = try database.count(of: table)
            return change
        }
        // Somebody may have dropped it.
        guard let stored = columns.first(where: { ColumnName.areSame($0.name, column) })?.name else { return change }
        change.rows = try database.integer(
            "SELECT count(\(SQLText.quoted(stored))) FROM \(database.table(table))"
        ).map { Int(clamping: $0) }
        return change
    }

    /// Writes down what is given up. Where what a source said is kept no longer, that cannot be taken back.
    private func record(_ orphan: Orphan) throws {
        guard let recorder, recorder.isRecording else { return }
        var field: String?
        var place: String?
        var isLost = true
        var kind = SchemaChange.Kind.forgetSource
        switch orphan.subject {
        case .missing, .missingLinks, .missingMark, .missingTable, .renamedElsewhere, .passed, .returned, .unsaid,
            .unsaidLinks:
            return
        case .source: break
        case .table(let hasOtherKey, let isFilled, _):
            isLost = orphan.isEdited || hasOtherKey
            if !isLost && isFilled { return }
            if !isFilled { kind = .leaveTable }
        case .field(let name, let column, let hasMoved, _):
            (field, place, kind) = (name, column, .leaveColumn)
            isLost = orphan.isEdited || hasMoved
        case .links(let name, let table), .movedLinks(let name, let table, _, _):
            (field, place, kind) = (name, table, .leaveTable)
            isLost = orphan.isEdited
        }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: orphan.source, key: place, field: field,
                kind: (isLost ? .forgetSource : kind).rawValue, action: "changed", old: orphan.table,
                new: kind.rawValue))
    }

    /// Gives up a field; where what the source said is of no use to a field of that name, its slot as well.
    private func giveUp(field name: String, of orphan: Orphan, _ mapping: String, isLost: Bool) throws {
        guard var slot = try registry.slots(of: mapping).first(where: { $0.field == name }) else { return }
        if isLost {
            try registry.retire(slot, of: mapping)
            if slot.isLink { try registry.forgetWaitingLinks(name, of: orphan.table) }
            try retire(leftIn: slot.column, of: orphan.table)
        } else {
            slot.givenUpIn = recorder?.run ?? 0
            try registry.record(slot, of: mapping)
        }
        try close(orphan.source, field: name)
    }

    /// Forgets what sources said that left a column before, once it is people's alone: nobody can tell any more what is an edit there.
    private func retire(leftIn column: String, of table: String) throws {
        let slots = try registry.sources(of: table).map { EntityRegistry.name($0) }.flatMap { mapping in
            try registry.slots(of: mapping).filter { !$0.isRetired && ColumnName.areSame($0.column, column) }
                .map { (mapping, $0) }
        }
        if slots.contains(where: { !$1.isGivenUp }) { return }
        for (mapping, slot) in slots { try registry.retire(slot, of: mapping) }
    }

    /// What ended conflicts over what no pipeline fills any more.
    private static let end = FieldValue(ConflictEnd.unmanaged.rawValue)

    private func close(_ source: RecordMapping, field: String?) throws {
        let names = [source.pipeline, source.stream, source.entity].map { FieldValue($0) }
        let isMeant = "pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'"
        guard let field else {
            try database.run(
                "UPDATE \(database.ledger("conflicts")) SET status = 'obsolete', resolution = ?4 WHERE \(isMeant)",
                names + [Self.end])
            try database.run("UPDATE \(database.ledger("quarantine")) SET status = 'closed' WHERE \(isMeant)", names)
            return
        }
        guard let recorder else {
            try database.run(
                "UPDATE \(database.ledger("conflicts")) SET status = 'obsolete', resolution = ?4 WHERE \(isMeant) AND field = ?5",
                names + [Self.end, FieldValue(field)])
            return
        }
        // Whoever takes the run back has them open again.
        let conflicts = SQLConflictLedger(database, recorder: recorder)
        for var entry in try conflicts.open(of: source) where entry.field == field {
            (entry.status, entry.end) = (.obsolete, .unmanaged)
            entry.lastRun = recorder.run ?? entry.lastRun
            try conflicts.update(entry)
        }
    }

    /// Forgets what a source said, with its conflicts and its cursor.
    func forget(_ source: RecordMapping, _ mapping: String) throws {
        try close(source, field: nil)
        if let base = try registry.tables(of: mapping)?.base {
            try database.execute("DROP TABLE \(database.table(base))")
        }
        try registry.forget(mapping)
        if try registry.mappings().contains(where: { $0.path == source.path }) { return }
        for table in ["state", "scans", "scan_pages"] {
            try database.run(
                "DELETE FROM \(database.ledger(table)) WHERE pipeline = ?1 AND stream = ?2",
                [FieldValue(source.pipeline), FieldValue(source.stream)])
        }
    }
}
