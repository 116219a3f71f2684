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
        let table = description.table.lowercased()
        for index in released.indices where released[index].target.table.lowercased() == table {
            released[index].keys.removeAll { $0 == key }
        }
    }

    /// Deletes the parts that were taken out of records and that none has by now. One that moved to another record stays.
    func settleParts() throws {
        while !released.isEmpty {
            let all = released
            released = []
            for (target, keys) in all {
                let held = try held(target, keys)
                let gone = keys.filter { !held.contains($0) }
                if gone.isEmpty { continue }
                var deletion = Deletion(self)
                try deletion.collect(target, gone)
                try deletion.perform()
            }
        }
    }

    /// The parts among some that a record has.
    ///
    /// - Parameters:
    ///   - target: The model of the parts.
    ///   - keys: The keys of the parts.
    ///   - leaving: What is about to let go of them, with the keys of its owners; nil where nothing is.
    /// - Returns: The keys of those.
    /// - Throws: ``SluiceError``.
    func held(
        _ target: ModelDescription, _ keys: [[BoxedValue]],
        leaving: (holder: PartHolder, owners: [[BoxedValue]])? = nil
    ) throws -> Set<[BoxedValue]> {
        var held: Set<[BoxedValue]> = []
        for holder in holders(of: target) {
            for start in stride(from: 0, to: keys.count, by: Deletion.chunk) {
                let part = Array(keys[start..<min(start + Deletion.chunk, keys.count)])
                let table = SQLIdentifier.quoted(holder.table)
                let head = "SELECT DISTINCT \(SQLIdentifier.list(holder.parts)) FROM \(table) WHERE "
                var condition = Deletion.any(holder.parts, part)
                if let leaving, leaving.holder.table == holder.table, leaving.holder.parts == holder.parts {
                    condition = condition + " AND NOT " + Deletion.any(holder.owners, leaving.owners)
                }
                try run(SQLExpression(sql: head) + condition) { statement in
                    held.insert(holder.parts.indices.map { StoredColumn(statement: statement, index: $0).value })
                    return true
                }
            }
        }
        return held
    }

    /// Writes a record. Where something stands in its way, parts that were taken out of records go first, so that their unique
    /// values and identifiers are free.
    func makingRoom(
        of description: ModelDescription, identifier: @autoclosure () -> String, _ body: () throws -> Void
    ) throws {
        do {
            try SluiceError.translating(of: description, identifier: identifier(), body)
        } catch let error as SluiceError
            where (error.code == .unique || error.code == .exists) && !released.isEmpty
        {
            try settleParts()
            try SluiceError.translating(of: description, identifier: identifier(), body)
        }
    }

    // MARK: Parts of others

    /// Refuses a value with parts of its own that are those of another record already: saving them would change that record.
    ///
    /// A part is a record of a list by value that goes with its owner. One that was read, and one that has the values which are there,
    /// is meant.
    func refuseParts<M: PersistentModel>(of value: M) throws {
        let description = M.model.description
        let lists = description.relationships.indices.filter {
            description.relationships[$0].isPart
        }
        if lists.isEmpty { return }
        let record: BoxedRecord
        do throws(BoxError) { record = try BoxedRecord(whole: value) } catch {
            throw SluiceError(error, entity: description.entity)
        }
        let owner = value.savedIdentifier == nil ? nil : record.key
        for index in lists {
            guard let made = record.within?.made[index], !made.isEmpty else { continue }
            for part in record.within?.lists[index] ?? [] where made.contains(part.key) {
                try refuse(part, of: description, index, owner)
            }
        }
    }

    private func refuse(
        _ part: BoxedRecord, of description: ModelDescription, _ index: Int, _ owner: [BoxedValue]?
    ) throws {
        let relationship = description.relationships[index]
        guard let target = relationship.target?.modelDescription,
            case .table(let table, let owners, let targets, _) = try LinkDescription(description, index, target)
        else { return }
        var other: [BoxedValue]?
        var isOwn = false
        try run(
            SQLExpression(sql: "SELECT \(SQLIdentifier.list(owners)) FROM \(SQLIdentifier.quoted(table)) WHERE ")
                + Self.matches(targets, part.key), description
        ) { statement in
            let key = owners.indices.map { StoredColumn(statement: statement, index: $0).value }
            if key == owner { isOwn = true } else { other = other ?? key }
            return true
        }
        guard let other, !isOwn else { return }
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
        func text(_ key: [BoxedValue]) -> String { key.map(\.text).joined(separator: ", ") }
        let identifier = owner.map(text)
        let name = [description.entity, identifier].compactMap { $0 }.joined(separator: " ")
        throw SluiceError(
            .exists,
            "\(name), property `\(relationship.property)`: \(target.entity) \(text(part.key)) is there already, with other values, and belongs to \(description.entity) \(text(other)). Give the new one another identifier, or read that one and save it by itself.",
            entity: description.entity, identifier: identifier, field: relationship.property)
    }
}
