internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// The statements for one table of links. A set is the JSON array of its keys; a key of several values is an array too.
struct LinkSQL {
    let reference: RecordReference
    let link: RecordLink
    /// The table of the owner.
    let owner: String

    private var table: String { SQLName.quoted(link.table) }
    private var ownerCount: Int { link.ownerColumns.count }
    /// The parameter after those of the owner's key.
    private var next: String { "?\(ownerCount + 1)" }

    private var matchesOwner: String {
        link.ownerColumns.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }.joined(separator: " AND ")
    }

    /// The values of an element `e` of a set, one for each column.
    private var elementValues: [String] {
        let count = link.targetColumns.count
        return count == 1 ? ["e.value"] : (0..<count).map { "json_extract(e.value, '$[\($0)]')" }
    }

    /// The set of an owner, in the order of the key. In tables of others a pair may stand twice.
    var readLinked: String {
        let names = SQLName.list(link.targetColumns)
        let element = link.targetColumns.count == 1 ? names : "json_array(\(names))"
        return """
            SELECT json_group_array(\(element)) FROM (SELECT DISTINCT \(names) FROM \(table) WHERE \(matchesOwner) ORDER BY \(names))
            """
    }

    /// All links from an owner on, one after the other, in the order of owners and of their sets; of keys of one value each.
    var inOrder: String {
        let names = SQLName.list(link.ownerColumns + link.targetColumns)
        return """
            SELECT DISTINCT \(names) FROM \(table) WHERE \(SQLName.list(link.ownerColumns)) >= ?1 ORDER BY \(names)
            """
    }

    /// An expression for the set of an owner, whose key expressions give.
    func linked(to owners: [String]) -> String {
        let names = link.targetColumns.map { "l." + SQLName.quoted($0) }
        let columns = names.enumerated().map { "\($1) AS c\($0)" }
        let elements = names.indices.map { "c\($0)" }
        let element = elements.count == 1 ? elements[0] : "json_array(\(elements.joined(separator: ", ")))"
        // Without the type of its column a key is compared as a value that is bound.
        let matches = zip(link.ownerColumns, owners).map { "l.\(SQLName.quoted($0)) = +\($1)" }
        return """
            (SELECT json_group_array(\(element)) FROM (SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(table) AS l \
            WHERE \(matches.joined(separator: " AND ")) ORDER BY \(names.joined(separator: ", "))))
            """
    }

    /// The set with those of its members that wait for their records.
    var read: String {
        let names = link.targetColumns.indices.map { "c\($0)" }
        let columns = zip(link.targetColumns, names).map { "\(SQLName.quoted($0)) AS \($1)" }
        let waiting = names.indices.map { "json_extract(target_key, '$[\($0)]')" }
        let element = names.count == 1 ? names[0] : "json_array(\(names.joined(separator: ", ")))"
        return """
            SELECT json_group_array(\(element)) FROM (
            SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(matchesOwner)
            UNION SELECT \(waiting.joined(separator: ", ")) FROM _sluice_pending
            WHERE "table" = \(SQLText.literal(owner)) AND key = \(PendingSQL.key(count: ownerCount))
            AND field = \(SQLText.literal(reference.name))
            ORDER BY \(names.indices.map { "\($0 + 1)" }.joined(separator: ", ")))
            """
    }

    /// Takes away what is not in a set.
    var remove: String {
        let same = zip(link.targetColumns, elementValues).map { "\(table).\(SQLName.quoted($0)) = \($1)" }
        return """
            DELETE FROM \(table) WHERE \(matchesOwner)
            AND NOT EXISTS (SELECT 1 FROM json_each(\(next)) AS e WHERE \(same.joined(separator: " AND ")))
            """
    }

    /// Adds what is in a set and not there yet.
    var add: String {
        let columns = SQLName.list(link.ownerColumns + link.targetColumns)
        let owners = link.ownerColumns.indices.map { "?\($0 + 1)" }
        let same = zip(link.targetColumns, elementValues).map { "l.\(SQLName.quoted($0)) = \($1)" }
        let known = link.ownerColumns.enumerated().map { "l.\(SQLName.quoted($1)) = ?\($0 + 1)" } + same
        return """
            INSERT OR ABORT INTO \(table) (\(columns)) SELECT DISTINCT \((owners + elementValues).joined(separator: ", "))
            FROM json_each(\(next)) AS e
            WHERE NOT EXISTS (SELECT 1 FROM \(table) AS l WHERE \(known.joined(separator: " AND ")))
            """
    }

    /// Adds one whose columns are the parameters, where it is not there yet.
    ///
    /// - Parameter isUnique: Whether the table itself sees to it that a pair is there once.
    /// - Returns: The statement.
    func addOne(isUnique: Bool) -> String {
        let columns = link.ownerColumns + link.targetColumns
        let parameters = columns.indices.map { "?\($0 + 1)" }
        if isUnique {
            return """
                INSERT INTO \(table) (\(SQLName.list(columns))) VALUES (\(parameters.joined(separator: ", ")))
                ON CONFLICT (\(SQLName.list(columns))) DO NOTHING
                """
        }
        let known = zip(columns, parameters).map { "\(SQLName.quoted($0)) = \($1)" }
        return """
            INSERT OR ABORT INTO \(table) (\(SQLName.list(columns))) SELECT \(parameters.joined(separator: ", "))
            WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE \(known.joined(separator: " AND ")))
            """
    }

    /// What an owner leads to, by the one column of it.
    var targets: String { "SELECT \(SQLName.quoted(link.targetColumns[0])) FROM \(table) WHERE \(matchesOwner)" }

    /// Takes one pair away.
    var removeOne: String {
        "DELETE FROM \(table) WHERE \(matchesOwner) AND \(SQLName.quoted(link.targetColumns[0])) = \(next)"
    }

    /// Takes away all of an owner.
    var clear: String { "DELETE FROM \(table) WHERE \(matchesOwner)" }
}

/// What waits in `_sluice_pending`.
enum PendingSQL {
    /// A key of parameters as the table has it.
    static func key(count: Int) -> String { "json_array(\((1...count).map { "?\($0)" }.joined(separator: ", ")))" }

    /// Whether something of a record waits, whose key expressions give.
    static func waits(_ key: [String], of table: String) -> String {
        """
        EXISTS (SELECT 1 FROM _sluice_pending AS p WHERE p."table" = \(SQLText.literal(table)) \
        AND p.key = json_array(\(key.joined(separator: ", "))))
        """
    }

    /// A key of columns as the table has it.
    static func key(_ columns: [String], of table: String) -> String {
        "json_array(\(columns.map { "\(table).\(SQLName.quoted($0))" }.joined(separator: ", ")))"
    }
}
