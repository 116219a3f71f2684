internal import SluiceJSON
package import SluiceModel
package import SluiceStore

/// References that had waited and that a run linked: neither rows nor bases tell of them, since a reference that waits
/// counts as what it waits for.
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
    /// - Throws: What the database throws.
    func note(_ reference: EntityRegistry.Reference, linkedBy query: String) throws {
        guard recorder.isRecording, let schema = try keySchema(of: reference.mapping) else { return }
        let count = schema.keyFields.count
        let slots = try registry.slots(of: reference.mapping).filter { !$0.isRetired }
        var notes: [RecordNote] = []
        var owner: RecordKey?
        var targets: [RecordKey] = []
        func close() {
            guard let owner else { return }
            notes.append(note(of: owner, targets, reference, slots))
        }
        for row in try database.rows(query) {
            let key = RecordKey(Array(row.prefix(count)))
            if key != owner {
                close()
                (owner, targets) = (key, [])
            }
            targets.append(RecordKey(Array(row.dropFirst(count))))
        }
        close()
        try recorder.note(notes, schema)
    }

    private func note(
        of owner: RecordKey, _ targets: [RecordKey], _ reference: EntityRegistry.Reference,
        _ slots: [EntityRegistry.Slot]
    ) -> RecordNote {
        func column(_ name: String, _ value: FieldValue) -> RecordedChange.Column {
            RecordedChange.Column(
                name: name, isField: true, fieldClass: RecordedChange.linkClass, old: .null, new: value)
        }
        let columns =
            if reference.link != nil {
                [column(reference.name, FieldValue(Self.text(targets)))]
            } else {
                zip(reference.columns, targets.first?.values ?? []).map { name, value in
                    column(slots.first { ColumnName.areSame($0.column, name) }?.field ?? name, value)
                }
            }
        return RecordNote(
            key: owner, action: .update, kind: RecordedChange.linkKind, before: nil, after: nil, row: nil,
            columns: columns)
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
    private static func text(_ members: [RecordKey]) -> String {
        let elements = members.sorted().map { key in
            let parts = key.values.map { FieldJSON.text($0, type: .string) }
            return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ",") + "]"
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    /// The members of such a text.
    private static func members(_ text: FieldValue) -> [[FieldValue]] {
        guard let root = text.string.flatMap({ try? JSONDocument($0).root }) else { return [] }
        return root.elements.map { member in
            (member.kind == .array ? Array(member.elements) : [member]).map { part in
                switch part.kind {
                case .integer: .integer(part.integer)
                case .number: Double(part.numberText ?? "").map { .real($0) } ?? .null
                default: FieldValue(part.string)
                }
            }
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
    package func takeBack(_ link: RecordedChange, of key: RecordKey) throws -> LinkUndoing {
        let mapping = EntityRegistry.name(link.mapping)
        let slots = try registry.slots(of: mapping).filter { !$0.isRetired }
        let columns = link.columns.compactMap { column in slots.first { $0.field == column.name }?.column }
        let reference = try registry.allReferences().first { reference in
            reference.mapping == mapping
                && (reference.link == nil
                    ? zip(reference.columns, columns).allSatisfy(ColumnName.areSame)
                        && reference.columns.count == columns.count
                    : link.columns.map(\.name) == [reference.name])
        }
        guard let reference else { return .gone }
        if let table = reference.link {
            let members = try Self.members(link.columns.first?.new ?? .null).filter { member in
                try member.count == table.targetColumns.count && wait(reference, key.values, member)
            }
            if members.isEmpty { return .gone }
            let value = FieldValue(Self.text(members.map { RecordKey($0) }))
            return try noteBack(link, key, [(reference.name, value)], mapping)
        }
        let held = try database.rows(
            "SELECT \(SQLText.list(reference.columns)) FROM \(database.table(reference.table)) WHERE \(SQLText.match(reference.keyColumns))",
            key.values)
        guard let row = held.first, row.contains(where: { !$0.isNull }) else { return .gone }
        let linked = link.columns.map(\.new)
        guard try row == linked && wait(reference, key.values, linked) else { return .edited(row) }
        return try noteBack(link, key, Array(zip(link.columns.map(\.name), linked)), mapping)
    }

    private func noteBack(
        _ link: RecordedChange, _ key: RecordKey, _ values: [(name: String, value: FieldValue)], _ mapping: String
    ) throws -> LinkUndoing {
        let columns = values.map { name, value in
            RecordedChange.Column(name: name, isField: true, fieldClass: nil, old: value, new: .null)
        }
        if recorder.isRecording, let schema = try keySchema(of: mapping) {
            let note = RecordNote(
                key: key, action: .update, kind: RecordedChange.unlinkKind, before: nil, after: nil, row: nil,
                columns: columns)
            try recorder.note([note], schema)
        }
        return .back(columns)
    }

    /// Takes one reference away and remembers what it waits for.
    ///
    /// - Returns: Whether it was there and the table let it go.
    private func wait(
        _ reference: EntityRegistry.Reference, _ owner: [FieldValue], _ target: [FieldValue]
    ) throws -> Bool {
        let place = Dangling(reference, database)
        let isMeant = place.matches(from: 1)
        let values = owner + target
        let rule = reference.rule == .setNull ? reference.rule.rawValue : PendingReferences.withheld
        guard try database.hasRow("SELECT 1 FROM \(place.table) AS o WHERE \(isMeant)", values) else { return false }
        let refusal = try database.attempt {
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
