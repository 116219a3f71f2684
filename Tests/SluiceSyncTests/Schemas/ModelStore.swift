import TestSupport

/// What a store holds after random changes of a pipeline, its source and its rows, written down by fields and without any
/// regard to how tables follow.
struct ModelStore {
    /// A value that its column could not take, in the quarantine.
    struct Kept: Equatable {
        let table: ModelTable.Name
        let row: [Int]
        let field: Int
        let text: String
        let type: ModelType
        /// What the base of its row says while it waits, where the source said it; nil for an edit.
        var said: ModelTable.Said?
    }

    /// What a run may do.
    struct Allowance {
        var quarantines = false
    }

    private(set) var shape: ModelShape
    private(set) var items = ModelTable()
    private(set) var parts = ModelTable()
    private(set) var orders: [Int: Int] = [:]
    private(set) var kept: [Kept] = []
    /// The fields of rows that are in conflict.
    private(set) var conflicts: Set<[String]> = []

    init(_ shape: ModelShape) { self.shape = shape }

    func table(_ name: ModelTable.Name) -> ModelTable { name == .items ? items : parts }

    func hasCleanParts(_ id: Int) -> Bool {
        parts.rows.allSatisfy { $0.key[0] != id || isClean(.parts, $0.key, $0.value) }
    }

    /// Whether people changed a value of a row. One that waits is no edit where the source said it.
    private func isEdited(_ name: ModelTable.Name, _ key: [Int], _ field: Int, _ cell: ModelTable.Cell) -> Bool {
        let waits = kept.contains {
            $0.table == name && $0.row == key && $0.field == field && $0.said == cell.base
        }
        return cell.isEdited && !(waits && cell.local == nil)
    }

    func isClean(_ name: ModelTable.Name, _ key: [Int], _ row: ModelTable.Row) -> Bool {
        row.state == .live && !row.cells.contains { isEdited(name, key, $0.key, $0.value) }
    }

    private mutating func change(_ name: ModelTable.Name, _ body: (inout ModelTable) -> Void) {
        if name == .items { body(&items) } else { body(&parts) }
    }

    private static func conflict(_ table: ModelTable.Name, _ key: [Int], _ field: Int) -> [String] {
        [table.rawValue, "\(key)", String(field)]
    }

    // MARK: A run

    /// Carries a run out.
    ///
    /// - Returns: Whether it is not refused; where it is, nothing changes.
    mutating func run(_ wanted: ModelShape, _ source: ModelSource, _ allowance: Allowance) -> Bool {
        var now = self
        now.kept.removeAll(where: isOver)
        for table in ModelTable.Name.allCases {
            for field in shape.present(table) where !wanted.present(table).contains(where: { $0.id == field.id }) {
                let isEdited = self.table(table).rows.contains { key, row in
                    row.state == .live && row.cells[field.id].map { self.isEdited(table, key, field.id, $0) } == true
                }
                if isEdited { return false }
            }
            for field in wanted.present(table) {
                guard let before = shape.fields(table).first(where: { $0.id == field.id }) else { continue }
                if before.type != field.type, !now.convert(table, before, field, allowance) { return false }
            }
        }
        now.shape = wanted
        now.conflicts = []
        for table in ModelTable.Name.allCases { now.merge(table, source) }
        for (oid, id) in source.orders { now.orders[oid] = id }
        self = now
        return true
    }

    /// Whether a value waits no more: its row is gone, or its column holds a value.
    private func isOver(_ entry: Kept) -> Bool {
        guard let row = table(entry.table).rows[entry.row], row.isThere else { return true }
        return row.cells[entry.field]?.local != nil
    }

    // MARK: Types

    private mutating func convert(
        _ name: ModelTable.Name, _ before: ModelShape.Field, _ field: ModelShape.Field, _ allowance: Allowance
    ) -> Bool {
        let earlier = kept
        var table = table(name)
        func passed(_ text: String) -> String? { before.type.passed(text, to: field.type) }
        for key in table.rows.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard var row = table.rows[key], var cell = row.cells[field.id] else { continue }
            let base = cell.base
            var lost: String?
            if row.isThere, let text = cell.local {
                cell.local = passed(text)
                if cell.local == nil { lost = text }
            }
            cell.base = Self.said(base, before.type, field.type)
            if let lost {
                if !allowance.quarantines { return false }
                var entry = Kept(table: name, row: key, field: field.id, text: lost, type: before.type)
                if base == .value(lost) { entry.said = cell.base }
                kept.append(entry)
            }
            row.cells[field.id] = cell
            table.rows[key] = row
        }
        change(name) { $0 = table }
        for entry in earlier where entry.table == name && entry.field == field.id { restore(entry, field) }
        return true
    }

    /// What a source said, in another type: as before where that cannot be said there.
    private static func said(
        _ base: ModelTable.Said, _ before: ModelType, _ now: ModelType
    ) -> ModelTable.Said {
        let (text, type): (String, ModelType)
        switch base {
        case .nothing, .value(nil): return base
        case .value(let said?): (text, type) = (said, before)
        case .earlier(let said, let earlier): (text, type) = (said, earlier)
        }
        if let passed = type.passed(text, to: now) { return .value(passed) }
        // A store keeps a truth as a number.
        return type.kind == .bool ? .earlier(text == "true" ? "1" : "0", ModelType(.int)) : .earlier(text, type)
    }

    /// Has a value come back to where nothing stands.
    private mutating func restore(_ entry: Kept, _ field: ModelShape.Field) {
        func isSame(_ text: String) -> Bool {
            field.type.takes(text) && field.type.json(text) == entry.type.json(text)
        }
        guard isSame(entry.text), let row = table(entry.table).rows[entry.row], row.isThere,
            let place = kept.firstIndex(of: entry)
        else { return }
        let cell = row.cells[field.id] ?? .init()
        if let said = entry.said, ![said, Self.said(said, field.type, field.type)].contains(cell.base) {
            // The source said something else since.
            kept.remove(at: place)
            return
        }
        if cell.local != nil { return }
        kept.remove(at: place)
        change(entry.table) { table in
            table.rows[entry.row]?.cells[field.id, default: .init()].local = entry.text
            if entry.said != nil { table.rows[entry.row]?.cells[field.id]?.base = .value(entry.text) }
        }
    }

    // MARK: Records

    private mutating func merge(_ name: ModelTable.Name, _ source: ModelSource) {
        let fields = shape.present(name)
        var known: Set<[Int]> = []
        for (id, record) in source.items {
            let all = name == .items ? [[id]] : record.parts.keys.map { [id, $0] }
            for key in all {
                known.insert(key)
                let values = source.values(name, key) ?? [:]
                var row = table(name).rows[key] ?? ModelTable.Row(code: record.code)
                let isNew = table(name).rows[key] == nil
                for field in fields {
                    guard let remote = values[field.id] else { continue }
                    var cell = row.cells[field.id] ?? .init()
                    let held = cell.local
                    if isNew || row.state == .deletedHere {
                        cell = .init(base: .value(remote), local: isNew ? remote : nil)
                    } else if !Self.merge(&cell, remote, isEdited: isEdited(name, key, field.id, cell)) {
                        conflicts.insert(Self.conflict(name, key, field.id))
                    }
                    if cell.local != nil, cell.local != held {
                        kept.removeAll { $0.table == name && $0.row == key && $0.field == field.id }
                    }
                    row.cells[field.id] = cell
                }
                change(name) { $0.rows[key] = row }
            }
        }
        for (key, row) in table(name).rows where row.state != .own && !known.contains(key) {
            change(name) { $0.rows[key] = nil }
            kept.removeAll { $0.table == name && $0.row == key }
        }
    }

    /// The three-way merge of a value.
    ///
    /// - Returns: Whether there is no conflict.
    private static func merge(_ cell: inout ModelTable.Cell, _ remote: String?, isEdited: Bool) -> Bool {
        if cell.base == .value(remote) { return true }
        if cell.local == remote || (cell.base == .nothing && cell.local != nil && remote == nil) {
            cell.base = .value(remote)
            return true
        }
        if isEdited { return false }
        cell = .init(base: .value(remote), local: remote)
        return true
    }

    // MARK: Undo

    /// Takes the last run back. Names stay, and columns that came.
    mutating func undo(to before: ModelStore) {
        var back = before
        for table in ModelTable.Name.allCases {
            for field in shape.fields(table) {
                if before.shape.fields(table).contains(where: { $0.id == field.id }) {
                    back.shape.change(table, field.id) { $0.isThere = field.isThere }
                } else {
                    back.shape.add(field, to: table)
                }
            }
        }
        back.shape.takeNames(of: shape)
        self = back
    }

    // MARK: What people do

    /// Does something to the rows.
    ///
    /// - Returns: The statements.
    mutating func edit(_ source: ModelSource, _ random: inout SeededGenerator) -> String {
        var statements: [String] = []
        for name in ModelTable.Name.allCases {
            for key in table(name).rows.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                guard let row = table(name).rows[key], row.isThere else { continue }
                // What the source has no longer is to go.
                if row.state == .live, source.values(name, key) == nil { continue }
                for field in shape.fields(name) where random.chance(12) {
                    let value = random.chance(15) ? nil : field.type.sample(&random)
                    change(name) { $0.rows[key]?.cells[field.id, default: .init()].local = value }
                    statements.append(
                        "UPDATE \(table(of: name)) SET \(field.name) = \(field.type.sql(value)) WHERE \(match(name, key))"
                    )
                }
                if random.chance(6), canGo(name, key, source) { statements += delete(name, key) }
            }
        }
        if random.chance(10) { statements.append(insert()) }
        return statements.joined(separator: "; ")
    }

    private func canGo(_ name: ModelTable.Name, _ key: [Int], _ source: ModelSource) -> Bool {
        guard let row = table(name).rows[key], row.state == .live, source.isSettled(name, key, row, shape),
            !conflicts.contains(where: { $0[0] == name.rawValue && $0[1] == "\(key)" })
        else { return false }
        if name == .parts { return true }
        let within = parts.rows.filter { $0.key[0] == key[0] && $0.value.isThere }
        return !orders.values.contains(key[0]) && !source.orders.values.contains(key[0])
            && source.items[key[0]].map { Set($0.parts.keys.map { [key[0], $0] }).isSubset(of: parts.rows.keys) }
                == true
            && within.keys.allSatisfy { canGo(.parts, $0, source) }
    }

    private mutating func delete(_ name: ModelTable.Name, _ key: [Int]) -> [String] {
        var statements: [String] = []
        if name == .items {
            for part in parts.rows.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where part[0] == key[0] {
                if parts.rows[part]?.isThere == true { statements += delete(.parts, part) }
            }
        }
        statements.append("DELETE FROM \(table(of: name)) WHERE \(match(name, key))")
        change(name) {
            $0.rows[key]?.state = .deletedHere
            for field in $0.rows[key]?.cells.keys.map({ $0 }) ?? [] { $0.rows[key]?.cells[field]?.local = nil }
        }
        return statements
    }

    private mutating func insert() -> String {
        let id = 100 + items.rows.count
        if items.rows[[id]] != nil { return "" }
        items.rows[[id]] = ModelTable.Row(state: .own, code: "own\(id)")
        return "INSERT INTO \(shape.table) (\(shape.id), \(shape.code)) VALUES ('\(id)', 'own\(id)')"
    }

    private func table(of name: ModelTable.Name) -> String { name == .items ? shape.table : "part" }

    private func match(_ name: ModelTable.Name, _ key: [Int]) -> String {
        let code = items.rows[[key[0]]]?.code ?? ""
        let owner = name == .items ? "" : shape.entity.lowercased() + "_"
        let keys = shape.key.map { "\(owner)\(shape.column($0)) = \($0 == .id ? "'\(key[0])'" : "'\(code)'")" }
        return (keys + (name == .parts ? ["pid = \(key[1])"] : [])).joined(separator: " AND ")
    }

    // MARK: What is there

    /// Queries of all rows, and the rows that they give.
    var expected: [(query: String, rows: [String])] {
        let join = shape.keyColumns
        let owner = shape.entity.lowercased()
        func on(_ prefix: String) -> String { join.map { "t.\(prefix)_\($0) = i.\($0)" }.joined(separator: " AND ") }
        func list(_ name: ModelTable.Name, _ alias: String) -> String {
            shape.fields(name).map { ", \(alias).\($0.name)" }.joined()
        }
        func shown(_ id: Int) -> String { shape.idType == .int ? "\(id)" : "'\(id)'" }
        func cells(_ row: ModelTable.Row, _ name: ModelTable.Name) -> String {
            shape.fields(name).map { "|" + $0.type.shown(row.cells[$0.id]?.local) }.joined()
        }
        let own = items.rows.filter(\.value.isThere).map { key, row in
            "\(shown(key[0]))|'\(row.code)'\(cells(row, .items))"
        }
        let within = parts.rows.filter(\.value.isThere).map { key, row in
            "\(shown(key[0]))|\(key[1])\(cells(row, .parts))"
        }
        let references = orders.map { oid, id in "\(oid)|\(shown(id))" }
        return [
            ("SELECT i.\(shape.id), i.\(shape.code)\(list(.items, "i")) FROM \(shape.table) AS i", own.sorted()),
            (
                "SELECT i.\(shape.id), t.pid\(list(.parts, "t")) FROM part AS t JOIN \(shape.table) AS i ON \(on(owner))",
                within.sorted()
            ),
            (
                "SELECT t.oid, i.\(shape.id) FROM orders AS t LEFT JOIN \(shape.table) AS i ON \(on("item"))",
                references.sorted()
            ),
        ]
    }

    /// The fields in conflict, each as often as there are rows.
    var conflictFields: [String] {
        conflicts.compactMap { conflict in
            ModelTable.Name(rawValue: conflict[0]).flatMap { name in
                shape.fields(name).first { String($0.id) == conflict[2] }?.name
            }
        }.sorted()
    }

    /// How many values people changed.
    var editCount: Int {
        ModelTable.Name.allCases.reduce(0) { sum, name in
            table(name).rows.filter { $0.value.state == .live }.reduce(sum) { sum, row in
                sum + row.value.cells.count { isEdited(name, row.key, $0.key, $0.value) }
            }
        }
    }
}
