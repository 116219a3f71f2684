internal import SluiceJSON
internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore

/// One field whose values have a table of their own. A set is the JSON array of its keys; a key of several values is an
/// array too.
struct PostgresLinks {
    let field: Int
    private let reference: RecordReference
    private let link: RecordLink
    private let owner: String
    private let database: PostgresDatabase
    private let owners: [PostgresColumnType]
    private let targets: [PostgresColumnType]
    private let targetNames: [String]
    private let ownerNames: [String]

    init?(_ reference: RecordReference, owner: String, _ database: PostgresDatabase) throws {
        guard let link = reference.link, let field = reference.fields.first else { return nil }
        let columns = try database.tableColumns(link.table)
        func found(_ names: [String]) -> [PostgresTableColumn] {
            names.compactMap { name in columns.first { ColumnName.areSame($0.column.name, name) } }
        }
        let (owners, targets) = (found(link.ownerColumns), found(link.targetColumns))
        guard owners.count == link.ownerColumns.count, targets.count == link.targetColumns.count else { return nil }
        (self.field, self.reference, self.link, self.owner) = (field, reference, link, owner)
        self.database = database
        (self.owners, self.targets) = (owners.map(\.type), targets.map(\.type))
        (ownerNames, targetNames) = (owners.map(\.column.name), targets.map(\.column.name))
    }

    private var table: String { database.table(link.table) }

    private func isOwner(_ keys: String) -> String {
        ownerNames.enumerated().map { "l.\(SQLText.quoted($1)) = \(keys).o\($0)" }.joined(separator: " AND ")
    }

    /// Arrays of keys as a table `k` of statements, with the place of each.
    private func arrays(_ keys: [RecordKey], from first: Int) -> (sql: String, arrays: [PostgresArray]) {
        let arrays = owners.indices.map { part in
            PostgresArray(
                keys.map { part < $0.values.count ? owners[part].value($0.values[part]) ?? .null : .null },
                of: owners[part].parameter)
        }
        let places = arrays.indices.map { "$\($0 + first)" }.joined(separator: ", ")
        let names = arrays.indices.map { "o\($0)" } + ["n"]
        return ("unnest(\(places)) WITH ORDINALITY AS k(\(names.joined(separator: ", ")))", arrays)
    }

    // MARK: Reading

    /// The sets of owners, in the order of the keys of their members. Within a transaction their pairs are locked, as the rows
    /// of their owners are: nobody else takes one away until it ends.
    ///
    /// - Parameters:
    ///   - keys: The owners' keys.
    ///   - mayWait: Whether some members may wait for their records.
    /// - Returns: A set for each.
    /// - Throws: What the database throws.
    func sets(_ keys: [RecordKey], mayWait: Bool) throws -> [FieldValue] {
        if keys.isEmpty { return [] }
        var members = [Set<RecordKey>](repeating: [], count: keys.count)
        let (list, arrays) = arrays(keys, from: 1)
        var parameters = PostgresParameters()
        for array in arrays { parameters.append(array) }
        let names = targetNames.map { "l.\(SQLText.quoted($0))" }.joined(separator: ", ")
        let own = (ownerNames + targetNames).map { "l.\(SQLText.quoted($0))" }.joined(separator: ", ")
        let lock =
            database.session.connection.transactionState == .open ? " ORDER BY \(own) FOR NO KEY UPDATE OF l" : ""
        var statements = [
            PostgresStatement(
                "SELECT k.n, \(names) FROM \(list) JOIN \(table) AS l ON \(isOwner("k"))\(lock)", parameters)
        ]
        if mayWait {
            var named = parameters
            named.append(PostgresValue(owner))
            named.append(PostgresValue(reference.name))
            let key = database.jsonArray(owners.indices.map { "k.o\($0)" })
            statements.append(
                PostgresStatement(
                    """
                    SELECT k.n, p.target_key FROM \(list) JOIN \(database.ledger("pending")) AS p
                    ON p."table" = $\(arrays.count + 1) AND p.key = \(key) AND p.field = $\(arrays.count + 2)
                    """, named))
        }
        let results = try database.session.translated { try database.session.connection.run(together: statements) }
        for row in results[0].values {
            guard let place = row[0].number, members.indices.contains(Int(place) - 1) else { continue }
            members[Int(place) - 1].insert(RecordKey(row.dropFirst().map { FieldValue($0) }))
        }
        for row in results.dropFirst().first?.values ?? [] {
            guard let place = row[0].number, members.indices.contains(Int(place) - 1),
                let key = (try? JSONDocument(row[1].string ?? ""))?.root
            else { continue }
            members[Int(place) - 1].insert(RecordKey(zip(key.elements, targets).map { FieldValue($0, $1) }))
        }
        return members.map { .text(Array(text($0).utf8)) }
    }

    private func text(_ members: Set<RecordKey>) -> String {
        let elements = members.sorted().map { key in
            let parts = key.values.map { FieldJSON.text($0, type: .string) }
            return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ",") + "]"
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    // MARK: Writing

    /// The statements that make sets those of owners.
    ///
    /// - Parameters:
    ///   - sets: Owners and their sets, as they are stored; null is an empty one.
    ///   - areNew: Whether the owners have none yet.
    /// - Returns: The statements.
    /// - Throws: `PostgresInexact` where a set holds what is no key.
    func writing(_ sets: [(key: RecordKey, set: FieldValue)], areNew: Bool) throws -> [PostgresStatement] {
        if sets.isEmpty { return [] }
        var pairs: [(key: RecordKey, target: [PostgresValue])] = []
        for (key, set) in sets {
            guard case .text(let text) = set, let root = try? JSONDocument(text).root else { continue }
            for element in root.elements {
                let parts = targets.count == 1 ? [element] : element.elements
                let values = zip(parts, targets).map { $1.value(FieldValue($0, $1)) ?? .null }
                guard values.count == targets.count, !values.contains(.null) else {
                    throw PostgresInexact(
                        message: "`\(reference.name)` of `\(owner)` has a key that `\(reference.target)` cannot have",
                        remedy: "Mend or leave out such keys with `expr`, or change the type of the key's column.")
                }
                pairs.append((key, values))
            }
        }
        let (_, pairArrays) = arrays(pairs.map(\.key), from: 1)
        var parameters = PostgresParameters()
        for array in pairArrays { parameters.append(array) }
        for part in targets.indices {
            parameters.append(PostgresArray(pairs.map { $0.target[part] }, of: targets[part].parameter))
        }
        let ownerCount = owners.count
        let places = (1...ownerCount + targets.count).map { "$\($0)" }.joined(separator: ", ")
        let names = owners.indices.map { "o\($0)" } + targets.indices.map { "t\($0)" }
        let elements = "unnest(\(places)) AS e(\(names.joined(separator: ", ")))"
        let isTarget = targetNames.enumerated().map { "l.\(SQLText.quoted($1)) = e.t\($0)" }
        let isSame = isOwner("e") + " AND " + isTarget.joined(separator: " AND ")
        var statements: [PostgresStatement] = []
        if !areNew {
            let (list, ownerArrays) = arrays(sets.map(\.key), from: ownerCount + targets.count + 1)
            var all = parameters
            for array in ownerArrays { all.append(array) }
            statements.append(
                PostgresStatement(
                    """
                    DELETE FROM \(table) AS l USING \(list) WHERE \(isOwner("k"))
                    AND NOT EXISTS (SELECT 1 FROM \(elements) WHERE \(isSame))
                    """, all))
        }
        if !pairs.isEmpty {
            let columns = SQLText.list(ownerNames + targetNames)
            let values = zip(names, owners + targets).map { "CAST(e.\($0) AS \($1.name))" }.joined(separator: ", ")
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO \(table) (\(columns)) SELECT DISTINCT \(values) FROM \(elements)
                    WHERE NOT EXISTS (SELECT 1 FROM \(table) AS l WHERE \(isSame))
                    """, parameters))
        }
        return statements
    }
}

extension FieldValue {
    /// A member of a JSON array of keys, in the form in which a column gives its values.
    init(_ json: JSONValue, _ type: PostgresColumnType) {
        switch json.kind {
        case .integer: self = .integer(json.integer)
        case .bool: self = .integer(json.boolean ? 1 : 0)
        case .string, .number:
            let text = Array((json.string ?? json.numberText ?? "").utf8)
            switch type.form {
            case .timestamp:
                self = PostgresColumnType.timestamp(text).map { FieldValue(.timestamp($0)) } ?? .text(text)
            case .double, .real: self = Double(String(decoding: text, as: UTF8.self)).map { .real($0) } ?? .text(text)
            default: self = .text(text)
            }
        default: self = .null
        }
        if case .integer(let number) = self {
            switch type.form {
            case .numeric, .text: self = .text(Array(String(number).utf8))
            case .double, .real: self = .real(Double(number))
            default: break
            }
        }
    }
}

/// The error where a column would not keep a value as it is.
struct PostgresInexact: Error {
    let message: String
    /// What helps, as a sentence.
    let remedy: String
}
