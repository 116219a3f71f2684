import SluiceModel
import SluicePostgres
import SluiceSQLStore
import SluiceStore
import TestSupport
import Testing

@testable import SluicePostgresStore

@Suite("Tables of a store on PostgreSQL")
struct PostgresTableTests {
    @Test func fieldsHaveTheTypesOfPostgreSQL() throws {
        let place = try PostgresPlace()
        let types: [(name: String, type: FieldType)] = [("id", .int)] + FieldType.allCases.map { ($0.rawValue, $0) }
        let store = try place.store()
        try store.begin()
        _ = try store.openTable(.test(types))
        try store.commit()
        let found = try place.connect().run(
            """
            SELECT column_name::text || ' ' || data_type::text FROM information_schema.columns
            WHERE table_schema = $1 AND table_name = 'items' ORDER BY ordinal_position
            """, [PostgresValue(place.schema)]
        ).values.map { FieldValue(text: $0[0]).words }
        #expect(
            found == [
                "id bigint", "string text", "uuid uuid", "url text", "enum text", "int bigint",
                "double double precision", "decimal numeric", "bool boolean", "date date",
                "datetime timestamp with time zone", "json jsonb", "bytes bytea",
            ])
    }

    struct Misfit: Sendable, CustomTestStringConvertible {
        let type: FieldType
        let value: FieldValue
        let testDescription: String

        init(_ type: FieldType, _ value: FieldValue, _ name: String) {
            (self.type, self.value, testDescription) = (type, value, name)
        }
    }

    static let misfits: [Misfit] = [
        Misfit(.string, .text([0x61, 0]), "a NUL"),
        Misfit(.string, .text([0xED, 0xA0, 0x80]), "half a surrogate pair"),
        Misfit(.json, .text(#"{"a":"\u0000"}"#), "a NUL within JSON"),
        Misfit(.datetime, .text("2026-01-02T03:04:05.1234567Z"), "a seventh digit of a second"),
        Misfit(.decimal, .text("1e-20000"), "more digits than a numeric has"),
        Misfit(.uuid, .text("0A1B2C3D-0000-4000-8000-000000000000"), "a UUID in capital letters"),
    ]

    /// What a type cannot hold without loss is refused alone, whichever way it comes, and with a reason.
    @Test(arguments: misfits)
    func whatATypeCannotHoldIsRefused(_ misfit: Misfit) throws {
        let schema = RecordSchema.test([("id", .int), ("v", misfit.type)])
        let scene = try StoreScene(.postgres)
        try scene.insert(schema, [[.integer(1), .null]])
        let outcome = try scene.table(schema) { table throws in
            let batch = schema.batch([[.integer(2), .null], [.integer(3), misfit.value], [.integer(4), .null]])
            #expect(try table.insert(batch, records: [0, 1, 2], run: 1) == [1])
            #expect(try !table.write(.update(1, [1], [misfit.value])))
            #expect(try table.write(.update(2, [1], [.null])))
            return try table.finishHolding()
        }
        #expect(Set(outcome.refused.keys) == [key(.integer(1)), key(.integer(3))])
        #expect(outcome.refused.values.allSatisfy { !$0.rule.isEmpty && !$0.remedy.isEmpty })
        #expect(try scene.place.rows(of: "items", ["id"]).map { $0[0] } == [1, 2, 4].map { .integer($0) })
    }

    /// The value is the same, whatever its text.
    @Test func textsOfOneValueAreGivenInOneForm() throws {
        let schema = RecordSchema.test([("id", .int), ("d", .decimal), ("j", .json)])
        let scene = try StoreScene(.postgres)
        try scene.insert(schema, [[.integer(1), .text("1.50"), .text(#"{"b":1.0,"a":[]}"#)]])
        try scene.table(schema) { table throws in
            #expect(
                try table.localRow(key(.integer(1))) == [.integer(1), .text("1.50"), .text(#"{"a":[],"b":1.0}"#)])
        }
    }

    // MARK: Round trips

    /// How many round trips it takes to look up, insert and change so many records.
    private func roundTrips(_ count: Int, recording: Bool) throws -> [Int] {
        let schema = RecordSchema.items(unique: [["code"]])
        let place = try PostgresPlace()
        let store = try place.store()
        var trips: [Int] = []
        func counted(_ body: () throws -> Void) throws {
            let before = store.roundTrips
            try body()
            trips.append(store.roundTrips - before)
        }
        let batch = schema.batch((1...count).map { [.integer(Int64($0)), .text("c\($0)"), .text("n")] })
        try store.begin()
        if recording { store.startRecording(run: 1, naming: StoreScene.name) }
        let table = try store.openTable(schema).table
        let keys = (1...count).map { key(.integer(Int64($0))) }
        try counted { () throws in #expect(try table.insert(batch, records: Array(0..<count), run: 1).isEmpty) }
        try store.commit()
        try store.begin()
        if recording { store.startRecording(run: 2, naming: StoreScene.name) }
        let again = try store.openTable(schema).table
        // Statements are prepared, and so is what they need, by the first record.
        _ = try again.localRows([keys[0]])
        var lookup = BaseLookup()
        try counted { try again.lookUp(batch, into: &lookup) }
        #expect(lookup.findings.allSatisfy { $0 == .unchanged })
        try counted {
            let rows = try again.localRows(keys)
            #expect(rows.allSatisfy { $0 != nil })
        }
        let writes = keys.enumerated().map { index, key -> RecordWrite in
            let id = Int64(index + 1)
            let values: [FieldValue] = [.integer(id), .text("c\(id)"), .text("m")]
            switch index % 3 {
            case 0: return .update(id, [2], [.text("m")], base: schema.base(values))
            case 1: return .update(id, [1, 2], [.text("d\(id)"), .text("m")], base: schema.base(values))
            default:
                return RecordWrite(key: key, row: .delete, base: schema.base(values, state: .remoteTombstone))
            }
        }
        try counted { () throws in #expect(try again.write(writes).isEmpty) }
        try store.commit()
        return trips
    }

    @Test(arguments: [false, true])
    func theyDoNotDependOnTheNumberOfRecords(_ isRecorded: Bool) throws {
        let few = try roundTrips(6, recording: isRecorded)
        let many = try roundTrips(900, recording: isRecorded)
        #expect(few == many)
        #expect(many.allSatisfy { $0 < 12 }, "\(many)")
    }

    /// Rows are compared page after page, and none of these reads the whole table.
    @Test(arguments: [[FieldType.int], [.string], [.uuid], [.string, .int]], [false, true])
    func aPageOfRowsIsReadFromWhereItBegins(_ types: [FieldType], _ isOfPeople: Bool) throws {
        let names = types.indices.map { "k\($0)" }
        let schema = RecordSchema.test(Array(zip(names, types)) + [("name", .string)], key: names)
        let scene = try StoreScene(.postgres)
        let place = try #require(scene.place as? PostgresPlace)
        if isOfPeople {
            // Identified by a unique rule and no primary key.
            let columns = zip(names, types).map { "\($0) \(["int": "integer"][$1.rawValue] ?? "text") NOT NULL" }
            try place.connect().execute(
                """
                CREATE SCHEMA IF NOT EXISTS \(PostgresName.quoted(place.schema));
                CREATE TABLE \(place.table("items")) (\(columns.joined(separator: ", ")), name text,
                    UNIQUE (\(names.joined(separator: ", "))))
                """)
        }
        try scene.insert(
            schema,
            (1...4_000).map { number -> [FieldValue?] in
                types.map { type -> FieldValue? in
                    switch type {
                    case .int: .integer(Int64(number))
                    case .uuid: FieldValue("00000000-0000-4000-8000-00000000\(1_000 + number)")
                    default: FieldValue("k\(number)")
                    }
                } + [FieldValue("n")]
            })
        let connection = try place.connect()
        try connection.execute("ANALYZE")
        let scans = "SELECT seq_scan FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'items'"
        let before = try connection.integer(scans, [PostgresValue(place.schema)])
        let store = try place.store()
        let known = try store.knownTable(pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity)
        let table = try #require(known)
        var (count, last): (Int, RecordKey?) = (0, nil)
        repeat {
            let page = try table.comparedRows(after: last, limit: 100, leavingOut: .none)
            count += page.rows.count
            last = page.last
        } while last != nil && count < 5_000
        #expect(count == 4_000)
        try store.session.connection.execute("SELECT pg_stat_force_next_flush(); SELECT 1")
        let after = try connection.integer(scans, [PostgresValue(place.schema)])
        // One look tells whether there is any row.
        #expect((after ?? 0) - (before ?? 0) < 5, "\(after ?? 0) - \(before ?? 0)")
    }

    /// The record of a row is looked up once for each row where references are settled, so that a base which is read whole each
    /// time takes hours.
    @Test(
        arguments: [
            (FieldType.int, nil), (.int, "integer"), (.int, "smallint"), (.string, nil), (.string, "varchar(40)"),
            (.uuid, nil),
        ] as [(FieldType, String?)])
    func theRecordOfARowIsFoundByTheIndexOfItsBase(_ type: FieldType, _ column: String?) throws {
        let place = try PostgresPlace()
        if let column {
            try place.connect().execute(
                """
                CREATE SCHEMA \(PostgresName.quoted(place.schema));
                CREATE TABLE \(place.table("items")) (id \(column) PRIMARY KEY);
                """)
        }
        let store = try place.store()
        try store.begin()
        _ = try store.openTable(.test([("id", type)], key: ["id"]))
        let base = try #require(
            try store.session.connection.run(
                """
                SELECT tablename::text FROM pg_tables WHERE schemaname = $1 AND starts_with(tablename, '_sluice_base')
                """, [PostgresValue(place.schema)]
            ).values.first.map { FieldValue(text: $0[0]).words })
        let key = BaseKey(base: base, row: "b", column: "id")
        let isSame = try store.database.isSame(key, "o.id", as: "id", of: "items")
        try store.session.connection.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        let plan = try store.session.connection.run(
            """
            EXPLAIN SELECT EXISTS (SELECT 1 FROM \(place.table(base)) AS b WHERE \(isSame) AND b.state = 0)
            FROM \(place.table("items")) AS o
            """
        ).values.map { FieldValue(text: $0[0]).words }
        #expect(plan.contains { $0.contains("Index Cond") }, "\(plan.joined(separator: "\n"))")
        store.rollback()
    }

    // MARK: Tables of others

    @Test(
        "Times of columns with a precision are kept as they are, or refused",
        arguments: [
            "timestamp(3) without time zone", "timestamp(3) with time zone", "timestamp(3)",
        ])
    func aPrecisionOfTimesIsKept(type: String) throws {
        let place = try PostgresPlace()
        try place.connect().execute(
            """
            CREATE SCHEMA \(PostgresName.quoted(place.schema));
            CREATE TABLE \(place.table("items")) (id bigint PRIMARY KEY, at \(type));
            """)
        let schema = RecordSchema.test([("id", .int), ("at", .datetime)])
        let store = try place.store()
        try store.begin()
        let (table, changes) = try store.openTable(schema)
        #expect(changes.map(\.kind) == [.adoptTable])
        let times = ["05Z", "05.123Z", "05.1230Z", "05.1234Z"].map { "2026-01-02T03:04:\($0)" }
        let batch = schema.batch(times.enumerated().map { [.integer(Int64($0.offset)), .text($0.element)] })
        #expect(try table.insert(batch, records: [0, 1, 2, 3], run: 1) == [3])
        #expect(
            try (0..<3).map { try table.localRow(key(.integer($0)))?[1] }
                == ["05Z", "05.123Z", "05.123Z"].map { .text("2026-01-02T03:04:\($0)") })
        try store.commit()
    }

    @Test func aTableOfAnotherProgramIsTakenOverAsItIs() throws {
        let place = try PostgresPlace()
        let connection = try place.connect()
        try connection.execute(
            """
            CREATE SCHEMA \(PostgresName.quoted(place.schema));
            CREATE TYPE \(place.table("mood")) AS ENUM ('good', 'bad');
            CREATE TABLE \(place.table("items")) (id serial PRIMARY KEY, code character varying(5) UNIQUE,
                mood \(place.table("mood")), price numeric(10,2), small smallint, at timestamp, note jsonb,
                made timestamptz NOT NULL DEFAULT now(), twice integer GENERATED ALWAYS AS (small * 2) STORED);
            INSERT INTO \(place.table("items")) (code, mood, price, small, at) VALUES ('a', 'good', 1.5, 3, '2026-01-02');
            """)
        let schema = RecordSchema.test([
            ("id", .int), ("code", .string), ("mood", .enumeration), ("price", .decimal), ("small", .int),
            ("at", .datetime), ("note", .json),
        ])
        let store = try place.store()
        try store.begin()
        let (table, changes) = try store.openTable(schema)
        #expect(changes.map(\.kind) == [.adoptTable] && table.mayRefuse)
        #expect(
            try table.localRow(key(.integer(1)))
                == [
                    .integer(1), .text("a"), .text("good"), .text("1.50"), .integer(3), .text("2026-01-02T00:00:00Z"),
                    .null,
                ])
        func record(_ id: Int64, _ mood: String, _ price: String, _ small: Int64, _ code: String) -> [FieldValue?] {
            [
                .integer(id), .text(code), .text(mood), .text(price), .integer(small), .text("2026-01-02T03:04:05Z"),
                .text("[1]"),
            ]
        }
        let batch = schema.batch([
            record(2, "bad", "2.50", 7, "b"), record(3, "ugly", "1", 1, "c"), record(4, "good", "1.234", 1, "d"),
            record(5, "good", "1", 99_999, "e"), record(6, "good", "1", 1, "too long"), record(7, "good", "7", 1, "a"),
        ])
        #expect(try table.insert(batch, records: Array(0...5), run: 1) == [1, 2, 3, 4, 5])
        #expect(try table.write(.update(1, [2, 3], [.text("bad"), .text("9.99")])))
        let outcome = try table.finishHolding()
        #expect(Set(outcome.refused.keys) == [3, 4, 5, 6].map { key(.integer($0)) }.reduce(into: []) { $0.insert($1) })
        #expect(outcome.collisions.map(\.held) == [[.init(field: 1, holder: key(.integer(1)))]])
        let row = try #require(try table.wholeRow(key(.integer(2))))
        #expect(row["made"] != nil && row["twice"] == nil && row["small"] == .integer(7))
        try store.commit()
        #expect(
            try place.rows(of: "items", ["id", "code", "small", "twice"]).first?.map(\.words) == ["1", "a", "3", "6"])
    }

    /// What people may have in columns of their own: as it is declared, and how a statement writes it.
    static let ownValues = [
        ("char(5)", "'ABCDE'"), ("char(5)", "'A'"), ("bpchar", "'abc   '"), ("char(3)[]", "'{abc,de}'"),
        ("\"char\"", "'x'"),
        ("bit(4)", "B'1010'"), ("bit(2)[]", "'{10,01}'"), ("varbit(6)", "B'101'"), ("varchar(3)", "'ab '"),
        ("numeric", "'NaN'"), ("numeric(6,2)", "'NaN'"), ("numeric", "'-Infinity'"), ("real", "'NaN'"),
        ("float8", "'Infinity'"),
        ("timestamptz", "'infinity'"), ("timestamp", "'-infinity'"), ("date", "'infinity'"),
        ("interval(3)", "'1 day 2.5 s'"),
        ("time(0)", "'10:11:12'"), ("money", "12.5"), ("int[]", "'{1,NULL}'"), ("inet", "'10.0.0.1/8'"),
        ("json", "'{\"a\" : 1}'"),
        ("timestamptz", "'20000-01-02 03:04:05.000678+00'"), ("timestamp(3)", "'0044-03-15 12:00:00.25 BC'"),
        ("date", "'20000-01-02'"), ("date", "'0044-03-15 BC'"), ("timetz(2)", "'12:34:56.78+02'"), ("real", "1.1"),
        ("interval day to second(2)", "'3 days 04:05:06.78'"), ("int4range", "'[1,5)'"),
        ("bigint GENERATED ALWAYS AS IDENTITY", "DEFAULT"),
    ]

    /// Undo puts back rows that a run deleted, whatever people have in columns that no field fills.
    @Test(arguments: ownValues)
    func aRowIsPutBackWithAllThatIsInIt(_ type: String, _ value: String) throws {
        let scene = try StoreScene.items(.postgres, "a")
        let place = try #require(scene.place as? PostgresPlace)
        let (connection, items) = (try place.connect(), place.table("items"))
        try connection.execute("ALTER TABLE \(items) ADD COLUMN own \(type); UPDATE \(items) SET own = \(value)")
        let written = "SELECT own::text || '|' || pg_column_size(own) FROM \(items)"
        let before = try connection.run(written).values
        let one = key(.integer(1))
        try scene.table(.items()) { table throws in
            let row = try #require(try table.wholeRow(one))
            try table.write(RecordWrite(key: one, row: .delete, base: nil))
            #expect(try table.write(RecordWrite(key: one, row: .restore(row), base: nil)))
            #expect(try table.finishHolding().refused.isEmpty)
        }
        #expect(try connection.run(written).values == before)
    }

    /// Rows of a partition are rows of its table, and none that went along with them.
    @Test func aPartitionIsNoTableOfItsOwn() throws {
        let place = try PostgresPlace()
        try place.connect().execute(
            """
            CREATE SCHEMA \(PostgresName.quoted(place.schema));
            CREATE TABLE \(place.table("items")) (id bigint PRIMARY KEY, code text, name text) PARTITION BY RANGE (id);
            CREATE TABLE \(place.table("few")) PARTITION OF \(place.table("items")) FOR VALUES FROM (MINVALUE) TO (10);
            CREATE TABLE \(place.table("many")) PARTITION OF \(place.table("items")) FOR VALUES FROM (10) TO (MAXVALUE);
            CREATE TABLE \(place.table("log")) (id bigint);
            INSERT INTO \(place.table("log")) VALUES (20);
            CREATE FUNCTION \(place.table("noted"))() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN DELETE FROM \(place.table("log")) WHERE id = old.id; RETURN old; END $$;
            CREATE TRIGGER noted BEFORE DELETE ON \(place.table("items")) FOR EACH ROW
                EXECUTE FUNCTION \(place.table("noted"))()
            """)
        let store = try place.store()
        let schema = RecordSchema.items()
        try store.begin()
        let table = try store.openTable(schema).table
        let batch = schema.batch([1, 2, 20].map { [.integer($0), .text("c\($0)"), .text("n")] })
        #expect(try table.insert(batch, records: [0, 1, 2], run: 1).isEmpty)
        let writes = [1, 20].map { id in
            RecordWrite(
                key: key(.integer(id)), row: .delete,
                base: schema.base([.integer(id), .text("c\(id)"), .text("n")], state: .remoteTombstone))
        }
        #expect(try table.write(writes).isEmpty)
        #expect(try store.settleReferences().cascaded == ["log": 1])
        try store.commit()
        #expect(try place.rows(of: "items", ["id"]).map { $0[0] } == [.integer(2)])
    }

    @Test func aColumnThatCannotHoldTheFieldIsAMismatch() throws {
        let place = try PostgresPlace()
        try place.connect().execute(
            """
            CREATE SCHEMA \(PostgresName.quoted(place.schema));
            CREATE TABLE \(place.table("items")) (id bigint PRIMARY KEY, code integer, name text NOT NULL, must text NOT NULL)
            """)
        let store = try place.store()
        try store.begin()
        let error = try #require(throws: StoreError.self) { try store.openTable(.items()) }
        #expect(error.code == .mismatch && error.message.contains("code") && error.message.contains("must"))
        store.rollback()
    }

    @Test func aNameThatPostgreSQLWouldCutIsRefused() throws {
        let store = try PostgresPlace().store()
        try store.begin()
        let name = String(repeating: "n", count: 64)
        let error = try #require(throws: StoreError.self) { try store.openTable(.test([("id", .int)], table: name)) }
        #expect(error.code == .mismatch && error.message.contains("63"))
        store.rollback()
    }

    // MARK: Conflicts

    @Test func conflictsAreSeenInAView() throws {
        let scene = try StoreScene.items(.postgres, "ab")
        try scene.transaction { store throws in
            _ = try store.conflicts.insert(.sample())
            _ = try store.openTable(.items())
        }
        let found = try scene.place.rows(
            of: "conflicts_items", ["id", "local_name", "remote_name", "local_code", "conflict_ids", "conflict_source"])
        #expect(found.map { $0.map(\.words) } == [["1", "l", "r", "-", "1", "test/items"]])
        // A column that comes is in it.
        let wider = RecordSchema.test([("id", .int), ("code", .string), ("name", .string), ("price", .double)])
        try scene.transaction { _ = try $0.openTable(wider) }
        #expect(try scene.place.rows(of: "conflicts_items", ["local_price"]).count == 1)
        #expect(try scene.transaction { try $0.openTable(wider).changes } == [])
    }

    // MARK: People beside a run

    /// What was read within a transaction stays as it is until that ends; other rows do not wait.
    @Test func aRowThatWasReadIsNotChangedByOthersMeanwhile() throws {
        let scene = try StoreScene.items(.postgres, "ab")
        let place = try #require(scene.place as? PostgresPlace)
        let store = try scene.place.open()
        try store.begin()
        let table = try store.openTable(.items()).table
        _ = try table.localRow(key(.integer(1)))
        let editor = try place.connect()
        try editor.execute("SET lock_timeout = 100")
        let error = try #require(throws: PostgresError.self) {
            try editor.execute("UPDATE \(place.table("items")) SET name = 'x' WHERE id = 1")
        }
        #expect(error.isLockNotAvailable)
        try editor.execute("UPDATE \(place.table("items")) SET name = 'x' WHERE id = 2")
        #expect(try table.localRow(key(.integer(2)))?[2] == .text("x"))
        try table.write(.update(1, [2], [.text("new")]))
        try store.commit()
        try editor.execute("UPDATE \(place.table("items")) SET name = 'y' WHERE id = 1")
        #expect(try scene.items() == ["1 a y", "2 b x"])
    }
}

extension FieldValue {
    /// A text that a connection gave.
    fileprivate init(text value: PostgresValue) {
        if case .text(let bytes) = value { self = .text(bytes) } else { self = .null }
    }
}
