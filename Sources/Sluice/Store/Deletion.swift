internal import SluiceDiagnostics
internal import SluiceSystem

/// How a record is deleted.
public enum DeleteMode: Sendable {
    /// Its row goes.
    case hard
    /// Its row stays and is marked, as a source's `missing: .soft` does: queries leave it out but for
    /// ``Query/includingDeleted()``, and ``Transaction/restore(_:_:)`` brings it back. Its table needs the mark, which it has once
    /// a source marks rows of it.
    case soft
}

/// What goes when records are deleted, by the rules of what they lead to.
struct Deletion {
    private struct Entry {
        let description: ModelDescription
        var keys: Set<[BoxedValue]> = []
    }

    /// A relationship that forbids a deletion unless what it leads to goes as well.
    private struct Denial {
        let owner: ModelDescription
        /// The record that is not deleted; nil where it is one of several.
        let identifier: String?
        let relationship: String
        let target: String
        let keys: [[BoxedValue]]
    }

    private let transaction: Transaction
    private let mode: DeleteMode
    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    private var releases: [SQLExpression] = []
    private var denials: [Denial] = []
    /// Parts that others have, or that go once these go as well.
    private var shared: [(target: ModelDescription, keys: [[BoxedValue]])] = []
    static let chunk = 200

    init(_ transaction: Transaction, _ mode: DeleteMode = .hard) { (self.transaction, self.mode) = (transaction, mode) }

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
            case .cascade:
                try go(along: target, found, of: PartHolder(model, list: index), keys, into: &going)
            case .deny: try deny(model, keys, relationship.property, target, found)
            case .nullify: if case .column(let column, _) = link, mode == .hard { release(target, column, keys) }
            }
            if case .table(let table, let owners, _, _) = link, mode == .hard {
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
                try go(along: target, found, of: PartHolder(model, field: field), keys, into: &going)
            } else {
                try deny(model, keys, field.property, target, found)
            }
        }
        return going.filter { !$0.1.isEmpty }
    }

    /// Lets records go as well. What cannot be marked stays where it is: with the mark taken away everything is as before.
    ///
    /// - Parameters:
    ///   - target: Their model.
    ///   - keys: Their keys.
    ///   - holder: What has them as parts, which stay where another record has them; nil where they are no parts.
    ///   - owners: The keys of the records that go.
    ///   - going: What goes.
    /// - Throws: ``SluiceError``.
    private mutating func go(
        along target: ModelDescription, _ keys: [[BoxedValue]], of holder: PartHolder?, _ owners: [[BoxedValue]],
        into going: inout [(ModelDescription, [[BoxedValue]])]
    ) throws {
        var keys = keys
        if let holder {
            let others = try transaction.held(target, keys, leaving: (holder, owners), mode)
            keys = keys.filter { !others.contains($0) }
            if !others.isEmpty { shared.append((target, Array(others))) }
        }
        switch mode {
        case .hard: going.append((target, keys))
        case .soft: if transaction.mark(target) != nil { going.append((target, try unmarked(target, keys))) }
        }
    }

    /// Sees to the parts that others had: these may go as well, now or by the end of the transaction.
    private func settleShared() throws {
        for (target, keys) in shared {
            switch mode {
            case .hard: transaction.release(target, keys)
            case .soft: try Self.markHidden(target, keys, in: transaction)
            }
        }
    }

    /// Marks parts that nobody sees any more in a record: all that have them are marked.
    ///
    /// - Parameters:
    ///   - target: The model of the parts.
    ///   - keys: The keys of the parts.
    ///   - transaction: What marks them.
    /// - Throws: ``SluiceError``.
    static func markHidden(_ target: ModelDescription, _ keys: [[BoxedValue]], in transaction: Transaction) throws {
        if keys.isEmpty || transaction.mark(target) == nil { return }
        let seen = try transaction.held(target, keys, .soft)
        var deletion = Deletion(transaction, .soft)
        let hidden = try deletion.unmarked(target, keys.filter { !seen.contains($0) })
        if hidden.isEmpty { return }
        try deletion.collect(target, hidden)
        try deletion.perform()
    }

    /// The records among some that are not marked as deleted.
    private func unmarked(_ model: ModelDescription, _ keys: [[BoxedValue]]) throws -> [[BoxedValue]] {
        guard let mark = transaction.mark(model), !keys.isEmpty else { return keys }
        return try stride(from: 0, to: keys.count, by: Self.chunk).flatMap { start in
            let part = Array(keys[start..<min(start + Self.chunk, keys.count)])
            let isLeft = SQLExpression(sql: " AND \(SQLIdentifier.quoted(mark)) IS NULL")
            return try select(model.keyColumns, model.table, Self.any(model.keyColumns, part) + isLeft)
        }
    }

    private mutating func deny(
        _ model: ModelDescription, _ owners: [[BoxedValue]], _ property: String, _ target: ModelDescription,
        _ found: [[BoxedValue]]
    ) throws {
        let keys = try unmarked(target, found)
        if keys.isEmpty { return }
        denials.append(
            Denial(
                owner: model,
                identifier: owners.count == 1 ? owners[0].map(\.text).joined(separator: ", ") : nil,
                relationship: property, target: target.table.lowercased(), keys: keys))
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
    static func any(_ columns: [String], _ keys: [[BoxedValue]]) -> SQLExpression {
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
                entity: denial.owner.entity, identifier: denial.identifier, field: denial.relationship)
        }
        for release in releases { try transaction.run(release) }
        for table in order.reversed() {
            guard let entry = entries[table] else { continue }
            let keys = Array(entry.keys)
            transaction.touch(entry.description, entry.keys)
            transaction.noteDeleted(entry.description, entry.keys)
            for start in stride(from: 0, to: keys.count, by: Self.chunk) {
                let part = Array(keys[start..<min(start + Self.chunk, keys.count)])
                try transaction.run(
                    try ending(entry.description) + " WHERE " + Self.any(entry.description.keyColumns, part),
                    entry.description)
            }
        }
        try settleShared()
    }

    /// The beginning of the statement that ends records.
    private func ending(_ model: ModelDescription) throws -> SQLExpression {
        let table = SQLIdentifier.quoted(model.table)
        switch mode {
        case .hard: return SQLExpression(sql: "DELETE FROM \(table)")
        case .soft:
            guard let mark = transaction.mark(model) else {
                throw SluiceError(
                    .refused,
                    "The table `\(model.table)` of `\(model.typeName)` has no column that marks rows as deleted. It gets one from a source that marks them: `missing: .soft`, or `delete_missing` with `mode: soft` of a pipeline.",
                    entity: model.entity)
            }
            return SQLExpression(sql: "UPDATE \(table) SET \(SQLIdentifier.quoted(mark)) = ")
                + SQLExpression(.text(WallClock.now()))
        }
    }
}
