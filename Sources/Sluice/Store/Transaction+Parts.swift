internal import SluiceSQLite

extension Transaction {
    // MARK: Parts that go

    /// Notes that parts were taken out of a record.
    func release(_ target: ModelDescription, _ keys: [[BoxedValue]]) {
        if !keys.isEmpty { released.append((target, keys)) }
    }

    /// Notes that a record is saved by itself: it is meant to stay.
    func keep(_ description: ModelDescription, _ key: [BoxedValue]) {
        if released.isEmpty { return }
        let table = description.lowercasedTable
        for index in released.indices where released[index].target.table.lowercased() == table {
            released[index].keys.removeAll { $0 == key }
        }
    }

    /// Deletes the parts that were taken out of records and that none has by now, and marks those that marked records alone have. One that
    /// moved to another record stays, and one that is being saved within another record waits.
    ///
    /// - Parameter chosen: Those that are looked at, by their tables in lower case, with what goes with them; nil for all.
    /// - Throws: ``SluiceError``.
    func settleParts(_ chosen: [String: Set<[BoxedValue]>]? = nil) throws {
        var chosen = chosen
        var waiting: [(target: ModelDescription, keys: [[BoxedValue]])] = []
        while !released.isEmpty {
            let all = released
            released = []
            for (target, out) in all {
                let table = target.table.lowercased()
                let keys = chosen.map { chosen in out.filter { chosen[table]?.contains($0) == true } } ?? out
                if let chosen {
                    let others = out.filter { chosen[table]?.contains($0) != true }
                    if !others.isEmpty { waiting.append((target, others)) }
                }
                let within = together.within[table] ?? []
                let held = try held(target, keys)
                let inside = keys.filter { within.contains($0) }
                if !inside.isEmpty { waiting.append((target, inside)) }
                try Deletion.markHidden(target, held.filter { !within.contains($0) }, in: self)
                let gone = keys.filter { !held.contains($0) && !within.contains($0) }
                if gone.isEmpty { continue }
                var deletion = Deletion(self)
                try deletion.collect(target, gone)
                try deletion.perform()
            }
            chosen = nil
        }
        released = waiting
    }

    /// The parts among some that a record has.
    ///
    /// - Parameters:
    ///   - target: The model of the parts.
    ///   - keys: The keys of the parts.
    ///   - leaving: What is about to let go of them, with the keys of its owners; nil where nothing is.
    ///   - mode: Whether records that are marked as deleted count: these have their parts, and nobody sees them.
    /// - Returns: The keys of those.
    /// - Throws: ``SluiceError``.
    func held(
        _ target: ModelDescription, _ keys: [[BoxedValue]],
        leaving: (holder: PartHolder, owners: [[BoxedValue]])? = nil, _ mode: DeleteMode = .hard
    ) throws -> Set<[BoxedValue]> {
        var held: Set<[BoxedValue]> = []
        for holder in holders(of: target) {
            var isSeen: SQLExpression?
            if case .soft = mode, let mark = mark(holder.owner) {
                isSeen = SQLExpression(
                    sql:
                        " AND (\(SQLIdentifier.list(holder.owners))) NOT IN (SELECT \(SQLIdentifier.list(holder.owner.keyColumns)) FROM \(SQLIdentifier.quoted(holder.owner.table)) WHERE \(SQLIdentifier.quoted(mark)) IS NOT NULL)"
                )
            }
            for start in stride(from: 0, to: keys.count, by: Deletion.chunk) {
                let part = Array(keys[start..<min(start + Deletion.chunk, keys.count)])
                let table = SQLIdentifier.quoted(holder.table)
                let head = "SELECT DISTINCT \(SQLIdentifier.list(holder.parts)) FROM \(table) WHERE "
                var condition = Deletion.any(holder.parts, part)
                if let leaving, leaving.holder.table == holder.table, leaving.holder.parts == holder.parts {
                    condition = condition + " AND NOT " + Deletion.any(holder.owners, leaving.owners)
                }
                if let isSeen { condition = condition + isSeen }
                try run(SQLExpression(sql: head) + condition) { statement in
                    held.insert(holder.parts.indices.map { StoredColumn(statement: statement, index: $0).value })
                    return true
                }
            }
        }
        return held
    }

    /// Writes a record. Where something stands in its way, those parts that were taken out of records and have its unique values or its
    /// identifier go first. They stay where that does not help, and where the call fails later on: another list may take them yet.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - groups: The positions of fields whose values no other record may have, those of one group together.
    ///   - isNew: Whether it is inserted.
    ///   - body: Writes it.
    /// - Throws: ``SluiceError``.
    func makingRoom(
        for record: BoxedRecord, _ groups: @autoclosure () -> [[Int]], isNew: Bool, _ body: () throws -> Void
    ) throws {
        let description = record.description
        do {
            try SluiceError.translating(of: description, identifier: Self.text(record.key), body)
        } catch let error as SluiceError
            where (error.code == .unique || error.code == .exists) && !released.isEmpty
        {
            try beginCall()
            try part {
                let found = try partsInTheWay(of: record, groups(), isNew: isNew)
                // What the table has to have alone without the model knowing it, nobody can look for.
                try settleParts(found.isEmpty ? nil : found)
                try SluiceError.translating(of: description, identifier: Self.text(record.key), body)
            }
        }
    }

    /// The parts that were taken out of records and that have what a record is to have alone, or lead to what has it.
    ///
    /// - Returns: Their keys, by their tables in lower case.
    private func partsInTheWay(
        of record: BoxedRecord, _ groups: [[Int]], isNew: Bool
    ) throws -> [String: Set<[BoxedValue]>] {
        let description = record.description
        var out: [String: Set<[BoxedValue]>] = [:]
        for (target, keys) in released { out[target.table.lowercased(), default: []].formUnion(keys) }
        var waiting: [(model: ModelDescription, key: [BoxedValue])] = []
        for group in groups where !group.isEmpty && !group.contains(where: { record.values[$0].isNull }) {
            let columns = group.map { description.fields[$0].column }
            let held = try keys(
                description.keyColumns, description.table, columns, group.map { record.values[$0] })
            for key in held where isNew || key != record.key { waiting.append((description, key)) }
        }
        var (seen, found): ([String: Set<[BoxedValue]>], [String: Set<[BoxedValue]>]) = ([:], [:])
        while let (model, key) = waiting.popLast() {
            let table = model.table.lowercased()
            if seen[table]?.contains(key) == true { continue }
            seen[table, default: []].insert(key)
            if out[table]?.contains(key) == true {
                found[table, default: []].insert(key)
                continue
            }
            for holder in holders(of: model) {
                for owner in try keys(holder.owners, holder.table, holder.parts, key) {
                    waiting.append((holder.owner, owner))
                }
            }
        }
        return found
    }

    /// The values of some columns in the rows that hold others.
    private func keys(
        _ columns: [String], _ table: String, _ others: [String], _ values: [BoxedValue]
    ) throws -> [[BoxedValue]] {
        var keys: [[BoxedValue]] = []
        let head = "SELECT \(SQLIdentifier.list(columns)) FROM \(SQLIdentifier.quoted(table)) WHERE "
        try run(SQLExpression(sql: head) + Self.matches(others, values)) { statement in
            keys.append(columns.indices.map { StoredColumn(statement: statement, index: $0).value })
            return true
        }
        return keys
    }

    /// The parts that a record has by properties which are about to be written, and has no more then.
    ///
    /// - Parameters:
    ///   - record: The record as it is to be.
    ///   - fields: The positions of the fields that are written.
    /// - Returns: Their models and keys.
    /// - Throws: ``SluiceError``.
    func replacedParts(
        _ record: BoxedRecord, _ fields: [Int]
    ) throws -> [(target: ModelDescription, key: [BoxedValue])] {
        let description = record.description
        if !description.hasParts { return [] }
        let leading = fields.filter { description.fields[$0].reference?.isPart == true }
        if leading.isEmpty { return [] }
        let columns = SQLIdentifier.list(leading.map { description.fields[$0].column })
        var parts: [(target: ModelDescription, key: [BoxedValue])] = []
        try run(
            SQLExpression(sql: "SELECT \(columns) FROM \(SQLIdentifier.quoted(description.table)) WHERE ")
                + Self.matches(description.keyColumns, record.key), description
        ) { statement in
            for (place, field) in leading.enumerated() {
                let before = StoredColumn(statement: statement, index: place).value
                guard let target = description.fields[field].reference?.target?.modelDescription, !before.isNull,
                    before != record.values[field]
                else { continue }
                parts.append((target, [before]))
            }
            return false
        }
        return parts
    }

    // MARK: Parts of others

    /// Refuses a value with parts of its own that are those of another record already: saving them would change that record.
    ///
    /// A part is a record by value that goes with its owner, in a list or by itself. One that was read, and one that has the values which
    /// are there, is meant.
    func refuseParts<M: PersistentModel>(of value: M) throws {
        let description = M.model.description
        if !description.hasParts { return }
        let lists = description.relationships.indices.filter { description.relationships[$0].isPart }
        let fields = description.fields.indices.filter { description.fields[$0].reference?.isPart == true }
        let record: BoxedRecord
        do throws(BoxError) { record = try BoxedRecord(whole: value) } catch {
            throw SluiceError(error, of: value)
        }
        guard let within = record.within else { return }
        let owned = together.owned
        defer { together.owned = owned }
        if let own = RecordsWithin(of: value.known, in: home) { together.owned.append(own) }
        let owner = value.heldIdentifier == nil ? nil : record.key
        for index in lists {
            guard let made = within.made[index], !made.isEmpty else { continue }
            for part in within.lists[index] ?? [] where made.contains(part.key) {
                try refuse(part, of: description, description.relationships[index].property, owner)
            }
        }
        for index in fields where within.madeSingle.contains(index) {
            guard let part = within.single[index] else { continue }
            try refuse(part, of: description, description.fields[index].property, owner)
        }
    }

    private func refuse(
        _ part: BoxedRecord, of description: ModelDescription, _ property: String, _ owner: [BoxedValue]?
    ) throws {
        let target = part.description
        if part.key.contains(.null) { return }
        // What an owner knows of it was read, and not made.
        if !part.hasOrigin, try read(part) != nil { return }
        let columns = target.fields.map(\.column)
        var values: [BoxedValue] = []
        try run(
            SQLExpression(
                sql: "SELECT \(SQLIdentifier.list(columns)) FROM \(SQLIdentifier.quoted(target.table)) WHERE ")
                + Self.matches(target.keyColumns, part.key), target
        ) { statement in
            values = columns.indices.map { StoredColumn(statement: statement, index: $0).value }
            return false
        }
        if values.isEmpty || values == part.values { return }
        var other: (entity: String, key: [BoxedValue])?
        var isOwn = false
        for holder in holders(of: target) {
            try run(
                SQLExpression(
                    sql:
                        "SELECT \(SQLIdentifier.list(holder.owners)) FROM \(SQLIdentifier.quoted(holder.table)) WHERE ")
                    + Self.matches(holder.parts, part.key), description
            ) { statement in
                let key = holder.owners.indices.map { StoredColumn(statement: statement, index: $0).value }
                if key == owner && holder.owner.table == description.table {
                    isOwn = true
                } else if other == nil {
                    other = (holder.owner.entity, key)
                }
                return true
            }
        }
        guard let other, !isOwn else { return }
        let identifier = owner.map { Self.text($0) }
        let name = [description.entity, identifier].compactMap { $0 }.joined(separator: " ")
        throw SluiceError(
            .exists,
            "\(name), property `\(property)`: \(target.entity) \(Self.text(part.key)) is there already, with other values, and belongs to \(other.entity) \(Self.text(other.key)). Give the new one another identifier, or read that one and save it by itself.",
            entity: description.entity, identifier: identifier, field: property)
    }
}
