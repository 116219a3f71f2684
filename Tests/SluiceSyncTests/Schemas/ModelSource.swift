import TestSupport

/// What a random source says: items with parts, and orders.
struct ModelSource {
    struct Record {
        var code = ""
        /// Values by the field; a value that is not there is absent, nil is null.
        var values: [Int: String?] = [:]
        var parts: [Int: [Int: String?]] = [:]
    }

    private(set) var items: [Int: Record] = [:]
    private(set) var orders: [Int: Int] = [:]
    /// The types that values are of, by the field.
    private var types: [Int: ModelType] = [:]
    private var lastItem = 0
    private var lastPart = 10

    func values(_ table: ModelTable.Name, _ key: [Int]) -> [Int: String?]? {
        table == .items ? items[key[0]]?.values : items[key[0]]?.parts[key[1]]
    }

    /// Whether the source says of a record what a row's base has.
    func isSettled(_ table: ModelTable.Name, _ key: [Int], _ row: ModelTable.Row, _ shape: ModelShape) -> Bool {
        guard let values = values(table, key) else { return false }
        return shape.fields(table).allSatisfy { field in
            guard types[field.id] == field.type, let value = values[field.id] else { return false }
            return row.cells[field.id]?.base == .value(value)
        }
    }

    // MARK: Changes

    /// Says something else, in the words of a pipeline.
    mutating func change(_ store: ModelStore, _ shape: ModelShape, _ random: inout SeededGenerator) {
        express(shape, store, &random)
        for id in items.keys.sorted() {
            guard let row = store.items.rows[[id]] else { continue }
            if row.state == .deletedHere { continue }
            changeValues(.items, [id], row, shape, &random)
            changeParts(id, store, shape, &random)
            let isReferred = orders.values.contains(id) || store.orders.values.contains(id)
            if row.isClean, !isReferred, random.chance(8), store.hasCleanParts(id) { items[id] = nil }
        }
        while items.count < 2 || random.chance(20) { addItem(shape, &random) }
        changeOrders(store, &random)
    }

    private mutating func changeValues(
        _ table: ModelTable.Name, _ key: [Int], _ row: ModelTable.Row, _ shape: ModelShape,
        _ random: inout SeededGenerator
    ) {
        for field in shape.fields(table) where random.chance(25) {
            let isAbsent = random.chance(15) && row.cells[field.id]?.isEdited == false
            let value: String?? = isAbsent ? .none : .some(Self.value(field.type, &random))
            set(table, key, field.id, value)
        }
    }

    private mutating func set(_ table: ModelTable.Name, _ key: [Int], _ field: Int, _ value: String??) {
        if table == .items {
            items[key[0]]?.values[field] = value
        } else {
            items[key[0]]?.parts[key[1]]?[field] = value
        }
    }

    private static func value(_ type: ModelType, _ random: inout SeededGenerator) -> String? {
        random.chance(15) ? nil : type.sample(&random)
    }

    private mutating func changeParts(
        _ id: Int, _ store: ModelStore, _ shape: ModelShape, _ random: inout SeededGenerator
    ) {
        for part in (items[id]?.parts ?? [:]).keys.sorted() {
            guard let row = store.parts.rows[[id, part]], row.state != .deletedHere else { continue }
            changeValues(.parts, [id, part], row, shape, &random)
            if row.isClean, random.chance(10) { items[id]?.parts[part] = nil }
        }
        if random.chance(20) { addPart(id, shape, &random) }
    }

    private mutating func addPart(_ id: Int, _ shape: ModelShape, _ random: inout SeededGenerator) {
        lastPart += 1
        var values: [Int: String?] = [:]
        for field in shape.parts { values[field.id] = .some(Self.value(field.type, &random)) }
        items[id]?.parts[lastPart] = values
    }

    private mutating func addItem(_ shape: ModelShape, _ random: inout SeededGenerator) {
        lastItem += 1
        var record = Record(code: "c\(lastItem)")
        for field in shape.items { record.values[field.id] = .some(Self.value(field.type, &random)) }
        items[lastItem] = record
        for _ in 0..<Int.random(in: 0...2, using: &random) { addPart(lastItem, shape, &random) }
    }

    private mutating func changeOrders(_ store: ModelStore, _ random: inout SeededGenerator) {
        let targets = items.keys.sorted().filter { store.items.rows[[$0]]?.isThere ?? true }
        for oid in 1...3 where random.chance(40) && !targets.isEmpty { orders[oid] = random.pick(targets) }
    }

    /// Has all values be of the types of a pipeline: what cannot be is another value. What was deleted here must not
    /// change, so the source has it no longer then.
    mutating func express(_ shape: ModelShape, _ store: ModelStore, _ random: inout SeededGenerator) {
        for table in ModelTable.Name.allCases {
            for field in shape.fields(table) {
                let before = types[field.id]
                types[field.id] = field.type
                for id in items.keys.sorted() {
                    let keys = table == .items ? [[id]] : (items[id]?.parts ?? [:]).keys.sorted().map { [id, $0] }
                    for key in keys { express(field, before, table, key, store, &random) }
                }
            }
        }
    }

    private mutating func express(
        _ field: ModelShape.Field, _ before: ModelType?, _ table: ModelTable.Name, _ key: [Int], _ store: ModelStore,
        _ random: inout SeededGenerator
    ) {
        guard let values = values(table, key) else { return }
        let row = store.table(table).rows[key]
        guard let before else {
            // The source has the member from now on.
            return set(table, key, field.id, .some(Self.value(field.type, &random)))
        }
        guard before != field.type, let known = values[field.id], let text = known else { return }
        if let passed = before.passed(text, to: field.type) {
            set(table, key, field.id, .some(passed))
        } else if row?.state == .deletedHere {
            if table == .items { items[key[0]] = nil } else { items[key[0]]?.parts[key[1]] = nil }
        } else {
            set(table, key, field.id, .some(Self.value(field.type, &random)))
        }
    }

    // MARK: Documents

    func documents(_ shape: ModelShape) -> (items: String, orders: String) {
        func identifier(_ id: Int) -> String { shape.idType == .int ? String(id) : "\"\(id)\"" }
        func members(_ values: [Int: String?], _ fields: [ModelShape.Field]) -> [String] {
            fields.compactMap { field in
                values[field.id].map { "\"\(field.member)\":\((types[field.id] ?? field.type).json($0))" }
            }
        }
        let records = items.sorted { $0.key < $1.key }.map { id, record in
            let parts = record.parts.sorted { $0.key < $1.key }.map { pid, values in
                "{" + (["\"pid\":\(pid)"] + members(values, shape.parts)).joined(separator: ",") + "}"
            }
            let own = ["\"id\":\(identifier(id))", "\"code\":\"\(record.code)\""] + members(record.values, shape.items)
            return "{" + (own + ["\"parts\":[\(parts.joined(separator: ","))]"]).joined(separator: ",") + "}"
        }
        let references = orders.sorted { $0.key < $1.key }.map { oid, id in
            let code = items[id]?.code ?? ""
            let keys = shape.key.map { $0 == .id ? identifier(id) : "\"\(code)\"" }
            let object =
                "{" + zip(shape.key.map(\.rawValue), keys).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
            return "{\"oid\":\(oid),\"item\":\(keys.count == 1 ? keys[0] : object)}"
        }
        return ("[\(records.joined(separator: ",\n"))]", "[\(references.joined(separator: ",\n"))]")
    }
}
