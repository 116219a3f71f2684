internal import SluiceSQLite

extension Transaction {
    // MARK: Links

    /// Lets a record lead to others as well.
    ///
    /// - Throws: ``SluiceError``.
    public func add<M: PersistentModel, Target: PersistentModel>(
        _ values: [Target], to owner: M, relationship index: Int
    ) throws {
        try change(owner, index, added: try keys(values), removed: [])
    }

    /// Lets a record no longer lead to others.
    ///
    /// - Throws: ``SluiceError``.
    public func remove<M: PersistentModel, Target: PersistentModel>(
        _ values: [Target], from owner: M, relationship index: Int
    ) throws {
        // Nothing leads to what was never saved.
        try change(owner, index, added: [], removed: try keys(values.filter { $0.heldIdentifier != nil }))
    }

    /// Lets a record lead to others from a place of its order on. Those that it leads to already move.
    ///
    /// - Parameters:
    ///   - values: The records, which stand one behind the other then.
    ///   - position: The place of the first of them, from 0; a place behind the last is the last.
    ///   - owner: The record that leads to them.
    ///   - index: The position of the relationship, as the macro counts.
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel, Target: PersistentModel>(
        _ values: [Target], at position: Int, into owner: M, relationship index: Int
    ) throws {
        var seen: Set<[BoxedValue]> = []
        let keys = try keys(values).filter { seen.insert($0).inserted }
        let (first, last) = (max(0, position), Int.max - keys.count)
        let changes =
            keys.map { OrderChange.remove($0) }
            + keys.enumerated().map { OrderChange.insert($1, at: min(first, last) + $0) }
        let key = try key(of: owner)
        try whole(manyRows: true) { try reorder(M.model.description, index, key, changes) }
    }

    /// The keys of records that links lead to.
    private func keys<M: PersistentModel>(_ values: [M]) throws -> [[BoxedValue]] {
        let description = M.model.description
        return try values.map { value in
            guard let key = try value.heldIdentifier?.key(of: description) else {
                throw SluiceError(
                    .notFound, "Save the \(description.entity) before others lead to it.", entity: description.entity)
            }
            return key
        }
    }

    private func key<M: PersistentModel>(of owner: M) throws -> [BoxedValue] {
        let description = M.model.description
        guard let key = try owner.heldIdentifier?.key(of: description) else {
            throw SluiceError(
                .notFound, "Save the \(description.entity) before what it leads to is changed.",
                entity: description.entity)
        }
        return key
    }

    private func change<M: PersistentModel>(
        _ owner: M, _ index: Int, added: [[BoxedValue]], removed: [[BoxedValue]]
    ) throws {
        let key = try key(of: owner)
        try whole(manyRows: added.count + removed.count > 1) {
            try change(M.model.description, index, key, added, removed)
        }
    }

    /// Gives a record the links that it is to have.
    func apply(_ record: BoxedRecord) throws {
        for (index, change) in record.links.sorted(by: { $0.key < $1.key }) {
            try self.change(record.description, index, record.key, change.added, change.removed)
        }
        for (index, changes) in record.orders.sorted(by: { $0.key < $1.key }) {
            try reorder(record.description, index, record.key, changes)
        }
    }

    /// Gives the ordered links of a record the places that they have after some changes.
    private func reorder(
        _ owner: ModelDescription, _ index: Int, _ key: [BoxedValue], _ changes: [OrderChange<[BoxedValue]>]
    ) throws {
        guard let target = owner.relationships[index].target?.modelDescription,
            case .table(let table, let owners, let targets, _) = try LinkDescription(owner, index, target)
        else { return }
        touch(owner, [key])
        let name = SQLIdentifier.quoted(table)
        let position = SQLIdentifier.quoted(LinkOrder.column)
        var before: [[BoxedValue]] = []
        var places: [BoxedValue] = []
        try run(
            SQLExpression(sql: "SELECT \(SQLIdentifier.list(targets + [LinkOrder.column])) FROM \(name) WHERE ")
                + Self.matches(owners, key)
                + SQLExpression(sql: " ORDER BY \(position) IS NULL, \(position), \(SQLIdentifier.list(targets))"),
            owner
        ) { statement in
            before.append(targets.indices.map { StoredColumn(statement: statement, index: $0).value })
            places.append(StoredColumn(statement: statement, index: targets.count).value)
            return true
        }
        var after = before
        for change in changes { change.apply(to: &after) }
        let kept = Set(after)
        let (had, brought) = (Set(before), Set(changes.flatMap(\.brought)))
        for other in after where brought.contains(other) || !had.contains(other) {
            try refuseMarked(target, other, from: owner, key, owner.relationships[index].property)
        }
        // What is a part of the record goes with its place in it, unless another one takes it.
        if owner.relationships[index].isPart { release(target, before.filter { !kept.contains($0) }) }
        for gone in before where !kept.contains(gone) {
            try run(
                SQLExpression(sql: "DELETE FROM \(name) WHERE ") + Self.matches(owners + targets, key + gone),
                owner)
        }
        let known = Dictionary(zip(before, places)) { first, _ in first }
        for (place, other) in after.enumerated() where known[other] != .integer(Int64(place)) {
            let columns = SQLIdentifier.list(owners + targets + [LinkOrder.column])
            let values = (key + other + [.integer(Int64(place))]).map { SQLExpression($0) }
            try run(
                SQLExpression(sql: "INSERT INTO \(name) (\(columns)) VALUES (") + .list(values)
                    + SQLExpression(
                        sql:
                            ") ON CONFLICT (\(SQLIdentifier.list(owners + targets))) DO UPDATE SET \(position) = excluded.\(position)"
                    ), owner)
            // One that is there already leads where it led.
            if known[other] == nil { try recordLeading(table, owners + targets, key + other, of: owner, isNew: true) }
        }
    }

    private func change(
        _ owner: ModelDescription, _ index: Int, _ key: [BoxedValue], _ added: [[BoxedValue]],
        _ removed: [[BoxedValue]]
    ) throws {
        guard owner.relationships.indices.contains(index),
            let target = owner.relationships[index].target?.modelDescription
        else { return }
        let link = try LinkDescription(owner, index, target)
        for other in added {
            try refuseMarked(target, other, from: owner, key, owner.relationships[index].property)
        }
        touch(owner, [key])
        touch(target, Set(added + removed))
        switch link {
        case .column(let column, _):
            let table = SQLIdentifier.quoted(target.table)
            let name = SQLIdentifier.quoted(column)
            let own = SQLExpression(key.first ?? .null)
            for other in added {
                try run(
                    SQLExpression(sql: "UPDATE \(table) SET \(name) = ") + own + " WHERE "
                        + Self.matches(target.keyColumns, other), target)
                if connection.changes == 0 { throw Self.notFound(target, other) }
                try recordLeading(target, other, isNew: false)
            }
            for other in removed {
                if let needed = target.fields.first(where: { $0.column == column && !$0.isOptional }) {
                    try refuse(toRelease: other, of: target, needed, from: own)
                    continue
                }
                try run(
                    SQLExpression(sql: "UPDATE \(table) SET \(name) = NULL WHERE \(name) = ") + own + " AND "
                        + Self.matches(target.keyColumns, other), target)
            }
        case .table(let table, let ownerColumns, let targetColumns, _):
            let columns = ownerColumns + targetColumns
            let order = LinkOrder(owner, index, target, link)
            for other in added {
                if let order {
                    let pair = zip(columns, key + other).map { (column: $0, value: $1) }
                    try run(order.inserting(into: table, pair), owner)
                } else {
                    try run(
                        SQLExpression(
                            sql:
                                "INSERT OR IGNORE INTO \(SQLIdentifier.quoted(table)) (\(SQLIdentifier.list(columns))) VALUES ("
                        ) + .list((key + other).map { SQLExpression($0) }) + ")", owner)
                }
                try recordLeading(table, columns, key + other, of: owner, isNew: true)
            }
            for other in removed {
                try run(
                    SQLExpression(sql: "DELETE FROM \(SQLIdentifier.quoted(table)) WHERE ")
                        + Self.matches(columns, key + other), owner)
            }
        }
    }

    /// Refuses to leave a record without what it has to lead to; one that leads elsewhere by now is left alone.
    private func refuse(
        toRelease key: [BoxedValue], of model: ModelDescription, _ field: ModelDescription.Field,
        from owner: SQLExpression
    ) throws {
        var isHeld = false
        let head = "SELECT 1 FROM \(SQLIdentifier.quoted(model.table)) WHERE \(SQLIdentifier.quoted(field.column)) = "
        try run(SQLExpression(sql: head) + owner + " AND " + Self.matches(model.keyColumns, key), model) { _ in
            isHeld = true
            return false
        }
        if !isHeld { return }
        throw SluiceError(
            .denied,
            "\(model.entity) \(Self.text(key)) has to have a `\(field.property)`. Let it lead to another record, or delete it.",
            entity: model.entity, identifier: Self.text(key), field: field.property)
    }
}
