import SluiceSQLStore
import SluiceSQLiteStore
import Testing

/// A table of SQLite that is made anew keeps all that people said in it, but for what changes.
@Suite struct TableDefinitionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let change: @Sendable (inout TableRevision) -> Void
        let result: String?
    }

    static let cases = [
        Case(
            testDescription: "a key in its column",
            sql: #"CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, "code" TEXT) STRICT"#, change: { $0.key = ["code"] },
            result: #"CREATE TABLE "new" ("id" INTEGER, "code" TEXT NOT NULL, PRIMARY KEY ("code")) STRICT"#),
        Case(
            testDescription: "a key that is a whole number",
            sql: #"CREATE TABLE "t" ("id" INTEGER DEFAULT 1, "code" TEXT NOT NULL, PRIMARY KEY ("code")) STRICT"#,
            change: { $0.key = ["id"] },
            result: #"CREATE TABLE "new" ("id" INTEGER PRIMARY KEY DEFAULT 1, "code" TEXT) STRICT"#),
        Case(
            testDescription: "a key that is a whole number, of a table without row numbers",
            sql: #"CREATE TABLE "t" ("id" INTEGER, "code" TEXT NOT NULL, PRIMARY KEY ("code")) STRICT, WITHOUT ROWID"#,
            change: { $0.key = ["id"] },
            result:
                #"CREATE TABLE "new" ("id" INTEGER NOT NULL, "code" TEXT, PRIMARY KEY ("id")) STRICT, WITHOUT ROWID"#),
        Case(
            testDescription: "comments, names, defaults, checks and generated columns",
            sql: """
                CREATE TABLE t (id INTEGER CONSTRAINT k PRIMARY KEY ASC ON CONFLICT REPLACE DEFAULT 3 CHECK (id > 0), -- , (
                 code TEXT COLLATE NOCASE NOT NULL DEFAULT 'a, (b', /* x, y */ n INTEGER AS (id + 1) STORED) STRICT
                """, change: { $0.key = ["code"] },
            result:
                #"CREATE TABLE "new" (id INTEGER DEFAULT 3 CHECK (id > 0), code TEXT COLLATE NOCASE DEFAULT 'a, (b' NOT NULL, n INTEGER AS (id + 1) STORED, PRIMARY KEY ("code")) STRICT"#
        ),
        Case(
            testDescription: "a key beside the columns, and a column that goes with its foreign key",
            sql:
                #"CREATE TABLE "t" ("order_id" INTEGER NOT NULL, "sku" TEXT NOT NULL, "number" TEXT, PRIMARY KEY ("order_id", "sku"), FOREIGN KEY ("order_id") REFERENCES "orders" ("id")) STRICT, WITHOUT ROWID"#,
            change: {
                $0.key = ["number", "sku"]
                $0.dropped = ["order_id"]
                $0.foreignKeys = [#"FOREIGN KEY ("number") REFERENCES "orders" ("number")"#]
            },
            result:
                #"CREATE TABLE "new" ("sku" TEXT NOT NULL, "number" TEXT NOT NULL, PRIMARY KEY ("number", "sku"), FOREIGN KEY ("number") REFERENCES "orders" ("number")) STRICT, WITHOUT ROWID"#
        ),
        Case(
            testDescription: "a foreign key in its column goes, and others stay",
            sql:
                #"CREATE TABLE t (a INTEGER NOT NULL REFERENCES p(id) ON DELETE SET NULL NOT DEFERRABLE DEFAULT 5, b TEXT, UNIQUE (a, b), CONSTRAINT f FOREIGN KEY (b) REFERENCES q)"#,
            change: { $0.released = [["a"]] },
            result:
                #"CREATE TABLE "new" (a INTEGER NOT NULL DEFAULT 5, b TEXT, UNIQUE (a, b), CONSTRAINT f FOREIGN KEY (b) REFERENCES q)"#
        ),
        Case(
            testDescription: "other quotes, and a column that takes the place of another",
            sql: #"CREATE TABLE [t] ([a b] INTEGER PRIMARY KEY, `c``d` TEXT, "_sluice_x" TEXT, x INTEGER)"#,
            change: {
                $0.key = ["c`d"]
                $0.dropped = ["x"]
                $0.renamed = ["_sluice_x": "x"]
            }, result: #"CREATE TABLE "new" ([a b] INTEGER, `c``d` TEXT NOT NULL, "x" TEXT, PRIMARY KEY ("c`d"))"#),
        Case(
            testDescription: "a key that takes another type, in a group that stays unique",
            sql: #"CREATE TABLE t ("id" INTEGER PRIMARY KEY, n TEXT, "_sluice_id" TEXT, UNIQUE (id, n), UNIQUE (n))"#,
            change: {
                $0.key = ["id"]
                $0.dropped = ["id"]
                $0.renamed = ["_sluice_id": "id"]
            },
            result:
                #"CREATE TABLE "new" (n TEXT, "id" TEXT NOT NULL, UNIQUE (id, n), UNIQUE (n), PRIMARY KEY ("id"))"#),
        Case(
            testDescription: "columns that stand where others stood",
            sql: #"CREATE TABLE "t" ("a" INTEGER, "b" TEXT, "own" TEXT, "x" TEXT, "_sluice_b" TEXT) STRICT"#,
            change: {
                $0.dropped = ["a", "b"]
                $0.renamed = ["_sluice_b": "b"]
                $0.places = [(["a"], ["x"]), (["b"], ["_sluice_b"])]
            }, result: #"CREATE TABLE "new" ("x" TEXT, "b" TEXT, "own" TEXT) STRICT"#),
        Case(
            testDescription: "a part of the identifier that stays, and one more",
            sql: #"CREATE TABLE "t" ("id" INTEGER, "u_id" INTEGER, "own" TEXT, "u_mail" TEXT) STRICT"#,
            change: { $0.places = [(["u_id"], ["u_id", "u_mail"])] },
            result: #"CREATE TABLE "new" ("id" INTEGER, "u_id" INTEGER, "u_mail" TEXT, "own" TEXT) STRICT"#),
        Case(testDescription: "no columns", sql: "CREATE TABLE t AS SELECT 1", change: { _ in }, result: nil),
    ]

    @Test(arguments: cases)
    func revises(_ example: Case) {
        var revision = TableRevision()
        example.change(&revision)
        #expect(TableDefinition(example.sql)?.statement(revision, as: "new") == example.result)
    }
}
