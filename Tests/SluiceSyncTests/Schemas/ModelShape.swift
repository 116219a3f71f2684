import TestSupport

/// What a random pipeline says of its tables: items with a list of parts, and orders that refer to items.
struct ModelShape: Equatable {
    struct Field: Equatable {
        /// What it is for the model, and the name of its member at the source.
        let id: Int
        var name: String
        var type: ModelType
        /// Whether the pipeline has it; its column stays where it has it no longer.
        var isThere = true
        var member: String { "m\(id)" }
    }

    enum Key: String { case id, code }

    var entity = "Item"
    var table = "items"
    var stream = "items"
    var id = "id"
    var code = "code"
    var key: [Key] = [.id]
    var idType = ModelType.Kind.int
    var isCodeUnique = false
    var items: [Field] = []
    var parts: [Field] = []

    func column(_ key: Key) -> String { key == .id ? id : code }
    var keyColumns: [String] { key.map(column) }
    func fields(_ table: ModelTable.Name) -> [Field] { table == .items ? items : parts }

    /// Those of a table that the pipeline has.
    func present(_ table: ModelTable.Name) -> [Field] { fields(table).filter(\.isThere) }

    mutating func change(_ table: ModelTable.Name, _ id: Int, _ body: (inout Field) -> Void) {
        if let index = items.firstIndex(where: { $0.id == id }), table == .items { body(&items[index]) }
        if let index = parts.firstIndex(where: { $0.id == id }), table == .parts { body(&parts[index]) }
    }

    mutating func add(_ field: Field, to table: ModelTable.Name) {
        if table == .items { items.append(field) } else { parts.append(field) }
    }

    mutating func remove(_ id: Int, of table: ModelTable.Name) {
        if table == .items { items.removeAll { $0.id == id } } else { parts.removeAll { $0.id == id } }
    }

    /// Takes all names of another shape.
    mutating func takeNames(of other: ModelShape) {
        (entity, table, stream, id, code) = (other.entity, other.table, other.stream, other.id, other.code)
        for table in ModelTable.Name.allCases {
            for field in other.fields(table) { change(table, field.id) { $0.name = field.name } }
        }
    }

    /// Whether all fields and names are those of another shape.
    func hasAllNames(of other: ModelShape) -> Bool {
        var same = other
        same.takeNames(of: self)
        return same == other
            && ModelTable.Name.allCases.allSatisfy { fields($0).map(\.id) == other.fields($0).map(\.id) }
    }

    // MARK: The file

    /// The keys of a pipeline behind `source`.
    ///
    /// - Parameter stored: What the store has, under its names.
    /// - Returns: The text.
    func yaml(over stored: ModelShape) -> String {
        func former(_ key: String, _ now: String, _ before: String, _ separator: String) -> String {
            now == before ? "" : "\(separator)\(key): \(before)"
        }
        func lines(_ table: ModelTable.Name, indent: String) -> String {
            present(table).map { field in
                let before = stored.fields(table).first { $0.id == field.id }?.name ?? field.name
                return
                    "\(indent)\(field.name): {\(field.type.yaml), from: \(field.member)\(former("renamed_from", field.name, before, ", "))}"
            }.joined(separator: "\n")
        }
        let unique = isCodeUnique ? "\n    unique: [[\(code)]]" : ""
        return """
            entities:
              \(entity):
                table: \(table)\(former("renamed_from", entity, stored.entity, "\n    "))\(former("table_renamed_from", table, stored.table, "\n    "))
                primary_key: [\(keyColumns.joined(separator: ", "))]\(unique)
                fields:
                  \(id): {type: \(idType.rawValue), from: id\(former("renamed_from", id, stored.id, ", "))}
                  \(code): {type: string, from: code\(former("renamed_from", code, stored.code, ", "))}
            \(lines(.items, indent: "      "))
                children: {parts: {entity: Part, from: "parts[*]", key: [pid]}}
              Part:
                table: part
                fields:
                  pid: int
            \(lines(.parts, indent: "      "))
              Order: {table: orders, primary_key: oid, fields: {oid: int, item: {ref: \(entity), upsert: false}}}
            streams:
              - name: \(stream)\(former("renamed_from", stream, stored.stream, "\n    "))
                entity: \(entity)
                path: items.json
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
              - {name: orders, entity: Order, path: orders.json}
            """
    }
}

/// The rows of one table, as the model has them.
struct ModelTable {
    enum Name: String, CaseIterable { case items, parts }

    /// What a source said last.
    enum Said: Equatable {
        case nothing
        case value(String?)
        /// What no value of the type of now says.
        case earlier(String, ModelType)
    }

    struct Cell: Equatable {
        var base = Said.nothing
        var local: String?
        /// Whether people changed it.
        var isEdited: Bool { base == .nothing ? local != nil : base != .value(local) }
    }

    struct Row: Equatable {
        enum State { case live, deletedHere, own }

        var state = State.live
        var code = ""
        var cells: [Int: Cell] = [:]
        var isThere: Bool { state != .deletedHere }
        var isClean: Bool { state == .live && !cells.values.contains(where: \.isEdited) }
    }

    /// The rows by the identifier of the item and, of a part, its own.
    var rows: [[Int]: Row] = [:]
}
