import TestSupport

/// What people change of a pipeline's file.
extension ModelShape {
    private static let words = ["Thing", "Ware", "Good", "Piece", "Product", "Article", "Stock", "Unit", "Asset"]

    /// A pipeline with some fields.
    init(_ random: inout SeededGenerator, fields: inout Int) {
        self.init()
        for table in ModelTable.Name.allCases {
            for _ in 0..<Int.random(in: 1...3, using: &random) { addField(to: table, &random, &fields) }
        }
        key = random.pick([[.id], [.id], [.code], [.id, .code]])
        isCodeUnique = random.chance(30)
    }

    private mutating func addField(
        to table: ModelTable.Name, _ random: inout SeededGenerator, _ fields: inout Int
    ) {
        fields += 1
        add(Field(id: fields, name: "f\(fields)", type: ModelType(&random)), to: table)
    }

    /// Changes it once or twice.
    ///
    /// - Parameters:
    ///   - stored: What the store has.
    ///   - random: Decides.
    ///   - fields: How many fields there were.
    ///   - names: How many names were given.
    mutating func change(
        over stored: ModelShape, _ random: inout SeededGenerator, fields: inout Int, names: inout Int
    ) {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let table: ModelTable.Name = random.chance(65) ? .items : .parts
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1: addField(to: table, &random, &fields)
            case 2, 3:
                if let field = pick(present(table), &random) { change(table, field.id) { $0.isThere = false } }
            case 4:
                if let field = pick(self.fields(table).filter({ !$0.isThere }), &random) {
                    change(table, field.id) { $0.isThere = true }
                }
            case 5, 6, 7:
                if let field = pick(present(table), &random) {
                    let type = field.type.other(&random)
                    change(table, field.id) { $0.type = type }
                }
            case 8:
                guard let field = pick(present(table), &random) else { continue }
                names += 1
                let name = "g\(names)"
                change(table, field.id) { $0.name = name }
            case 9: rename(stored, &random, &names)
            case 10:
                // Another identifier is no other type and no other name of one.
                if idType == stored.idType, hasNames(of: stored) {
                    key = random.pick([[.id], [.code], [.id, .code], [.code, .id]])
                }
            case 11: if key == stored.key { idType = idType == .int ? .string : .int }
            default: isCodeUnique.toggle()
            }
        }
        for table in ModelTable.Name.allCases { settleGone(table, stored) }
    }

    /// What goes keeps its name and its type of before.
    private mutating func settleGone(_ table: ModelTable.Name, _ stored: ModelShape) {
        for field in fields(table) where !field.isThere {
            if let before = stored.fields(table).first(where: { $0.id == field.id }) {
                change(table, field.id) {
                    $0 = before
                    $0.isThere = false
                }
            } else {
                remove(field.id, of: table)
            }
        }
    }

    private func pick(_ fields: [Field], _ random: inout SeededGenerator) -> Field? {
        fields.isEmpty ? nil : random.pick(fields)
    }

    private func hasNames(of other: ModelShape) -> Bool {
        (entity, table, stream, id, code) == (other.entity, other.table, other.stream, other.id, other.code)
    }

    private mutating func rename(_ stored: ModelShape, _ random: inout SeededGenerator, _ names: inout Int) {
        if key != stored.key { return }
        names += 1
        switch Int.random(in: 0..<5, using: &random) {
        case 0: entity = Self.words[names % Self.words.count]
        case 1: table = "items\(names)"
        case 2: stream = "stream\(names)"
        case 3: id = "id\(names)"
        default: code = "code\(names)"
        }
    }
}
