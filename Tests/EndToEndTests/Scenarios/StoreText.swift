import SluiceDiagnostics
import SluiceModel
import SluiceSQLite

/// What a store holds, as text for people to review: its tables, what it remembers of the source, its conflicts.
struct StoreText {
    /// What the store remembers of one record.
    struct Base {
        /// As in `id=7`.
        let key: [String]
        let state: String
        let isOpen: Bool
        /// Each field with what the source said: `∅`, `NULL`, a value, or `#` for a digest.
        let fields: [(name: String, text: String)]
    }

    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    var text: String {
        get throws {
            var text = ""
            for table in try names("name NOT GLOB '_sluice_*' AND name NOT GLOB 'sqlite_*'") {
                // When a row was marked as deleted differs each time.
                let columns = try rows("SELECT name FROM pragma_table_info(\(SQLName.quoted(table)))").map { row in
                    row[0] == "'_deleted_at'"
                        ? "iif(_deleted_at IS NULL, NULL, 'deleted')"
                        : SQLName.quoted(String(row[0].dropFirst().dropLast()))
                }
                let list = columns.joined(separator: ", ")
                text += "table \(table)\n"
                text += lines(try rows("SELECT \(list) FROM \(SQLName.quoted(table)) ORDER BY \(list)"))
            }
            for mapping in try mappings() {
                text += "\nbase of \(mapping.name)\n"
                text += try lines(bases(of: mapping).map(Self.words))
            }
            let conflicts = try rows(
                """
                SELECT id, kind, key, coalesce(field, '*'), base, local, remote, policy, status, 'seen ' || seen,
                    'runs ' || first_run || ' to ' || last_run, resolution, 'with ' || other_source
                FROM _sluice_conflicts ORDER BY id
                """
            ).map { $0.last == "NULL" ? $0.dropLast() : $0 }
            if !conflicts.isEmpty { text += "\nconflicts\n" + lines(conflicts) }
            let quarantine = try rows(
                "SELECT id, stream, key, reason, pointer, status FROM _sluice_quarantine ORDER BY id")
            if !quarantine.isEmpty { text += "\nquarantine\n" + lines(quarantine) }
            return text
        }
    }

    private static func words(_ base: Base) -> [String] {
        [base.key.joined(separator: " "), base.state + (base.isOpen ? " open" : "")]
            + base.fields.map { "\($0.name)=\($0.text)" }
    }

    private func lines(_ rows: [[String]]) -> String {
        rows.map { "    " + $0.joined(separator: "  ") + "\n" }.joined()
    }

    private func rows(_ sql: String) throws -> [[String]] { try connection.rows(sql).map { $0.map(Self.text) } }

    private func names(_ condition: String) throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND \(condition) ORDER BY name")
            .map { String($0[0].dropFirst().dropLast()) }
    }

    // MARK: Bases

    private struct Mapping {
        let name: String
        let base: String
    }

    private func mappings() throws -> [Mapping] {
        if try names("name = '_sluice_schema'").isEmpty { return [] }
        return try connection.rows("SELECT name, value FROM _sluice_schema WHERE kind = 'mapping' ORDER BY name").map {
            row in
            let table = Self.plain(row[1]).split(separator: "\t").first.map(String.init)
            return Mapping(name: Self.plain(row[0]), base: table ?? "")
        }
    }

    /// What the store remembers of every record.
    func bases() throws -> [Base] { try mappings().flatMap(bases) }

    private func bases(of mapping: Mapping) throws -> [Base] {
        let slots = try connection.rows(
            "SELECT name, value FROM _sluice_schema WHERE kind = 'slot' ORDER BY CAST(value AS INTEGER)"
        ).filter { Self.plain($0[0]).hasPrefix(mapping.name + "/") }
        let fields = slots.map { String(Self.plain($0[0]).dropFirst(mapping.name.count + 1)) }
        // What a slot is: its number, column, type and place in the key, with tabs between.
        let keys = slots.map { slot in
            let parts = Self.plain(slot[1]).split(separator: "\t", omittingEmptySubsequences: false)
            return parts.count > 3 && !parts[3].isEmpty
        }
        let columns = try rows("SELECT name FROM pragma_table_info(\(SQLName.quoted(mapping.base)))")
            .map { String($0[0].dropFirst().dropLast()) }
        let own = ["row_hash", "fields", "state", "open", "first_run", "last_run", "text_hash", "text_within"]
        let keyColumns = columns.filter { !own.contains($0) }
        let list = (keyColumns + ["state", "open", "fields"]).map(SQLName.quoted).joined(separator: ", ")
        return try connection.rows("SELECT \(list) FROM \(SQLName.quoted(mapping.base)) ORDER BY \(list)").map { row in
            let states = ["0": "live", "1": "tomb_remote", "2": "tomb_local"]
            let key = zip(keyColumns, row).map { "\($0)=\(Self.text($1))" }
            let rest = row.dropFirst(keyColumns.count)
            guard case .blob(let blob)? = rest.last, let entries = BaseCoding.decode(blob, slotCount: fields.count)
            else { return Base(key: key, state: "damaged", isOpen: false, fields: []) }
            let texts = zip(zip(fields, keys), entries).filter { !$0.0.1 }.map { ($0.0.0, Self.text($0.1)) }
            let (state, open) = (Self.text(rest[rest.startIndex]), Self.text(rest[rest.startIndex + 1]))
            return Base(key: key, state: states[state] ?? state, isOpen: open == "1", fields: texts)
        }
    }

    // MARK: Values

    private static func plain(_ value: SQLiteValue) -> String {
        if case .text(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
        return text(value)
    }

    /// A value as SQL writes it, but for characters that would be seen nowhere.
    static func text(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let bytes): "'" + PrintableText.escape(String(decoding: bytes, as: UTF8.self)) + "'"
        case .blob(let bytes): "x'" + bytes.map { String($0, radix: 16) }.joined(separator: ",") + "'"
        }
    }

    private static func text(_ entry: BaseEntry) -> String {
        switch entry {
        case .none: "∅"
        case .null, .value(.null): "NULL"
        case .digest: "#"
        case .value(.integer(let value)): String(value)
        case .value(.real(let value)): String(value)
        case .value(.text(let bytes)): text(.text(bytes))
        case .value(.blob(let bytes)): "x'" + bytes.map { String($0, radix: 16) }.joined(separator: ",") + "'"
        }
    }
}
