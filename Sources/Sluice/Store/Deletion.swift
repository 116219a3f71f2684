internal import SluiceDiagnostics

/// What goes when records are deleted, by the rules of what they lead to.
struct Deletion {
    private struct Entry {
        let description: ModelDescription
        var keys: Set<[BoxedValue]> = []
    }

    /// A relationship that forbids a deletion unless what it leads to goes as well.
    private struct Denial {
        let owner: ModelDescription
        let relationship: String
        let target: String
        let keys: [[BoxedValue]]
    }

    private let transaction: Transaction
    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    private var releases: [SQLExpression] = []
    private var denials: [Denial] = []
    private static let chunk = 200

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Finds all that goes with records.
    mutating func collect(_ description: ModelDescription, _ keys: [[BoxedValue]]) throws {
        var waiting = [(description, keys)]
        while !waiting.isEmpty {
            let (model, keys) = waiting.removeFirst()
            let table = model.table.lowercased()
            if entries[table] == nil {
                entries[table] = Entry(description: model)
                order.append(table)
            }
            let new = keys.filter { entries[table]?.keys.insert($0).inserted == true }
            for start in stride(from: 0, to: new.count, by: Self.chunk) {
                let part = Array(new[start..<min(start + Self.chunk, new.count)])
                waiting += try related(model, part)
            }
        }
    }

    /// What the rules say of the records that some lead to: those which go as well.
    private mutating func related(
        _ model: ModelDescription, _ keys: [[BoxedValue]]
    ) throws -> [(ModelDescription, [[BoxedValue]])] {
        var going: [(ModelDescription, [[BoxedValue]])] = []
        for (index, relationship) in model.relationships.enumerated() {
            guard let target = relationship.target?.modelDescription else { continue }
            let link = try LinkDescription(model, index, target)
            let found = relationship.deleteRule == .nullify ? [] : try members(link, target, keys)
            switch relationship.deleteRule {
            case .cascade: going.append((target, found))
            case .deny: deny(model, relationship.property, target, found)
            case .nullify: if case .column(let column, _) = link { release(target, column, keys) }
            }
            if case .table(let table, let owners, _, _) = link {
                releases.append(
                    SQLExpression(sql: "DELETE FROM \(SQLIdentifier.quoted(table)) WHERE ") + Self.any(owners, keys))
            }
        }
        for field in model.fields {
            guard let reference = field.reference, reference.deleteRule != .nullify,
                let target = reference.target?.modelDescription
            else { continue }
            let found = try targets(model, field.column, keys)
            if reference.deleteRule == .cascade {
                going.append((target, found))
            } else {
                deny(model, field.property, target, found)
            }
        }
        return going.filter { !$0.1.isEmpty }
    }

    private mutating func deny(
        _ model: ModelDescription, _ property: String, _ target: ModelDescription, _ keys: [[BoxedValue]]
    ) {
        if keys.isEmpty { return }
        denials.append(
            Denial(owner: model, relationship: property, target: target.table.lowercased(), keys: keys))
    }

    private mutating func release(_ target: ModelDescription, _ column: String, _ keys: [[BoxedValue]]) {
        transaction.touch(target, nil)
        releases.append(
            SQLExpression(
                sql: "UPDATE \(SQLIdentifier.quoted(target.table)) SET \(SQLIdentifier.quoted(column)) = NULL WHERE ")
                + Self.any([column], keys))
    }

    private func members(
        _ link: LinkDescription, _ target: ModelDescription, _ keys: [[BoxedValue]]
    ) throws -> [[BoxedValue]] {
        switch link {
        case .column(let column, _): return try select(target.keyColumns, target.table, Self.any([column], keys))
        case .table(let table, let owners, let targets, _): return try select(targets, table, Self.any(owners, keys))
        }
    }

    private func targets(_ model: ModelDescription, _ column: String, _ keys: [[BoxedValue]]) throws -> [[BoxedValue]] {
        let held = SQLExpression(sql: " AND \(SQLIdentifier.quoted(column)) IS NOT NULL")
        return try select([column], model.table, Self.any(model.keyColumns, keys) + held)
    }

    private func select(_ columns: [String], _ table: String, _ condition: SQLExpression) throws -> [[BoxedValue]] {
        var rows: [[BoxedValue]] = []
        let head = "SELECT DISTINCT \(SQLIdentifier.list(columns)) FROM \(SQLIdentifier.quoted(table)) WHERE "
        try transaction.run(SQLExpression(sql: head) + condition) { statement in
            rows.append(columns.indices.map { StoredColumn(statement: statement, index: $0).value })
            return true
        }
        return rows
    }

    /// Whether columns hold one of some keys.
    private static func any(_ columns: [String], _ keys: [[BoxedValue]]) -> SQLExpression {
        let rows = keys.map { "(" + SQLExpression.list($0.map { SQLExpression($0) }) + ")" }
        return SQLExpression(sql: "(\(SQLIdentifier.list(columns))) IN (VALUES ") + .list(rows) + ")"
    }

    /// Deletes what was collected, unless a rule forbids it.
    func perform() throws {
        for denial in denials {
            let left = denial.keys.filter { entries[denial.target]?.keys.contains($0) != true }.count
            if left == 0 { continue }
            throw SluiceError(
                .denied,
                "The \(denial.owner.entity) is not deleted: `\(denial.relationship)` denies it while it leads to \(Plural.of(left, "record")).",
                entity: denial.owner.entity, field: denial.relationship)
        }
        for release in releases { try transaction.run(release) }
        for table in order.reversed() {
            guard let entry = entries[table] else { continue }
            let keys = Array(entry.keys)
            transaction.touch(entry.description, entry.keys)
            for start in stride(from: 0, to: keys.count, by: Self.chunk) {
                let part = Array(keys[start..<min(start + Self.chunk, keys.count)])
                try transaction.run(
                    SQLExpression(sql: "DELETE FROM \(SQLIdentifier.quoted(entry.description.table)) WHERE ")
                        + Self.any(entry.description.keyColumns, part), entry.description.entity)
            }
        }
    }
}
