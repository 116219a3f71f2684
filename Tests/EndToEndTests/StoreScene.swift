import Foundation
import SluicePostgres
import SluiceSQLite
import TestSupport
import Testing

/// A store that has something of everything: values of all types, references, links, children, an ordered list, redacted
/// fields, rows marked as deleted, conflicts that are open and decided, a record in quarantine, edits, history, state,
/// credentials, due times, and columns and tables of people.
struct StoreScene {
    let folder: TemporaryDirectory
    var path: String { folder.path }
    /// The store in a file.
    var file: String { "sqlite:\(folder.file("issues.db"))" }

    init() throws {
        folder = try TemporaryDirectory()
        try write("issues.yaml", Self.pipeline)
        try write("issues.json", Self.first)
        try expect(sluice("run", "issues.yaml"), 0)
        try execute(
            """
            ALTER TABLE issue ADD COLUMN remark TEXT DEFAULT 'none';
            ALTER TABLE issue ADD COLUMN effort REAL;
            CREATE INDEX issue_remark ON issue (remark);
            CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TRIGGER watch AFTER DELETE ON other BEGIN DELETE FROM other WHERE 0; END;
            CREATE VIEW titles AS SELECT title FROM issue;
            UPDATE issue SET title = 'ours', remark = 'mine', effort = 1.5 WHERE id = 1;
            UPDATE issue SET title = 'ours too' WHERE id = 2
            """)
        try write("issues.json", Self.second)
        try expect(sluice("run", "issues.yaml"), 0)
        try expect(sluice("conflicts", "resolve", "1", "--take", "local"), 0)
        try execute(
            """
            UPDATE issue SET weight = 9.25, data = '{"a": 7}' WHERE id = 2;
            DELETE FROM comment WHERE id = 11;
            INSERT INTO _sluice_credentials VALUES ('c', x'00FF10', '2026-01-02T03:04:05Z');
            INSERT INTO _sluice_state VALUES ('issues', 'issues', '', 'cursor.at', '2026-01-01T00:00:00Z');
            INSERT INTO _sluice_schedule VALUES ('issues', 1700000000, NULL, 1, 'succeeded');
            INSERT INTO _sluice_schedule_runs VALUES ('issues', 1700000000, 1, 1700000001, NULL, NULL, 1700000002,
                'succeeded');
            INSERT INTO _sluice_schedule_marks VALUES ('issues', 1700000000, NULL)
            """)
    }

    /// Runs the program on the store in the file.
    func sluice(_ arguments: String..., store: String? = nil) throws -> Program.Result {
        try Program.start(arguments + ["--store", store ?? file], in: path).wait()
    }

    /// Runs the program as it stands.
    func program(_ arguments: String...) throws -> Program.Result { try Program.start(arguments, in: path).wait() }

    /// Expects an exit code.
    func expect(_ result: Program.Result, _ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #require(result.code == code, "\(result)", sourceLocation: sourceLocation)
    }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    /// Changes a store in a file by hand, without the database looking after references.
    func execute(_ sql: String, in name: String = "issues.db") throws {
        try Connection(path: folder.file(name), mode: .existing).execute(sql)
    }

    /// All rows of all tables of a store in a file, each table sorted.
    func contents(of name: String) throws -> [String: [String]] {
        let connection = try Connection(path: folder.file(name), mode: .existing)
        func texts(_ sql: String) throws -> [[String]] {
            try connection.rows(sql).map { row in
                row.map { value in
                    if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { "\(value)" }
                }
            }
        }
        var contents: [String: [String]] = [:]
        for table in try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'") {
            let columns = try texts("SELECT name FROM pragma_table_info('\(table[0])') ORDER BY name").map {
                "quote(\"\($0[0])\")"
            }
            contents[table[0]] = try texts("SELECT \(columns.joined(separator: ", ")) FROM \"\(table[0])\"")
                .map { $0.joined(separator: "|") }.sorted()
        }
        return contents
    }

    private static let pipeline = """
        version: 1
        name: issues
        source: {base_url: "file:."}
        entities:
          User: {primary_key: [id], fields: {id: int, login: string}}
          Label: {primary_key: [id], fields: {id: int, name: string}}
          Issue:
            primary_key: [id]
            unique: [token]
            on_conflict: {default: manual}
            fields:
              id: int
              title: string
              price: decimal
              at: datetime
              day: date
              token: uuid
              done: bool
              weight: double
              data: json
              mail: {type: string, redact: drop}
              iban: {type: string, redact: mask}
              author: {ref: User, from: user, upsert: true}
              assignee: {ref: User, from: assignee}
              labels: {refs: Label, from: "labels[*]", upsert: true}
            children:
              comments: {entity: Comment, from: "comments[*]", key: [id]}
              steps: {entity: Step, from: "steps[*]", ordered: true}
          Comment: {fields: {id: int, text: string}}
          Step: {fields: {text: string}}
        streams:
          - {name: issues, entity: Issue, path: issues.json, delete_missing: {mode: soft, max_delete: 100%}}
        """

    private static func issue(_ id: Int, _ title: String, _ price: String, _ more: String = "") -> String {
        """
        {"id": \(id), "title": "\(title)", "price": \(price), "at": "2026-01-0\(id)T10:00:00.25Z", "day": "2026-01-0\(id)",
         "token": "0000000\(id)-0000-4000-8000-000000000000", "done": true, "weight": 0.5, "data": {"a": [1, null]},
         "mail": "a@b", "iban": "DE0212030000", "user": {"id": 7, "login": "ann"}, "assignee": null,
         "labels": [{"id": 1, "name": "bug"}, {"id": 2, "name": "ui"}],
         "comments": [{"id": \(id)0, "text": "How?"}, {"id": \(id)1, "text": "Very."}],
         "steps": [{"text": "one"}, {"text": "two"}]\(more)}
        """
    }

    private static let first =
        "["
        + [issue(1, "It is slow", "9.90"), issue(2, "It is fast", "1e3"), issue(3, "Gone", "0")]
        .joined(separator: ",") + "]"

    private static let second =
        "["
        + [
            issue(1, "It is slower", "9.95"), issue(2, "It is faster", "1000"),
            issue(4, "New", "12.5").replacing("\"assignee\": null", with: "\"assignee\": 99"),
            issue(5, "Wrong", "\"n/a\""),
        ].joined(separator: ",") + "]"
}

/// A schema that a store is copied to.
final class StoreSchema {
    private let place: PostgresSchemaURL
    let connection: PostgresConnection
    var store: String { place.store }
    var schema: String { place.schema }

    init() throws {
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute("SET client_min_messages = warning; SET search_path = \(place.schema)")
    }

    deinit { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    /// The name of a table's unique index that is not that of its key.
    func uniqueIndex(of table: String) throws -> String {
        let found = try connection.run(
            """
            SELECT c.relname::text FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
            WHERE i.indrelid = '\(schema).\(table)'::regclass AND i.indisunique AND NOT i.indisprimary
            """
        ).values.first?.first
        guard case .text(let name)? = found else { throw NoIndex(table: table) }
        return "\"\(String(decoding: name, as: UTF8.self))\""
    }

    private struct NoIndex: Error { let table: String }

    var isThere: Bool {
        get throws {
            try connection.integer("SELECT count(*) FROM pg_namespace WHERE nspname = '\(place.schema)'") == 1
        }
    }
}
