import SluiceModel
import SluicePipeline
import SluiceReport
import Testing

/// What people gave a column or a view of a schema of PostgreSQL stays where a run makes the column or the view anew.
@Suite("What people gave columns and views")
struct ColumnBelongingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What people do.
        let sql: String
        /// What it comes to, and is looked at by.
        let query: String
        let expected: String
    }

    static let cases = [
        Case(
            testDescription: "a grant", sql: "GRANT UPDATE (v) ON items TO pg_monitor",
            query: "SELECT has_column_privilege('pg_monitor', 'items', 'v', 'UPDATE')::text", expected: "'true'"),
        Case(
            testDescription: "a grant that may be passed on, to all and to one",
            sql: "GRANT SELECT (v) ON items TO PUBLIC; GRANT SELECT (v) ON items TO pg_monitor WITH GRANT OPTION",
            query: "SELECT has_column_privilege('pg_monitor', 'items', 'v', 'SELECT WITH GRANT OPTION')::text",
            expected: "'true'"),
        Case(
            testDescription: "a comment", sql: "COMMENT ON COLUMN items.v IS 'it''s \"this\"'",
            query:
                "SELECT col_description('items'::regclass, attnum::int) FROM pg_attribute WHERE attrelid = 'items'::regclass AND attname = 'v'",
            expected: "'it's \"this\"'"),
        Case(
            testDescription: "a default", sql: "ALTER TABLE items ALTER COLUMN v SET DEFAULT 2",
            query: "INSERT INTO items (id) VALUES (9) RETURNING v::text", expected: "'2'"),
        Case(
            testDescription: "NOT NULL", sql: "ALTER TABLE items ALTER COLUMN v SET NOT NULL",
            query: "SELECT attnotnull::text FROM pg_attribute WHERE attrelid = 'items'::regclass AND attname = 'v'",
            expected: "'true'"),
        Case(
            testDescription: "a CHECK", sql: "ALTER TABLE items ADD CONSTRAINT v_rule CHECK (v > 0 AND v <> id)",
            query: "SELECT contype::text FROM pg_constraint WHERE conname = 'v_rule' AND conrelid = 'items'::regclass",
            expected: "'c'"),
        Case(
            testDescription: "a unique rule", sql: "ALTER TABLE items ADD CONSTRAINT v_rule UNIQUE (v)",
            query: "SELECT contype::text FROM pg_constraint WHERE conname = 'v_rule' AND conrelid = 'items'::regclass",
            expected: "'u'"),
        Case(
            testDescription: "an index over an expression, of some rows",
            sql: "CREATE INDEX v_index ON items (abs(v)) WHERE v > 1",
            query: "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'v_index'",
            expected: "1"),
        Case(
            testDescription: "statistics over several columns, with their own target and comment",
            sql: "CREATE STATISTICS v_and_id ON v, id FROM items; ALTER STATISTICS v_and_id SET STATISTICS 7; "
                + "COMMENT ON STATISTICS v_and_id IS 'both'",
            query: "SELECT stxstattarget || obj_description(oid, 'pg_statistic_ext') FROM pg_statistic_ext "
                + "WHERE stxname = 'v_and_id' AND stxrelid = 'items'::regclass",
            expected: "'7both'"),
        Case(
            testDescription: "how much is counted of its values",
            sql: "ALTER TABLE items ALTER COLUMN v SET STATISTICS 321, ALTER COLUMN v SET (n_distinct = -0.5)",
            query: "SELECT attstattarget || attoptions::text FROM pg_attribute "
                + "WHERE attrelid = 'items'::regclass AND attname = 'v'",
            expected: "'321{n_distinct=-0.5}'"),
        Case(
            testDescription: "comments on its rule and its index",
            sql: "ALTER TABLE items ADD CONSTRAINT v_noted CHECK (v > 1); CREATE INDEX v_noted_index ON items (v); "
                + "COMMENT ON CONSTRAINT v_noted ON items IS 'r'; COMMENT ON INDEX v_noted_index IS 'i'",
            query: "SELECT string_agg(description, ' ' ORDER BY description) FROM pg_description "
                + "WHERE objoid IN ('v_noted_index'::regclass::oid, (SELECT oid FROM pg_constraint WHERE conname = 'v_noted' "
                + "AND conrelid = 'items'::regclass))",
            expected: "'i r'"),
    ]

    private func shop() throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("v", .int)])
        shop.database = try WorkshopSchema()
        let report = try shop.syncPlanned(#"[{"id":1,"v":5}]"#).0
        try #require(report.status == .succeeded, "\(report.problems)")
        return shop
    }

    @Test("It stays with a column that gets another type, and with one that gets it back", arguments: cases)
    func staysWithTheColumn(_ test: Case) throws {
        let shop = try shop()
        try shop.sql(test.sql)
        shop.fields[1].type = .double
        let report = try shop.syncPlanned(#"[{"id":1,"v":5.5}]"#).0
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(try shop.rows(test.query) == [test.expected])
    }

    @Test("It is given back with the type")
    func staysWithUndo() throws {
        let shop = try shop()
        for test in Self.cases where !test.sql.contains("v_rule UNIQUE") { try shop.sql(test.sql) }
        shop.fields[1].type = .double
        let report = try shop.syncPlanned(#"[{"id":1,"v":5}]"#).0
        let run = try #require(report.run)
        #expect(try shop.undoPlanned(run).report.status == .succeeded)
        for test in Self.cases where !test.sql.contains("v_rule UNIQUE") {
            #expect(try shop.rows(test.query) == [test.expected], "\(test)")
        }
    }

    /// What the database has noted of a rule, an index, a default.
    private static let words = """
        SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'c'
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'v_index'
        UNION ALL SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'items'::regclass ORDER BY 1
        """

    @Test("It has its own words again once the type is back, and those of people where they changed it meanwhile")
    func wordsComeBack() throws {
        let shop = try shop()
        try shop.sql(
            """
            ALTER TABLE items ADD CONSTRAINT v_rule CHECK (v > 0 AND v <> 77), ADD CONSTRAINT v_other CHECK (v < 1000);
            ALTER TABLE items ALTER COLUMN v SET DEFAULT 2; CREATE INDEX v_index ON items (abs(v)) WHERE v > 1
            """)
        let before = try shop.rows(Self.words)
        for round in 1...3 {
            for type in [FieldType.double, .decimal, .int] {
                shop.fields[1].type = type
                let report = try shop.syncPlanned(#"[{"id":1,"v":5}]"#).0
                #expect(report.status == .succeeded, "\(report.problems)")
                #expect(try shop.rows(Self.words).count == before.count)
            }
            #expect(try shop.rows(Self.words) == before, "round \(round)")
        }
        #expect(try shop.rows("SELECT name FROM _sluice_schema WHERE kind = 'words'") == [])
        shop.fields[1].type = .double
        _ = try shop.syncPlanned(#"[{"id":1,"v":5}]"#)
        try shop.sql("ALTER TABLE items DROP CONSTRAINT v_other, ADD CONSTRAINT v_other CHECK (v < 500.5)")
        shop.fields[1].type = .int
        let report = try shop.syncPlanned(#"[{"id":1,"v":5}]"#).0
        #expect(report.status == .succeeded, "\(report.problems)")
        let words = try shop.rows(Self.words)
        #expect(words.filter { before.contains($0) }.count == before.count - 1)
        #expect(words.contains { $0.contains("500.5") })
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// What the message names.
        let named: String
    }

    static let refusals = [
        Refusal(
            testDescription: "a view", sql: "CREATE VIEW by_v AS SELECT v FROM items", named: "by_v depends on column v"
        ),
        Refusal(
            testDescription: "a rule that does not go with the type",
            sql: "ALTER TABLE items ADD CONSTRAINT v_rule CHECK (v > 0)", named: "ADD CONSTRAINT \"v_rule\" CHECK"),
        Refusal(
            testDescription: "a default that does not go with the type",
            sql: "ALTER TABLE items ALTER COLUMN v SET DEFAULT abs(-2)", named: "SET DEFAULT abs("),
    ]

    @Test("What stands against another type is named, and nothing is written", arguments: refusals)
    func isNamed(_ test: Refusal) throws {
        let shop = try shop()
        try shop.sql(test.sql)
        let before = try shop.database.shape()
        shop.fields[1].type = .datetime
        try shop.sql("UPDATE items SET v = NULL")
        let report = shop.sync().report
        let words = report.problems.map(\.message).joined()
        #expect(report.status != .succeeded && words.contains(test.named), "\(words)")
        #expect(words.contains("remove what stands against it"), "\(words)")
        #expect(try shop.database.shape() == before)
    }

    @Test("Who may read the view of conflicts may read it with another column")
    func grantsOfViews() throws {
        let shop = try shop()
        try shop.sql("GRANT SELECT ON conflicts_items TO pg_monitor WITH GRANT OPTION")
        shop.fields.append(try field("w", .string))
        let report = try shop.syncPlanned(#"[{"id":1,"v":5,"w":"x"}]"#).0
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(try shop.rows("SELECT base_w FROM conflicts_items") == [])
        let privilege = "SELECT has_table_privilege('pg_monitor', 'conflicts_items', 'SELECT WITH GRANT OPTION')::text"
        #expect(try shop.rows(privilege) == ["'true'"])
    }

    @Test("Who may read the view of conflicts may read it once its table has another name")
    func grantsOfViewsOfRenamedTables() throws {
        let shop = try shop()
        try shop.sql("GRANT SELECT ON conflicts_items TO pg_monitor")
        var pipeline = shop.pipeline
        (pipeline.entities[0].table, pipeline.entities[0].tableRenamedFrom) = ("goods", "items")
        shop.definition = pipeline
        try shop.sql("UPDATE items SET v = 6")
        let report = try shop.syncPlanned(#"[{"id":1,"v":7}]"#).0
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(try shop.rows("SELECT local_v, remote_v FROM conflicts_goods") == ["'6'|'7'"])
        #expect(
            try shop.rows("SELECT has_table_privilege('pg_monitor', 'conflicts_goods', 'SELECT')::text") == ["'true'"])
        #expect(try shop.rows("SELECT to_regclass('conflicts_items')::text") == ["NULL"])
        #expect(
            try shop.rows("SELECT name, value FROM _sluice_schema WHERE kind = 'view'") == ["'conflicts_goods'|'made'"])
    }

    @Test("What stands on the view of conflicts is named")
    func viewsOnViews() throws {
        let shop = try shop()
        try shop.sql("CREATE VIEW worklist AS SELECT * FROM conflicts_items")
        #expect(try shop.syncPlanned(#"[{"id":1,"v":6}]"#).0.status == .succeeded)
        shop.fields.append(try field("w", .string))
        try shop.put(#"[{"id":1,"v":5,"w":"x"}]"#)
        let report = shop.sync().report
        let words = report.problems.map(\.message).joined()
        #expect(report.problems.contains { $0.code == "schema_mismatch" }, "\(report.problems)")
        #expect(words.contains("The view `conflicts_items`") && words.contains(".worklist depends on"), "\(words)")
        try shop.sql("DROP VIEW worklist")
        #expect(shop.sync().report.status == .succeeded)
    }
}
