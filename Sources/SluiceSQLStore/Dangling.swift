internal import SluiceModel

/// The rows of one reference whose targets are not there or are about to go, as parts of statements.
struct Dangling {
    /// Targets that are about to go: a condition for them, called `t`, and its values.
    struct Leaving {
        let condition: String
        let values: [FieldValue]
    }

    let reference: EntityRegistry.Reference
    private let database: any SQLDatabase
    private let leaving: Leaving?
    /// The targets that are meant; nil for all.
    private var targets: [[FieldValue]]?
    /// The stretch of the rows that is meant; nil for all.
    private var stretch: RowStretch?

    /// Makes the parts.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - database: Where it is.
    ///   - leaving: The targets that are about to go; nil for those that are not there.
    init(_ reference: EntityRegistry.Reference, _ database: any SQLDatabase, to leaving: Leaving? = nil) {
        (self.reference, self.database, self.leaving) = (reference, database, leaving)
    }

    /// A stretch of the rows, in the order of ``names``.
    func within(_ stretch: RowStretch?) -> Dangling {
        var part = self
        part.stretch = stretch
        return part
    }

    /// The rows that lead to some targets.
    func leading(to targets: [[FieldValue]]) -> Dangling {
        var part = self
        part.targets = targets
        return part
    }

    /// The values of ``rows``.
    var values: [FieldValue] { targetsMeant + (stretch?.values ?? []) }
    private var targetsMeant: [FieldValue] { (leaving?.values ?? []) + (targets ?? []).flatMap { $0 } }

    /// What tells the rows apart.
    var names: [String] { ownerValues + targetValues }

    /// The table with the columns that refer, and these columns.
    var table: String { database.table(reference.link?.table ?? reference.table) }
    private var columns: [String] { reference.link?.targetColumns ?? reference.columns }
    private var owners: [String] { reference.link?.ownerColumns ?? reference.keyColumns }

    private var condition: String {
        let first = (leaving?.values.count ?? 0) + 1
        let leads = targets.map { targets in
            let each = targets.indices.map { place in
                let parts = targetValues.enumerated().map { "\($1) = ?\(first + place * targetValues.count + $0)" }
                return "(\(parts.joined(separator: " AND ")))"
            }
            return " AND (\(each.joined(separator: " OR ")))"
        }
        return isMeant + (leads ?? "") + (stretch?.condition(from: targetsMeant.count + 1) ?? "")
    }

    private var isMeant: String {
        if let leaving {
            let keys = reference.targetColumns.map { "t.\(SQLText.quoted($0))" }.joined(separator: ", ")
            let own = columns.map { "o.\(SQLText.quoted($0))" }.joined(separator: ", ")
            return
                "(\(own)) IN (SELECT \(keys) FROM \(database.table(reference.target)) AS t WHERE \(leaving.condition))"
        }
        let isThere = columns.map { "o.\(SQLText.quoted($0)) IS NOT NULL" }
        let same = zip(reference.targetColumns, columns).map { "t.\(SQLText.quoted($0)) = o.\(SQLText.quoted($1))" }
        return isThere.joined(separator: " AND ")
            + " AND NOT EXISTS (SELECT 1 FROM \(database.table(reference.target)) AS t WHERE \(same.joined(separator: " AND ")))"
    }

    /// The rows, called `o`.
    var rows: String { "\(table) AS o WHERE \(condition)" }

    /// The owner's key as `_sluice_pending` has it.
    var ownerKey: String { database.jsonArray(ownerValues) }

    /// The values of the owner's key.
    var ownerValues: [String] { owners.map { "o.\(SQLText.quoted($0))" } }

    /// An owner's key as people know it: a JSON object of its fields.
    func ownerName(_ values: [FieldValue]) -> String { reference.ownerName(values) }

    /// The target's key as `_sluice_pending` has it.
    var targetKey: String { database.jsonArray(targetValues) }

    /// The values of the target's key.
    var targetValues: [String] { columns.map { "o.\(SQLText.quoted($0))" } }

    /// A base table of the target, with its columns for the target's key.
    struct Base {
        /// The states of records that their source has.
        static let live = [BaseState.live, .localTombstone].map { String($0.rawValue) }.joined(separator: ", ")
        let table: String
        let columns: [String]
        /// For each of these the position of its value in the key that is given.
        let parts: [Int]

        /// Those of all that fill a table.
        static func all(of table: String, key: [String], _ database: any SQLDatabase) throws -> [Base] {
            let registry = EntityRegistry(database: database)
            var found: [Base] = []
            for mapping in try registry.mappings(of: table) {
                guard let base = try registry.tables(of: mapping)?.base else { continue }
                let slots = try registry.slots(of: mapping).filter { $0.keyPosition != nil }
                let known = key.enumerated().compactMap { part, name in
                    slots.first { ColumnName.areSame($0.column, name) }.map {
                        (part: part, column: TableLayout.baseColumn(for: $0.column))
                    }
                }
                if known.count == slots.count {
                    found.append(Base(table: base, columns: known.map(\.column), parts: known.map(\.part)))
                }
            }
            return found
        }
    }

    /// Limits the rows to those whose targets people deleted: a base says that the source has the record.
    func wasDeletedByHand(_ bases: [Base]) throws -> String {
        let conditions = try bases.map { try isKnown($0, columns, "b.state IN (\(Base.live))") }
        return conditions.isEmpty ? " AND FALSE" : " AND (\(conditions.joined(separator: " OR ")))"
    }

    /// Leaves out the rows whose targets were gone before: people deleted them, or an earlier run did.
    func without(targetsGoneBefore run: Int64?, _ bases: [Base]) throws -> String {
        let before = run.map { " OR b.last_run < \($0)" } ?? ""
        return try bases.map { try " AND NOT " + isKnown($0, columns, "(b.state IN (\(Base.live))\(before))") }.joined()
    }

    /// Leaves out the rows of owners that a run inserted, as their bases say.
    func without(ownersInsertedBy run: Int64, _ bases: [Base]) throws -> String {
        try " AND NOT \(wereInserted(by: run, bases))"
    }

    /// Whether a run inserted the row of an owner, as its bases say: one of them is of the run, and no source had it before.
    private func wereInserted(by run: Int64?, _ bases: [Base]) throws -> String {
        let (now, before) = run.map { ("= \($0)", "<> \($0)") } ?? ("IS NULL", "IS NOT NULL")
        let isNew = try isAny(bases, owners, "b.first_run \(now)")
        let isOld = try isAny(bases, owners, "b.first_run \(before) AND b.state IN (\(Base.live))")
        return "(\(isNew) AND NOT \(isOld))"
    }

    /// Whether a row held the reference before a transaction: it was not inserted by it, and either its target goes in it or
    /// nothing else was written of the row.
    ///
    /// - Parameter run: The run that writes; nil in a plan, whose bases name none.
    /// - Returns: A condition.
    /// - Throws: What the database throws.
    func wasHeld(until run: Int64?) throws -> String {
        let owning = try Base.all(of: reference.table, key: reference.keyColumns, database)
        let wasThere = try "NOT \(wereInserted(by: run, owning))"
        if leaving != nil { return wasThere }
        let isNow = run.map { "b.last_run = \($0)" } ?? "b.last_run IS NULL"
        let aims = try Base.all(of: reference.target, key: reference.targetColumns, database)
        let isUntouched = try "NOT \(isAny(owning, owners, isNow))"
        let isLeft = try isAny(aims, columns, "b.state NOT IN (\(Base.live)) AND \(isNow)")
        return "(\(wasThere) AND (\(isUntouched) OR \(isLeft)))"
    }

    /// Whether any base has the record whose key columns give, in some state.
    private func isAny(_ bases: [Base], _ key: [String], _ condition: String) throws -> String {
        let known = try bases.map { try isKnown($0, key, condition) }
        return known.isEmpty ? "(1 = 0)" : "(\(known.joined(separator: " OR ")))"
    }

    /// Whether a base has the record whose key columns give, in some state.
    private func isKnown(_ base: Base, _ key: [String], _ condition: String) throws -> String {
        let same = try zip(base.columns, key).map {
            try database.isSame(
                BaseKey(base: base.table, row: "b", column: $0), "o.\(SQLText.quoted($1))", as: $1,
                of: reference.link?.table ?? reference.table)
        }
        return
            "EXISTS (SELECT 1 FROM \(database.table(base.table)) AS b WHERE \(same.joined(separator: " AND ")) AND \(condition))"
    }

    /// What forgets what fields of some rows waited for: a field waits for one value, the one that its row held last.
    ///
    /// - Parameter rows: The rows `o`, as what stands behind `FROM`.
    /// - Returns: The statement; nil of links, each of which waits for itself.
    func forgetting(_ rows: String) -> String? {
        if reference.link != nil { return nil }
        return """
            DELETE FROM \(database.ledger("pending")) WHERE "table" = \(SQLText.literal(reference.table))
            AND field = \(SQLText.literal(reference.name)) AND key IN (SELECT \(ownerKey) FROM \(rows))
            """
    }

    /// What takes the references away.
    func removal(_ limit: String) -> String { removal(where: condition + limit) }

    /// What takes references away, of some rows.
    func removal(where condition: String) -> String {
        if reference.link != nil { return "DELETE FROM \(table) AS o WHERE \(condition)" }
        let nulls = columns.map { "\(SQLText.quoted($0)) = NULL" }.joined(separator: ", ")
        return "UPDATE \(table) AS o SET \(nulls) WHERE \(condition)"
    }

    /// Whether a row belongs to an owner and refers to a target, whose keys are parameters one behind the other.
    func matches(from first: Int) -> String {
        (owners + columns).enumerated().map { "o.\(SQLText.quoted($1)) = ?\($0 + first)" }
            .joined(separator: " AND ")
    }
}

extension EntityRegistry.Reference {
    /// An owner's key as people know it: a JSON object of its fields.
    func ownerName(_ values: [FieldValue]) -> String {
        let members = zip(keyFields, values).map { name, value in
            "\(FieldJSON.quoted(name)):\(FieldJSON.text(value, type: .string))"
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
