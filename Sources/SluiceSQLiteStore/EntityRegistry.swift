internal import SluiceModel
internal import SluiceSQLite

/// What the store knows of each mapping, so that conflicts can be settled without the pipeline's file.
///
///     kind     name                          value
///     mapping  shop/books/Book               _sluice_base_shop_books_Book ⇥ books
///     deletes  shop/books/Book               soft
///     slot     shop/books/Book/title         1 ⇥ title ⇥ string ⇥
///     slot     shop/books/Book/id            0 ⇥ id ⇥ int ⇥ 0           (the first field of the primary key)
///     slot     shop/books/Book/tags          2 ⇥ tags ⇥ json ⇥ ⇥ compare=set keep_base=full
struct EntityRegistry {
    /// A field's place in the base, and what it is.
    struct Slot: Equatable {
        var number: Int
        var field: String
        var column: String
        var type: FieldType
        /// The field's position in the primary key.
        var keyPosition: Int?
        var comparison = FieldComparison.exact
        var baseKeeping = BaseKeeping.short
        /// Whether values are in the base of which `keep_base: digest` kept no more than a digest.
        var hadDigests = false
        var redaction: FieldRedaction?
        /// Whether the pipeline no longer has the field, and that was said to be meant.
        var isGivenUp = false
    }

    let connection: Connection

    /// The key of a mapping. No name holds a slash but an entity's, which comes last.
    static func name(_ pipeline: String, _ stream: String, _ entity: String) -> String {
        "\(pipeline)/\(stream)/\(entity)"
    }

    /// The key of a source's mapping.
    static func name(_ source: RecordMapping) -> String { name(source.pipeline, source.stream, source.entity) }

    /// The base table and the entity's table of a mapping.
    func tables(of mapping: String) throws(SQLiteError) -> (base: String, table: String)? {
        let rows = try connection.rows(
            "SELECT value FROM _sluice_schema WHERE kind = 'mapping' AND name = ?1", [SQLiteValue(mapping)])
        guard let parts = rows.first.map({ Self.parts($0[0]) }), parts.count == 2 else { return nil }
        return (parts[0], parts[1])
    }

    /// Whether a table belongs to any mapping.
    func knows(table: String) throws(SQLiteError) -> Bool {
        try connection.integer(
            """
            SELECT count(*) FROM _sluice_schema
            WHERE kind = 'mapping' AND substr(value, instr(value, char(9)) + 1) = ?1 COLLATE NOCASE
            """, [SQLiteValue(table)]) != 0
    }

    /// All mappings, by name.
    func mappings() throws(SQLiteError) -> [RecordMapping] {
        try connection.rows("SELECT name FROM _sluice_schema WHERE kind = 'mapping' ORDER BY name")
            .compactMap { Self.mapping(Self.text($0[0])) }
    }

    /// The sources that fill or filled a table, by name.
    func sources(of table: String) throws(SQLiteError) -> [RecordMapping] {
        try mappings(of: table).compactMap(Self.mapping)
    }

    static func mapping(_ name: String) -> RecordMapping? {
        let parts = name.split(separator: "/", maxSplits: 2).map(String.init)
        return parts.count == 3 ? RecordMapping(pipeline: parts[0], stream: parts[1], entity: parts[2]) : nil
    }

    /// The mappings that fill a table.
    func mappings(of table: String) throws(SQLiteError) -> [String] {
        try connection.rows(
            """
            SELECT name FROM _sluice_schema
            WHERE kind = 'mapping' AND substr(value, instr(value, char(9)) + 1) = ?1 COLLATE NOCASE ORDER BY name
            """, [SQLiteValue(table)]
        ).map { Self.text($0[0]) }
    }

    /// The slots of a mapping, by number.
    func slots(of mapping: String) throws(SQLiteError) -> [Slot] {
        let rows = try connection.rows(
            """
            SELECT substr(name, length(?1) + 2), value FROM _sluice_schema
            WHERE kind = 'slot' AND substr(name, 1, length(?1) + 1) = ?1 || '/' ORDER BY CAST(value AS INTEGER)
            """, [SQLiteValue(mapping)])
        return rows.compactMap { row in
            let parts = Self.parts(row[1])
            guard parts.count >= 4, let number = Int(parts[0]), let type = FieldType(rawValue: parts[2]) else {
                return nil
            }
            var slot = Slot(
                number: number, field: Self.text(row[0]), column: parts[1], type: type, keyPosition: Int(parts[3]))
            if parts.count > 4 { slot.read(rules: parts[4]) }
            return slot
        }
    }

    /// The names of a table's columns in lower case; none where there is no such table.
    func columns(of table: String) throws(SQLiteError) -> [String] {
        try connection.rows("SELECT name FROM pragma_table_info(?1)", [SQLiteValue(table)])
            .map { Self.text($0[0]).lowercased() }
    }

    /// Writes the tables of a mapping.
    func note(base: String, table: String, of mapping: String) throws(SQLiteError) {
        try connection.run(
            "INSERT OR REPLACE INTO _sluice_schema (kind, name, value) VALUES ('mapping', ?1, ?2)",
            [SQLiteValue(mapping), SQLiteValue("\(base)\t\(table)")])
    }

    /// Whether a mapping marks rows as deleted instead of deleting them.
    func deletesSoftly(_ mapping: String) throws(SQLiteError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM _sluice_schema WHERE kind = 'deletes' AND name = ?1 AND value = 'soft'",
            [SQLiteValue(mapping)]) != 0
    }

    /// Writes how a mapping deletes, where that is not known.
    func note(deletesSoftly: Bool, of mapping: String) throws(SQLiteError) {
        if try self.deletesSoftly(mapping) == deletesSoftly { return }
        try connection.run(
            "INSERT OR REPLACE INTO _sluice_schema (kind, name, value) VALUES ('deletes', ?1, ?2)",
            [SQLiteValue(mapping), SQLiteValue(deletesSoftly ? "soft" : "hard")])
    }

    /// Writes a slot where it is not known as it is.
    func note(_ slot: Slot, of mapping: String) throws(SQLiteError) {
        let position = slot.keyPosition.map { String($0) } ?? ""
        let rules = slot.rules.isEmpty ? "" : "\t" + slot.rules
        try connection.run(
            """
            INSERT INTO _sluice_schema (kind, name, value) VALUES ('slot', ?1, ?2)
            ON CONFLICT (kind, name) DO UPDATE SET value = ?2 WHERE value <> ?2
            """,
            [
                SQLiteValue("\(mapping)/\(slot.field)"),
                SQLiteValue("\(slot.number)\t\(slot.column)\t\(slot.type.rawValue)\t\(position)\(rules)"),
            ])
    }

    /// Keeps a slot's place but not its field, which gets another slot.
    func retire(_ slot: Slot, of mapping: String) throws(SQLiteError) {
        try connection.run(
            "UPDATE _sluice_schema SET name = ?2 WHERE kind = 'slot' AND name = ?1",
            [
                SQLiteValue("\(mapping)/\(slot.field)"), SQLiteValue("\(mapping)/\(slot.field)#\(slot.number)"),
            ])
    }

    static func text(_ value: SQLiteValue) -> String {
        if case .text(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
        return ""
    }

    static func parts(_ value: SQLiteValue) -> [String] {
        text(value).split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}

extension EntityRegistry.Slot {
    /// A slot for a field, in the field's order.
    package init(number: Int, schema: RecordSchema, index: Int) {
        let field = schema.fields[index]
        self.init(
            number: number, field: field.name, column: field.column, type: field.type,
            keyPosition: schema.keyFields.firstIndex(of: index), comparison: field.comparison,
            baseKeeping: field.baseKeeping, hadDigests: field.hadDigests, redaction: field.redaction)
    }

    /// The field as the store alone knows it.
    var schemaField: RecordSchema.Field {
        var known = RecordSchema.Field(name: field, column: column, type: type)
        known.comparison = comparison
        known.baseKeeping = baseKeeping
        known.hadDigests = hadDigests
        known.redaction = redaction
        return known
    }

    /// Whether it only keeps its place: the field has another slot, or will get one.
    var isRetired: Bool { field.hasSuffix("#\(number)") }

    /// What differs from the rule, as in `compare=set keep_base=full`.
    fileprivate var rules: String {
        var words: [String] = []
        if comparison != .exact { words.append("compare=\(comparison.rawValue)") }
        if baseKeeping != .short { words.append("keep_base=\(baseKeeping.rawValue)") }
        if hadDigests { words.append("had_digests") }
        if let redaction { words.append("redact=\(redaction.rawValue)") }
        if isGivenUp { words.append("given_up") }
        return words.joined(separator: " ")
    }

    fileprivate mutating func read(rules: String) {
        for word in rules.split(separator: " ") {
            let parts = word.split(separator: "=").map(String.init)
            switch parts.first {
            case "compare": comparison = parts.last.flatMap(FieldComparison.init(rawValue:)) ?? .exact
            case "keep_base": baseKeeping = parts.last.flatMap(BaseKeeping.init(rawValue:)) ?? .short
            case "had_digests": hadDigests = true
            case "given_up": isGivenUp = true
            case "redact": redaction = parts.last.flatMap(FieldRedaction.init(rawValue:))
            default: break
            }
        }
    }
}
