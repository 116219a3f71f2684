internal import SluiceJSON
package import SluiceModel
package import SluiceStore

/// References that had waited and that a run linked, and those that it took away: neither rows nor bases tell of them,
/// since a reference that waits, or is null for good, counts as what it had led to.
package struct LinkHistory {
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    private var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Looks into a store.
    package init(database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
    }

    // MARK: Writing down

    /// Writes down what is linked.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - query: Gives the keys of owners and of what each is linked with, sorted by the owners.
    ///   - values: The values of the query.
    /// - Throws: What the database throws.
    func record(_ reference: EntityRegistry.Reference, linkedBy query: String, _ values: [FieldValue]) throws {
        try record(reference, query, values, kind: RecordedChange.linkKind, RecordedChange.linkClass)
    }

    /// Writes down what is taken away since its target is not there or goes, but for the rows that the run itself inserted: these
    /// never led anywhere.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - source: The rows, which still refer.
    ///   - limit: Limits them.
    ///   - isForGood: Whether they stay null when their targets come.
    /// - Throws: What the database throws.
    func record(
        _ reference: EntityRegistry.Reference, unlinkedBy source: Dangling, where limit: String, isForGood: Bool
    ) throws {
        guard let run = recorder.run else { return }
        let others = try source.without(
            ownersInsertedBy: run, Dangling.Base.all(of: reference.table, key: reference.keyColumns, database))
        let values = (source.ownerValues + source.targetValues).joined(separator: ", ")
        try record(
            reference,
            "SELECT \(values) FROM \(source.rows)\(limit)\(others) ORDER BY \(source.ownerKey), \(source.targetKey)",
            source.values, kind: RecordedChange.unlinkKind,
            isForGood ? RecordedChange.emptiedClass : RecordedChange.waitingClass)
    }

    /// Writes down what became of references, one note for each owner.
    private func record(
        _ reference: EntityRegistry.Reference, _ query: String, _ values: [FieldValue], kind: String,
        _ fieldClass: String
    ) throws {
        guard recorder.isRecording, let schema = try keySchema(of: reference.mapping) else { return }
        let count = schema.keyFields.count
        let slots = try registry.slots(of: reference.mapping).filter { !$0.isRetired }
        var notes: [RecordNote] = []
        var owner: RecordKey?
        var targets: [RecordKey] = []
        func close() {
            guard let owner else { return }
            let columns = columns(of: targets, reference, slots, kind, fieldClass)
            notes.append(
                RecordNote(
                    key: owner, action: .update, kind: kind, before: nil, after: nil, row: nil, columns: columns))
        }
        for row in try database.rows(query, values) {
            let key = RecordKey(Array(row.prefix(count)))
            if key != owner {
                close()
                (owner, targets) = (key, [])
            }
            targets.append(RecordKey(Array(row.dropFirst(count))))
        }
        close()
        try recorder.record(notes, schema)
    }

    private func columns(
        of targets: [RecordKey], _ reference: EntityRegistry.Reference, _ slots: [EntityRegistry.Slot], _ kind: String,
        _ fieldClass: String
    ) -> [RecordedChange.Column] {
        func column(_ name: String, _ value: FieldValue) -> RecordedChange.Column {
            let isLink = kind == RecordedChange.linkKind
            return RecordedChange.Column(
                name: name, isField: true, fieldClass: fieldClass, old: isLink ? .null : value,
                new: isLink ? value : .null)
        }
        if reference.link != nil { return [column(reference.name, FieldValue(Self.text(targets)))] }
        return zip(reference.columns, targets.first?.values ?? []).map { name, value in
            column(slots.first { ColumnName.areSame($0.column, name) }?.field ?? name, value)
        }
    }

    /// What a mapping's records are called by.
    private func keySchema(of mapping: String) throws -> RecordSchema? {
        guard let source = EntityRegistry.mapping(mapping), let table = try registry.tables(of: mapping)?.table else {
            return nil
        }
        let slots = try registry.keySlots(of: mapping)
        return RecordSchema(
            pipeline: source.pipeline, stream: source.stream, entity: source.entity, table: table,
            fields: slots.map(\.schemaField), keyFields: Array(slots.indices))
    }

    /// Members of a set as it is stored.
    static func text(_ members: [RecordKey]) -> String {
        let elements = members.sorted().map { key in
            let parts = key.values.map { FieldJSON.text($0, type: .string) }
            return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ",") + "]"
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    /// The members of such a text.
    static func members(_ text: FieldValue) -> [[FieldValue]] {
        guard let root = text.string.flatMap({ try? JSONDocument($0).root }) else { return [] }
        return root.elements.map { member in
            (member.kind == .array ? Array(member.elements) : [member]).map(value)
        }
    }

    /// A key as what waits has it.
    static func key(_ text: FieldValue) -> [FieldValue] {
        text.string.flatMap { try? JSONDocument($0).root }?.elements.map(value) ?? []
    }

    private static func value(_ part: JSONValue) -> FieldValue {
        switch part.kind {
        case .integer: .integer(part.integer)
        case .number: Double(part.numberText ?? "").map { .real($0) } ?? .null
        default: FieldValue(part.string)
        }
    }

    /// The keys of references that are null, by the name of each.
    package static func targets(_ waiting: [(reference: String, target: FieldValue)]) -> [String: [RecordKey]] {
        Dictionary(grouping: waiting, by: \.reference).mapValues { $0.map { RecordKey(key($0.target)) } }
    }

    /// The references of a row that are null for good, as the history keeps them.
    ///
    /// - Parameters:
    ///   - waiting: The references that are null, by name, with the target's key of each as `_sluice_pending` has it.
    ///   - schema: The row's fields and references.
    /// - Returns: See ``RecordedChange/emptied``.
    package static func emptied(
        _ waiting: [(reference: String, target: FieldValue)], of schema: RecordSchema
    ) -> [RecordedChange.Column] {
        func column(_ name: String, _ value: FieldValue) -> RecordedChange.Column {
            RecordedChange.Column(
                name: name, isField: true, fieldClass: RecordedChange.emptiedClass, old: value, new: .null)
        }
        return schema.references.flatMap { reference -> [RecordedChange.Column] in
            let keys = waiting.filter { $0.reference == reference.name }.map { key($0.target) }
            guard let first = keys.first else { return [] }
            if reference.link != nil { return [column(reference.name, FieldValue(text(keys.map { RecordKey($0) })))] }
            return zip(reference.fields, first).map { column(schema.fields[$0].name, $1) }
        }
    }

    // MARK: Taking back

    /// Has references of a row wait once more, as they did before a run linked them. They stay so until the next
    /// transaction.
    ///
    /// - Parameters:
    ///   - link: What a run linked, see ``RecordedChange/isLink``.
    ///   - key: The row's key.
    /// - Returns: What became of it.
    /// - Throws: What the database throws.
    package func revert(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing {
        let mapping = EntityRegistry.name(link.mapping)
        guard let (reference, _) = try references(of: link.columns, mapping).first else { return .gone }
        if let table = reference.link {
            let members = try Self.members(link.columns.first?.new ?? .null).filter { member in
                try member.count == table.targetColumns.count && wait(reference, key.values, member)
            }
            if members.isEmpty { return .gone }
            return try recordBack(
                key, [(reference.name, FieldValue(Self.text(members.map { RecordKey($0) })))], reference)
        }
        let held = try database.rows(
            "SELECT \(SQLText.list(reference.columns)) FROM \(database.table(reference.table)) WHERE \(SQLText.match(reference.keyColumns))",
            key.values)
        guard let row = held.first, row.contains(where: { !$0.isNull }) else { return .gone }
        let linked = link.columns.map(\.new)
        guard try row == linked && wait(reference, key.values, linked) else { return .edited(row) }
        return try recordBack(key, Array(zip(link.columns.map(\.name), linked)), reference)
    }

    /// Has references of a row that a run took away lead to their records again: they are linked as references are settled.
    ///
    /// - Parameters:
    ///   - unlink: What the run took away, see ``RecordedChange/isUnlink``.
    ///   - key: The row's key.
    /// - Throws: What the database throws.
    package func linkAgain(_ unlink: RecordedChange, of key: RecordKey) throws {
        let pending = database.ledger("pending")
        for (reference, columns) in try references(of: unlink.columns, EntityRegistry.name(unlink.mapping)) {
            let meant = Set(try targets(columns, reference).map(Self.words))
            let waiting = try database.rows(
                """
                SELECT p.key, p.target_key FROM \(pending) AS p WHERE \(reference.waits) AND p.rule = 'set_null' AND p.key = (
                SELECT \(database.jsonArray(reference.keyColumns.map { "o." + SQLText.quoted($0) }))
                FROM \(database.table(reference.table)) AS o WHERE \(SQLText.match(reference.keyColumns)))
                """, key.values)
            for row in waiting where meant.contains(Self.words(Self.key(row[1]))) {
                try database.run(
                    """
                    UPDATE \(pending) AS p SET rule = \(SQLText.literal(PendingReferences.returning))
                    WHERE \(reference.waits) AND p.key = ?1 AND p.target_key = ?2
                    """, row)
            }
        }
    }

    /// Has references of a row be null for good once more.
    ///
    /// - Parameters:
    ///   - columns: See ``RecordedChange/emptied``. The row leads to what was `old`.
    ///   - key: The row's key.
    ///   - mapping: What fills its table.
    /// - Returns: Those that it no longer leads to.
    /// - Throws: What the database throws.
    package func empty(
        _ columns: [RecordedChange.Column], of key: RecordKey, _ mapping: RecordMapping
    ) throws -> [RecordedChange.Column] {
        let mapping = EntityRegistry.name(mapping)
        var emptied: [(name: String, value: FieldValue)] = []
        for (reference, columns) in try references(of: columns, mapping) {
            let gone = try targets(columns, reference).filter { target in
                try wait(reference, key.values, target, isForGood: true)
            }
            if gone.isEmpty { continue }
            emptied +=
                reference.link == nil
                ? columns.map { ($0.name, $0.old) }
                : [(reference.name, FieldValue(Self.text(gone.map { RecordKey($0) })))]
        }
        return try recordUnlink(emptied, RecordedChange.emptiedClass, key, mapping)
    }

    /// The references that columns of a change are about, each with its own.
    private func references(
        of columns: [RecordedChange.Column], _ mapping: String
    ) throws -> [(EntityRegistry.Reference, [RecordedChange.Column])] {
        let slots = try registry.slots(of: mapping).filter { !$0.isRetired }
        return try registry.allReferences().filter { $0.mapping == mapping }.compactMap { reference in
            let names =
                reference.link != nil
                ? [reference.name]
                : reference.columns.compactMap { name in slots.first { ColumnName.areSame($0.column, name) }?.field }
            let own = names.compactMap { name in columns.first { $0.name == name } }
            let count = reference.link == nil ? reference.columns.count : 1
            return own.isEmpty || own.count != count ? nil : (reference, own)
        }
    }

    /// The keys that columns of one reference lead to: what they held where that was not null, else what they hold.
    private func targets(
        _ columns: [RecordedChange.Column], _ reference: EntityRegistry.Reference
    ) throws -> [[FieldValue]] {
        let values = columns.map { $0.old.isNull ? $0.new : $0.old }
        guard let link = reference.link else { return [values] }
        return Self.members(values.first ?? .null).filter { $0.count == link.targetColumns.count }
    }

    /// A key in the one form in which notes and what waits have it.
    static func words(_ key: [FieldValue]) -> [String] {
        key.map { $0.string ?? FieldJSON.text($0, type: .string) }
    }

    private func recordBack(
        _ key: RecordKey, _ values: [(name: String, value: FieldValue)], _ reference: EntityRegistry.Reference
    ) throws -> LinkUndoing {
        let fieldClass =
            reference.rule == .setNull ? RecordedChange.emptiedClass : RecordedChange.waitingClass
        return .back(try recordUnlink(values, fieldClass, key, reference.mapping))
    }

    /// Writes down that references of a row were taken away.
    private func recordUnlink(
        _ values: [(name: String, value: FieldValue)], _ fieldClass: String, _ key: RecordKey, _ mapping: String
    ) throws -> [RecordedChange.Column] {
        let columns = values.map { name, value in
            RecordedChange.Column(name: name, isField: true, fieldClass: fieldClass, old: value, new: .null)
        }
        if !columns.isEmpty, recorder.isRecording, let schema = try keySchema(of: mapping) {
            let note = RecordNote(
                key: key, action: .update, kind: RecordedChange.unlinkKind, before: nil, after: nil, row: nil,
                columns: columns)
            try recorder.record([note], schema)
        }
        return columns
    }

    /// Takes one reference away and remembers what it waits for.
    ///
    /// - Returns: Whether it was there and the table let it go.
    private func wait(
        _ reference: EntityRegistry.Reference, _ owner: [FieldValue], _ target: [FieldValue], isForGood: Bool? = nil
    ) throws -> Bool {
        let isForGood = isForGood ?? (reference.rule == .setNull)
        let rule = isForGood ? RecordReference.DanglingRule.setNull.rawValue : PendingReferences.withheld
        let place = Dangling(reference, database)
        let isMeant = place.matches(from: 1)
        let values = owner + target
        guard try database.hasRow("SELECT 1 FROM \(place.table) AS o WHERE \(isMeant)", values) else { return false }
        let refusal = try database.attempt {
            if let forgetting = place.forgetting("\(place.table) AS o WHERE \(isMeant)") {
                try database.run(forgetting, values)
            }
            try database.run(
                """
                INSERT INTO \(database.ledger("pending")) ("table", key, field, target_key, rule)
                SELECT \(SQLText.literal(reference.table)), \(place.ownerKey), \(SQLText.literal(reference.name)),
                \(place.targetKey), \(SQLText.literal(rule)) FROM \(place.table) AS o WHERE \(isMeant)
                ON CONFLICT ("table", key, field, target_key) DO UPDATE SET rule = excluded.rule
                """, values)
            try database.run(place.removal(where: isMeant), values)
        }
        return refusal == nil
    }
}

extension EntityRegistry.Reference {
    /// What waits by it among what waits, `p`.
    var waits: String {
        "p.\"table\" = \(SQLText.literal(table)) AND p.field = \(SQLText.literal(name))"
    }
}
