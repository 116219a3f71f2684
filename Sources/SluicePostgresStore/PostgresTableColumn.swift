internal import SluiceJSON
internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore

/// A column of a table, with its type.
struct PostgresTableColumn: Sendable {
    let column: SQLColumn
    let type: PostgresColumnType
    /// A collation by which texts that differ may be the same; nil for others.
    let looseCollation: String?

    /// The columns of a table by schema and name.
    static let query = """
        SELECT a.attname::text, pg_catalog.format_type(v.type, v.modifier), pg_catalog.format_type(v.type, NULL),
            (SELECT p.n FROM pg_catalog.pg_index AS i, unnest(i.indkey::smallint[]) WITH ORDINALITY AS p(attnum, n)
                WHERE i.indrelid = a.attrelid AND i.indisprimary AND p.attnum = a.attnum),
            a.attnotnull OR v.is_not_null, coalesce((SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid)
                FROM pg_catalog.pg_attrdef AS d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum), v.default_value),
            a.attgenerated <> '' OR a.attidentity = 'a', a.attidentity <> '', a.attcollation <> 0,
            (SELECT quote_ident(n.nspname) || '.' || quote_ident(l.collname) FROM pg_catalog.pg_collation AS l
                JOIN pg_catalog.pg_namespace AS n ON n.oid = l.collnamespace WHERE l.oid = a.attcollation),
            coalesce((SELECT l.collisdeterministic FROM pg_catalog.pg_collation AS l WHERE l.oid = a.attcollation), true)
        FROM pg_catalog.pg_attribute AS a
        CROSS JOIN LATERAL (
            -- Values of a domain are those of the type that it stands for, which may be a domain as well.
            WITH RECURSIVE domains(type, modifier, is_not_null, default_value) AS (
                SELECT a.atttypid, a.atttypmod, false, NULL::text COLLATE pg_catalog."C"
                UNION ALL
                SELECT t.typbasetype, t.typtypmod, d.is_not_null OR t.typnotnull, coalesce(d.default_value, t.typdefault)
                FROM domains AS d JOIN pg_catalog.pg_type AS t ON t.oid = d.type WHERE t.typtype = 'd'
            )
            SELECT d.* FROM domains AS d JOIN pg_catalog.pg_type AS t ON t.oid = d.type WHERE t.typtype <> 'd'
        ) AS v
        WHERE a.attrelid = \(PostgresDatabase.relation(kinds: "'r', 'p'")) AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum
        """

    init?(_ row: [PostgresValue]) {
        guard row.count == 11, let name = row[0].string, let declared = row[1].string, let plain = row[2].string
        else { return nil }
        let isGenerated = row[6] == .bool(true)
        var defaultSQL = isGenerated ? nil : row[5].string
        if row[7] == .bool(true) { defaultSQL = "identity" }
        column = SQLColumn(
            name: name, declared: declared, keyPosition: Int(clamping: row[3].number ?? 0),
            isNotNull: row[4] == .bool(true), defaultSQL: defaultSQL, isGenerated: isGenerated, isStrict: true)
        type = PostgresColumnType(declared, plain: plain, collation: row[8] == .bool(true) ? row[9].string : nil)
        looseCollation = row[10] == .bool(true) ? nil : row[9].string
    }

    /// Whether a column of a declared type can hold the values of a field.
    static func fits(declared: String, _ type: FieldType, isKey: Bool) -> Bool {
        let column = PostgresColumnType(declared)
        switch (type, column.form) {
        case (.int, .int), (.double, .double), (.decimal, .numeric), (.bool, .bool), (.uuid, .uuid), (.date, .date),
            (.bytes, .bytes), (.json, .jsonb), (.datetime, .timestamp):
            return true
        case (.json, .json), (.double, .real): return !isKey
        case (.string, .text), (.url, .text), (.enumeration, .text), (.uuid, .text): return true
        case (.decimal, .text), (.datetime, .text), (.date, .text), (.json, .text): return !isKey
        case (.enumeration, .other), (.string, .other): return !isKey && column.isNamedByPeople
        default: return false
        }
    }
}

extension PostgresColumnType {
    /// The type that a definition names, such as `numeric(10,2)`.
    ///
    /// - Parameters:
    ///   - declared: The type with its modifiers.
    ///   - plain: The type without modifiers; nil where it has none.
    ///   - collation: The collation as statements say it.
    init(_ declared: String, plain: String? = nil, collation: String? = nil) {
        let name = Self.unbounded(plain ?? Self.plain(declared))
        self.name = name
        self.collation = collation
        form =
            switch name {
            case "bigint": .int(Int64.min...Int64.max)
            case "integer": .int(Int64(Int32.min)...Int64(Int32.max))
            case "smallint": .int(Int64(Int16.min)...Int64(Int16.max))
            case "double precision": .double
            case "real": .real
            case "numeric": .numeric(scale: Self.scale(declared))
            case "boolean": .bool
            case "text", "character varying": .text
            case "uuid": .uuid
            case "timestamp with time zone", "timestamp without time zone":
                .timestamp(digits: Self.modifiers(declared).first ?? 6)
            case "date": .date
            case "bytea": .bytes
            case "jsonb": .jsonb
            case "json": .json
            default: .other
            }
    }

    /// The digits behind the point of `numeric(10,2)`; nil for `numeric`.
    private static func scale(_ declared: String) -> Int? {
        let numbers = modifiers(declared)
        return numbers.isEmpty ? nil : numbers.count == 2 ? numbers[1] : 0
    }

    /// The numbers of `numeric(10,2)` or of `timestamp(3) without time zone`.
    private static func modifiers(_ declared: String) -> [Int] {
        guard let start = declared.firstIndex(of: "("), let end = declared.lastIndex(of: ")") else { return [] }
        return declared[declared.index(after: start)..<end].split(separator: ",").compactMap { Int($0) }
    }

    /// A type without its modifiers, which may stand within its name.
    private static func plain(_ declared: String) -> String {
        guard let start = declared.firstIndex(of: "("), let end = declared.lastIndex(of: ")") else { return declared }
        return String(declared[..<start] + declared[declared.index(after: end)...])
    }

    /// The name by which casts take values of any length: without one, `character` and `bit` mean a length of one.
    /// See: postgresql.org/docs/current/datatype-character.html
    private static func unbounded(_ name: String) -> String {
        for (bounded, unbounded) in [("character", "bpchar"), ("bit", "\"bit\"")] {
            let rest = name.hasPrefix(bounded) ? name.dropFirst(bounded.count) : "-"
            if rest.allSatisfy({ "[]".contains($0) }) { return unbounded + rest }
        }
        return name
    }

    /// Whether a base has its values as texts that are not those PostgreSQL writes.
    var isComparedByValue: Bool {
        switch form {
        case .numeric, .timestamp: true
        case .other: name.hasPrefix("timestamp")
        default: false
        }
    }

    /// Whether its values are compared with those of another type without a cast: both are whole numbers, however many bytes
    /// they take, or both are UUIDs.
    func comparesPlainly(with other: PostgresColumnType) -> Bool {
        switch (form, other.form) {
        case (.int, .int), (.uuid, .uuid): true
        default: false
        }
    }

    /// Whether it is a type of people, such as an enum: its values are read from text.
    var isNamedByPeople: Bool {
        if case .other = form { return !Self.known.contains { name.hasPrefix($0) } && !name.hasSuffix("[]") }
        return false
    }

    private static let known = [
        "character", "bpchar", "time", "interval", "money", "inet", "cidr", "macaddr", "bit", "\"bit\"", "point",
        "line", "lseg", "box",
        "path", "polygon", "circle", "ts", "xml", "int", "num", "date", "oid", "\"char\"", "name", "pg_", "reg", "xid",
    ]
}

extension PostgresColumnType: StoredForm {
    func canonical(_ value: FieldValue) -> FieldValue { value }

    func stored(_ value: FieldValue) -> FieldValue? { self.value(value) == nil ? nil : value }

    func stored(expression: String) -> String {
        switch form {
        case .int, .double, .real, .bool: expression
        case .text:
            collation.map { "CAST(\(expression) AS text) COLLATE \($0)" } ?? "CAST(\(expression) AS text)"
        default: "CAST(\(expression) AS \(name))"
        }
    }

    var isOwn: Bool { true }

    var comparesValues: Bool {
        switch form {
        case .int, .double, .text, .date: true
        default: false
        }
    }
}

/// The type of a part of a key, as a base keeps it: one in which values are in the order of their bytes.
struct PostgresKeyType: Sendable {
    let parameter: PostgresType
    private let type: PostgresColumnType
    let isDecimal: Bool

    init(_ field: FieldType) {
        let name =
            switch field {
            case .int: "bigint"
            case .double: "double precision"
            case .bool: "boolean"
            case .uuid: "uuid"
            case .date: "date"
            case .bytes: "bytea"
            case .string, .url, .enumeration, .decimal, .datetime, .json: "text"
            }
        type = PostgresColumnType(name)
        parameter = type.parameter
        isDecimal = field == .decimal
    }

    /// What is sent for a value; null, which no key has, where there can be no such key.
    func value(_ value: FieldValue) -> PostgresValue {
        // What an older base or a hand wrote as a number is the text of it.
        if parameter == .text, case .integer(let number) = value { return .text(Array(String(number).utf8)) }
        return type.value(value) ?? .null
    }

    /// The name of the type, for casts.
    var name: String { type.name }

    /// A value of the key that a row of the entity's table has.
    func canonical(_ value: FieldValue) -> FieldValue {
        guard isDecimal, case .text(let text) = value else { return value }
        // Zeros that a column adds at the end are none of the key's, nor are those that it writes out.
        return DecimalText.normalized(String(decoding: text, as: UTF8.self)).map { FieldValue($0) } ?? value
    }
}
