package import SluiceModel

/// What the store knows of each mapping, so that conflicts can be settled without the pipeline's file.
///
///     kind     name                          value
///     mapping  shop/books/Book               _sluice_base_shop_books_Book ⇥ books
///     deletes  shop/books/Book               soft
///     moved    crm/books/Book/title          headline   (another pipeline had its column `headline` renamed)
///     emptied  shop/books/Book               books   (the table has no row, and that was said to be meant)
///     left     shop/books/Book/tags          defer ⇥ …  (the links of a field that the pipeline no longer has, as a reference)
///     slot     shop/books/Book/title         1 ⇥ title ⇥ string ⇥
///     slot     shop/books/Book/id            0 ⇥ id ⇥ int ⇥ 0           (the first field of the primary key)
///     slot     shop/books/Book/tags          2 ⇥ tags ⇥ json ⇥ ⇥ compare=set keep_base=full
///     migration  2026-11 titles            2026-11-03T10:00:00Z
///     edits    local/books/Book              books ⇥ … (see ``noteEdits(of:)``)
///     stub     items ⇥ id ⇥ ⇥ [7]            []       (see ``StandingStubs``)
///     kept_base  7                           "n/a"       (entry 7 of the quarantine keeps what the source said, and nobody edited it)
package struct EntityRegistry {
    /// A field's place in the base, and what it is.
    package struct Slot: Equatable {
        package var number: Int
        package var field: String
        package var column: String
        package var type: FieldType
        /// The field's position in the primary key.
        package var keyPosition: Int?
        package var comparison = FieldComparison.exact
        package var baseKeeping = BaseKeeping.short
        /// Whether values are in the base of which `keep_base: digest` kept no more than a digest.
        package var hadDigests = false
        package var redaction: FieldRedaction?
        /// Whether it was a part of the primary key before and is none now.
        package var wasKey = false
        /// The values that an `enum` may have; nil where that is not known.
        package var allowed: Set<[UInt8]>?
        /// The run since which the pipeline no longer has the field, where that was said to be meant or loses nothing; 0 where that is not
        /// known, nil where the pipeline has it.
        package var givenUpIn: Int64?
        /// Whether the field's values are links in a table of their own.
        package var isLink = false

        /// Makes a slot of a field without rules.
        package init(number: Int, field: String, column: String, type: FieldType, keyPosition: Int?) {
            (self.number, self.field, self.column) = (number, field, column)
            (self.type, self.keyPosition) = (type, keyPosition)
        }
    }

    package let database: any SQLDatabase

    /// Looks into what a database knows.
    package init(database: any SQLDatabase) { self.database = database }

    // MARK: Entries

    /// The entries of a kind whose names begin with some words, by name.
    package func entries(_ kind: String, prefix: String = "") throws -> [(name: String, value: String)] {
        try database.registryMemory.entries(kind, prefix: prefix) { try read(kind) } ?? read(kind, prefix: prefix)
    }

    private func read(_ kind: String, prefix: String = "") throws -> [(name: String, value: String)] {
        try database.rows(
            """
            SELECT name, value FROM \(database.ledger("schema"))
            WHERE kind = ?1 AND substr(name, 1, length(?2)) = ?2 ORDER BY name
            """, [FieldValue(kind), FieldValue(prefix)]
        ).map { ($0[0].string ?? "", $0[1].string ?? "") }
    }

    /// An entry; nil where there is none.
    package func entry(_ kind: String, _ name: String) throws -> String? {
        if let kept = try database.registryMemory.entry(kind, name, read: { try read(kind) }) { return kept }
        return try database.rows(
            "SELECT value FROM \(database.ledger("schema")) WHERE kind = ?1 AND name = ?2",
            [FieldValue(kind), FieldValue(name)]
        ).first?.first?.string
    }

    /// Writes an entry where it is not there as it is.
    package func put(_ kind: String, _ name: String, _ value: String) throws {
        try database.run(Self.putting(database), [FieldValue(kind), FieldValue(name), FieldValue(value)])
        database.registryMemory.put(kind, name, value)
    }

    /// Notes several entries, or others in their places.
    func put(_ kind: String, _ entries: [(name: String, value: String)]) throws {
        if entries.isEmpty { return }
        try database.run(
            Self.putting(database), each: entries.map { [kind, $0.name, $0.value].map { FieldValue($0) } })
        for entry in entries { database.registryMemory.put(kind, entry.name, entry.value) }
    }

    /// Forgets several entries.
    func remove(_ kind: String, names: [String]) throws {
        if names.isEmpty { return }
        try database.run(Self.removing(database), each: names.map { [FieldValue(kind), FieldValue($0)] })
        for name in names { database.registryMemory.remove(kind, name) }
    }

    private static func putting(_ database: any SQLDatabase) -> String {
        """
        INSERT INTO \(database.ledger("schema")) AS known (kind, name, value) VALUES (?1, ?2, ?3)
        ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value WHERE known.value <> excluded.value
        """
    }

    private static func removing(_ database: any SQLDatabase) -> String {
        "DELETE FROM \(database.ledger("schema")) WHERE kind = ?1 AND name = ?2"
    }

    /// Forgets an entry.
    func remove(_ kind: String, _ name: String) throws {
        try database.run(Self.removing(database), [FieldValue(kind), FieldValue(name)])
        database.registryMemory.remove(kind, name)
    }

    /// Has an entry go on under another name, in the place of what has that.
    func rename(_ kind: String, _ old: String, to new: String) throws {
        guard old != new, let value = try entry(kind, old) else { return }
        try remove(kind, old)
        try put(kind, new, value)
    }

    // MARK: Mappings

    /// The key of a mapping. No name holds a slash but an entity's, which comes last.
    package static func name(_ pipeline: String, _ stream: String, _ entity: String) -> String {
        "\(pipeline)/\(stream)/\(entity)"
    }

    /// The key of a source's mapping.
    package static func name(_ source: RecordMapping) -> String { name(source.pipeline, source.stream, source.entity) }

    package static func mapping(_ name: String) -> RecordMapping? {
        let parts = name.split(separator: "/", maxSplits: 2).map(String.init)
        return parts.count == 3 ? RecordMapping(pipeline: parts[0], stream: parts[1], entity: parts[2]) : nil
    }

    /// The base table and the entity's table of a mapping.
    package func tables(of mapping: String) throws -> (base: String, table: String)? {
        try entry("mapping", mapping).flatMap(Self.tables)
    }

    private static func tables(_ value: String) -> (base: String, table: String)? {
        let parts = parts(value)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// Whether a table belongs to any mapping.
    package func knows(table: String) throws -> Bool { try !mappings(of: table).isEmpty }

    /// All mappings, by name.
    package func mappings() throws -> [RecordMapping] {
        try entries("mapping").compactMap { Self.mapping($0.name) }
    }

    /// The sources that fill or filled a table, by name.
    package func sources(of table: String) throws -> [RecordMapping] {
        try mappings(of: table).compactMap(Self.mapping)
    }

    /// The mappings that fill a table.
    package func mappings(of table: String) throws -> [String] {
        try entries("mapping").filter { entry in
            Self.tables(entry.value).map { ColumnName.areSame($0.table, table) } ?? false
        }.map(\.name)
    }

    /// A source of another pipeline that fills a column of a table; nil where there is none.
    func filler(of column: String, in table: String, besides pipeline: String) throws -> RecordMapping? {
        try sources(of: table).first { source in
            try source.pipeline != pipeline
                && slots(of: Self.name(source)).contains {
                    !$0.isRetired && !$0.isGivenUp && ColumnName.areSame($0.column, column)
                }
        }
    }

    /// The slots of a mapping, by number.
    package func slots(of mapping: String) throws -> [Slot] {
        try database.registryMemory.slots(of: mapping) { try readSlots(of: mapping) }
    }

    private func readSlots(of mapping: String) throws -> [Slot] {
        func field(_ name: String) -> String {
            String(decoding: name.utf8.dropFirst(mapping.utf8.count + 1), as: UTF8.self)
        }
        func links(_ kind: String) throws -> Set<String> {
            Set(try entries(kind, prefix: mapping + "/").filter { Self.isOfLinks($0.value) }.map { field($0.name) })
        }
        let (kept, left) = try (links("reference"), links(Self.leftKind))
        return try entries("slot", prefix: mapping + "/").compactMap { entry in
            let name = field(entry.name)
            guard var slot = Slot(field: name, value: entry.value) else { return nil }
            slot.isLink = kept.contains(name) || slot.isGivenUp && left.contains(name)
            return slot
        }.sorted { $0.number < $1.number }
    }

    /// The slots of a mapping that identify records, in the order of the primary key.
    package func keySlots(of mapping: String) throws -> [Slot] {
        try slots(of: mapping).filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
    }

    /// Writes the tables of a mapping.
    func record(base: String, table: String, of mapping: String) throws {
        try put("mapping", mapping, "\(base)\t\(table)")
    }

    /// Whether a mapping marks rows as deleted instead of deleting them.
    package func deletesSoftly(_ mapping: String) throws -> Bool { try entry("deletes", mapping) == "soft" }

    /// Writes how a mapping deletes, where that is not known.
    func record(deletesSoftly: Bool, of mapping: String) throws {
        if try self.deletesSoftly(mapping) == deletesSoftly { return }
        try put("deletes", mapping, deletesSoftly ? "soft" : "hard")
    }

    /// Writes a slot where it is not known as it is.
    func record(_ slot: Slot, of mapping: String) throws { try put("slot", "\(mapping)/\(slot.field)", slot.value) }

    /// Keeps a slot's place but not its field, which gets another slot.
    func retire(_ slot: Slot, of mapping: String) throws {
        try rename("slot", "\(mapping)/\(slot.field)", to: "\(mapping)/\(slot.field)#\(slot.number)")
        try removeLeft("\(mapping)/\(slot.field)")
    }

    /// All kinds of entries.
    static let kinds: Set = [
        "format", "lock", "mapping", "deletes", emptiedKind, movedKind, "slot", "reference", leftKind, "unique",
        "index",
        ReferredIndexes.kind, "view",
        "made", identityKind,
        "form", "redaction", "withdrawn", TypeConversion.keptBase, PartWords.kind, StandingStubs.kind, migration,
        editKind,
    ]

    /// What tells a store from others, under ``identityName``; stores write it as they are made.
    package static let identityKind = "store"

    /// The name of the only entry of ``identityKind``.
    package static let identityName = "identity"

    /// What tells the store from others; nil where it has no such text yet.
    package func identity() throws -> String? { try entry(Self.identityKind, Self.identityName) }

    /// What programs have done once to the store, named by them, with the time.
    package static let migration = "migration"

    /// The kind of the entries that tell which columns the files of other pipelines had renamed.
    static let movedKind = "moved"

    /// The kind of the entries that tell where the links of fields are that their pipelines gave up.
    static let leftKind = "left"

    /// The kinds of entries that are about a field of a mapping, named `mapping/field`.
    static let kindsOfFields = ["slot", "reference", leftKind, movedKind]

    /// Forgets all that is known of a mapping.
    func forget(_ mapping: String) throws {
        for kind in ["mapping", "deletes", Self.emptiedKind, "unique"] { try remove(kind, mapping) }
        for kind in Self.kindsOfFields {
            for entry in try entries(kind, prefix: mapping + "/") { try remove(kind, entry.name) }
        }
    }

    static func parts(_ value: String) -> [String] {
        value.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}

extension EntityRegistry.Slot {
    /// A slot as an entry says it; nil where that is none.
    init?(field: String, value: String) {
        let parts = EntityRegistry.parts(value)
        guard parts.count >= 4, let number = Int(parts[0]), let type = FieldType(rawValue: parts[2]) else {
            return nil
        }
        self.init(number: number, field: field, column: parts[1], type: type, keyPosition: Int(parts[3]))
        if parts.count > 4 { read(rules: parts[4]) }
    }

    /// The slot as an entry says it.
    var value: String {
        let position = keyPosition.map { String($0) } ?? ""
        return "\(number)\t\(column)\t\(type.rawValue)\t\(position)\(rules.isEmpty ? "" : "\t" + rules)"
    }

    /// A slot for a field, in the field's order.
    package init(number: Int, schema: RecordSchema, index: Int) {
        let field = schema.fields[index]
        self.init(
            number: number, field: field.name, column: field.column, type: field.type,
            keyPosition: schema.keyFields.firstIndex(of: index))
        (comparison, baseKeeping) = (field.comparison, field.baseKeeping)
        (hadDigests, redaction) = (field.hadDigests, field.redaction)
        wasKey = field.wasIdentifier && keyPosition == nil
        allowed = field.choices
    }

    /// The field as the store alone knows it.
    package var schemaField: RecordSchema.Field {
        var known = RecordSchema.Field(name: field, column: column, type: type)
        known.comparison = comparison
        known.baseKeeping = baseKeeping
        known.hadDigests = hadDigests
        known.redaction = redaction
        known.wasIdentifier = wasKey
        known.allowed = allowed ?? []
        known.givenUpIn = givenUpIn
        return known
    }

    /// Whether it may be a field of links, which are kept as a set; a field of JSON may be kept so as well.
    var isOfSet: Bool { type == .json && comparison == .set && baseKeeping == .full }

    /// Whether it only keeps its place: the field has another slot, or will get one.
    package var isRetired: Bool { field.hasSuffix("#\(number)") }

    /// Whether the pipeline no longer has the field, see ``givenUpIn``.
    package var isGivenUp: Bool { givenUpIn != nil }

    /// What differs from the rule, as in `compare=set keep_base=full`.
    fileprivate var rules: String {
        var words: [String] = []
        if comparison != .exact { words.append("compare=\(comparison.rawValue)") }
        if baseKeeping != .short { words.append("keep_base=\(baseKeeping.rawValue)") }
        if hadDigests { words.append("had_digests") }
        if wasKey { words.append("was_key") }
        if let redaction { words.append("redact=\(redaction.rawValue)") }
        if let allowed { words.append("values=\(ChoiceText.text(allowed))") }
        if let givenUpIn { words.append(givenUpIn == 0 ? "given_up" : "given_up=\(givenUpIn)") }
        return words.joined(separator: " ")
    }

    fileprivate mutating func read(rules: String) {
        for word in rules.split(separator: " ") {
            let parts = word.split(separator: "=").map(String.init)
            switch parts.first {
            case "compare": comparison = parts.last.flatMap(FieldComparison.init(rawValue:)) ?? .exact
            case "keep_base": baseKeeping = parts.last.flatMap(BaseKeeping.init(rawValue:)) ?? .short
            case "had_digests": hadDigests = true
            case "given_up": givenUpIn = parts.last.flatMap { Int64($0) } ?? 0
            case "was_key": wasKey = true
            case "values": allowed = parts.last.flatMap(ChoiceText.values)
            case "redact": redaction = parts.last.flatMap(FieldRedaction.init(rawValue:))
            default: break
            }
        }
    }
}
