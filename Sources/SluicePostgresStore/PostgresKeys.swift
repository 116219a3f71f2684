internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore

/// The keys of a table and of its base, as statements compare them.
struct PostgresKeys {
    /// A part of the key.
    private struct Part {
        let type: PostgresKeyType
        /// The column of the base, in quotes.
        let base: String
        /// The column of the entity's table, in quotes.
        let own: String
        let column: PostgresColumnType

        /// What is sent for a value; null where the column cannot hold it, so that there is no such row.
        func value(_ value: FieldValue) -> PostgresValue {
            // The base has the text of a decimal, which the column makes a number of.
            if type.isDecimal, column.value(value) == nil { return .null }
            return type.value(value)
        }

        /// Whether the table has the values in the order in which the base has them.
        var isOrderedAlike: Bool {
            switch (type.parameter, column.form) {
            case (.int8, .int), (.float8, .double), (.bool, .bool), (.uuid, .uuid), (.date, .date), (.bytea, .bytes):
                true
            case (.text, .text): !type.isDecimal && column.collation == "pg_catalog.\"C\""
            default: false
            }
        }
    }

    private let parts: [Part]

    init(_ layout: TableLayout, _ columns: [PostgresTableColumn]) {
        parts = zip(layout.schema.keyFields, layout.baseKeyColumns).map { field, base in
            let field = layout.schema.fields[field]
            let column = columns.first { ColumnName.areSame($0.column.name, field.column) }
            return Part(
                type: PostgresKeyType(field.type), base: SQLText.quoted(base),
                own: SQLText.quoted(column?.column.name ?? field.column),
                column: column?.type ?? PostgresColumnType("text"))
        }
    }

    var count: Int { parts.count }

    /// Whether the base holds each key that the table holds. A decimal is longer as a text.
    var areAlwaysHeld: Bool { !parts.contains(where: \.type.isDecimal) }

    /// The columns of the base, `b`.
    var baseColumns: String { parts.map { "b." + $0.base }.joined(separator: ", ") }

    /// The columns of the base as a statement that inserts names them.
    var baseNames: [String] { parts.map(\.base) }

    /// The columns of the entity's table, `t`.
    var ownColumns: String { parts.map { $0.column.read("t." + $0.own) }.joined(separator: ", ") }

    /// The first column of the entity's table, `t`.
    var firstOwn: String { "t." + (parts.first?.own ?? "") }

    // MARK: Lists

    /// Keys as a table `k` with the columns `k0`, `k1`, …, and `n`, the place of each from 1.
    ///
    /// - Parameters:
    ///   - keys: The keys, or as many of their first values each.
    ///   - others: Further arrays as columns of that table, by name.
    ///   - parameters: Grows by the arrays.
    /// - Returns: The table.
    func list(
        _ keys: [RecordKey], _ others: [(name: String, array: PostgresArray)],
        _ parameters: inout PostgresParameters
    ) -> String {
        let count = keys.first?.values.count ?? parts.count
        let first = parameters.count + 1
        for (index, part) in parts.prefix(count).enumerated() {
            var array = PostgresArray(of: part.type.parameter)
            for key in keys { array.append(index < key.values.count ? part.value(key.values[index]) : .null) }
            parameters.append(array)
        }
        for other in others { parameters.append(other.array) }
        let total = min(count, parts.count) + others.count
        let places = (0..<total).map { "$\($0 + first)" }.joined(separator: ", ")
        let names = parts.prefix(count).indices.map { "k\($0)" } + others.map(\.name) + ["n"]
        return "unnest(\(places)) WITH ORDINALITY AS k(\(names.joined(separator: ", ")))"
    }

    /// Keys alone as such a table.
    func list(_ keys: [RecordKey], _ parameters: inout PostgresParameters) -> String { list(keys, [], &parameters) }

    // MARK: Conditions

    /// Whether a row of the base, `b`, begins with a key of the list.
    func isBase(_ count: Int? = nil) -> String {
        parts.prefix(count ?? parts.count).enumerated().map { "b.\($1.base) = k.k\($0)" }.joined(separator: " AND ")
    }

    /// Whether a row of the entity's table, `t`, begins with a key of the list.
    func isOwn(_ count: Int? = nil) -> String {
        parts.prefix(count ?? parts.count).enumerated().map { index, part in
            "t.\(part.own) = \(part.column.stored(expression: "k.k\(index)"))"
        }.joined(separator: " AND ")
    }

    /// Whether a row of the entity's table, `t`, is that of a row of the base, `b`.
    var isSame: String {
        parts.map { "t.\($0.own) = \($0.column.stored(expression: "b." + $0.base))" }.joined(separator: " AND ")
    }

    /// Whether a row of the entity's table, `t`, is that of a row of the base that stands behind a key: so said that the table is
    /// read from there and not from its beginning.
    ///
    /// - Parameter places: Where the values of that key are among the parameters, such as `$1, $2`; none for the beginning.
    /// - Returns: Nil where the table has its keys in another order.
    func isSameBehind(_ places: String) -> String? {
        guard parts.allSatisfy(\.isOrderedAlike) else { return nil }
        let own = parts.map { "t." + $0.own }.joined(separator: ", ")
        return places.isEmpty ? isSame : "\(isSame) AND (\(own)) > (\(places))"
    }

    /// Whether some columns of the entity's table are all that a key consists of.
    func areOwn(_ names: [String]) -> Bool {
        names.count == parts.count
            && parts.allSatisfy { part in names.contains { ColumnName.areSame(SQLText.quoted($0), part.own) } }
    }

    /// Whether each row of the table is found by one key of the base alone.
    var areExact: Bool {
        guard parts.count == 1, case .int8 = parts[0].type.parameter, case .int = parts[0].column.form else {
            return false
        }
        return true
    }

    /// Whether a row of the entity's table, `t`, has a key.
    var hasKey: String { parts.map { "t.\($0.own) IS NOT NULL" }.joined(separator: " AND ") }

    /// The key of the list as `_sluice_pending` has it.
    func pending(_ database: PostgresDatabase) -> String {
        database.jsonArray(parts.enumerated().map { $1.column.stored(expression: "k.k\($0)") })
    }

    // MARK: Order

    /// Rows of the base behind a key, in the order of the key.
    func after(_ last: RecordKey?, _ parameters: inout PostgresParameters) -> (condition: String, order: String) {
        let places = self.places(of: last, &parameters)
        return (places.isEmpty ? "" : "(\(baseColumns)) > (\(places)) AND ", baseColumns)
    }

    /// Adds the values of a key; where they are, as a statement names them.
    func places(of key: RecordKey?, _ parameters: inout PostgresParameters) -> String {
        guard let key else { return "" }
        let places = parts.indices.map { "$\($0 + parameters.count + 1)" }.joined(separator: ", ")
        for (part, value) in zip(parts, key.values) { parameters.append(part.type.value(value)) }
        return places
    }

    /// Rows of the entity's table behind a key, in the order of the key.
    func ownAfter(_ last: RecordKey?, _ parameters: inout PostgresParameters) -> (condition: String, order: String) {
        let order = parts.map { part in
            if case .text = part.column.form { return "t.\(part.own) COLLATE \"C\"" }
            return "t.\(part.own)"
        }.joined(separator: ", ")
        guard let last else { return ("", order) }
        var places: [String] = []
        for (part, value) in zip(parts, last.values) {
            parameters.append(part.type.value(value))
            let place = "$\(parameters.count)"
            if case .text = part.column.form {
                places.append(place)
            } else {
                places.append(part.column.stored(expression: place))
            }
        }
        return ("(\(order)) > (\(places.joined(separator: ", "))) AND ", order)
    }

    // MARK: Reading

    /// The key that a row of the base begins with.
    func key(_ row: some Sequence<PostgresValue>) -> RecordKey { RecordKey(row.prefix(count).map { FieldValue($0) }) }

    /// The key of the base whose values stand in a row of a result from a column on.
    func key(_ result: PostgresResult, _ row: Int, from first: Int) -> RecordKey {
        RecordKey(parts.indices.map { FieldValue(result.value(row, first + $0)) })
    }

    /// The key that a row of the entity's table begins with.
    func ownKey(_ row: some Sequence<PostgresValue>) -> RecordKey {
        RecordKey(zip(row, parts).map { $1.type.canonical(FieldValue($0)) })
    }

    /// Adds the values that the base has of a key.
    func append(_ key: RecordKey, to fields: inout PostgresFields) {
        for (part, value) in zip(parts, key.values) { fields.append(part.type.value(value)) }
    }

    /// The type of each part.
    var parameterTypes: [PostgresType] { parts.map(\.type.parameter) }
}
