import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// An identifier of the type `decimal` is a number, however a person writes it.
@Suite("Identifiers that are decimals")
struct DecimalKeyTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    private func shop(_ store: Store) throws -> Workshop {
        let shop = try Workshop(
            fields: [try field("id", .decimal), try field("a")], rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":"1","a":"x"},{"id":"2.50","a":"y"}]"#)
        return shop
    }

    private func isSpelled(_ report: RunReport) -> Bool { report.schemaChanges.contains { $0.kind == .spellKeys } }

    @Test(
        "A row that was here in another spelling is the record's",
        arguments: Seeds.pairs(in: Store.allCases, ["4.50", "+4.5", "04.5", "45e-1"]))
    func adopted(_ store: Store, _ text: String) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO items (id, a) VALUES ('\(text)', 'own')")
        let all = #"[{"id":"1","a":"x"},{"id":"2.5","a":"y"},{"id":"4.5","a":"own"}]"#
        let (report, _) = try shop.syncPlanned(all)
        #expect(report.summary.insert == 0 && report.summary.conflict == 0, "\(report)")
        #expect(try shop.rows("SELECT count(*) FROM items") == ["3"])
        // A database that compares values has nothing to write.
        let isFile = store == .file
        #expect(isSpelled(report) == isFile)
        #expect(report.schemaChanges.first { $0.kind == .spellKeys }?.rows == (isFile ? 1 : nil))
        if isFile { #expect(try shop.rows("SELECT id FROM items ORDER BY id") == ["'1'", "'2.5'", "'4.5'"]) }
        #expect(try shop.quietRun(renewing: true).written == [])
        // From now on it is a record as any other.
        let (changed, _) = try shop.syncPlanned(all.replacing("own", with: "new"))
        #expect(changed.summary.text == "update 1, unchanged 2")
    }

    @Test("Where it says something else, it is in conflict", arguments: Store.allCases)
    func inConflict(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO items (id, a) VALUES ('4.50', 'mine')")
        let (report, _) = try shop.syncPlanned(
            #"[{"id":"1","a":"x"},{"id":"2.5","a":"y"},{"id":"4.5","a":"theirs"}]"#)
        #expect(report.summary.text == "unchanged 2, conflict 1")
        #expect(try shop.conflicts == [#"add_add a - "mine" "theirs" open 1"#])
        #expect(try shop.rows("SELECT a FROM items ORDER BY a") == ["'mine'", "'x'", "'y'"])
    }

    @Test("A record whose row gets another spelling is as it was", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func respelled(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("UPDATE items SET id = '2.500' WHERE a = 'y'")
        let (report, _) = try shop.syncPlanned()
        #expect(report.summary.text == "unchanged 2")
        #expect(try shop.conflicts == [])
        #expect(try shop.rows("SELECT count(*) FROM items") == ["2"])
        #expect(isSpelled(report) == (store == .file))
    }

    @Test(
        "What refers to a row goes with it, through tables of people too",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func referrers(_ store: Store) throws {
        let shop = try shop(store)
        let type = store == .file ? "TEXT" : "numeric"
        try shop.sql(
            """
            CREATE TABLE lines (item \(type) NOT NULL REFERENCES items (id), no integer NOT NULL, PRIMARY KEY (item, no));
            CREATE TABLE marks (item \(type), no integer, FOREIGN KEY (item, no) REFERENCES lines (item, no));
            INSERT INTO items (id, a) VALUES ('4.50', 'own');
            INSERT INTO lines VALUES ('4.50', 1), ('4.50', 2), ('1', 1);
            INSERT INTO marks VALUES ('4.50', 2), ('1', 1)
            """)
        let (report, _) = try shop.syncPlanned(#"[{"id":"1","a":"x"},{"id":"2.5","a":"y"},{"id":"4.5","a":"own"}]"#)
        #expect(report.status == .succeeded && report.summary.insert == 0, "\(report.problems)")
        #expect(try shop.rows("SELECT count(*) FROM lines AS l JOIN items AS i ON l.item = i.id") == ["3"])
        #expect(
            try shop.rows("SELECT count(*) FROM marks AS m JOIN lines AS l ON m.item = l.item AND m.no = l.no") == ["2"]
        )
        #expect(try shop.database.brokenReferences() == [])
    }

    @Test("Of two rows that are one value neither goes")
    func twoRows() throws {
        let shop = try shop(.file)
        try shop.sql("INSERT INTO items (id, a) VALUES ('2.50', 'own'), ('4.50', 'one'), ('4.500', 'two')")
        let (report, _) = try shop.syncPlanned()
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(report.schemaChanges.map(\.rows) == [1])
        #expect(try shop.rows("SELECT count(*) FROM items") == ["5"])
        #expect(try shop.rows("SELECT a FROM items WHERE id = '2.5'") == ["'y'"])
        let problem = try #require(report.problems.first { $0.code == "key_spelling" })
        #expect(
            problem.message.hasPrefix("2 rows of `items` have identifiers in another spelling"), "\(problem.message)")
        #expect(problem.message.hasSuffix("Delete one of the two, or give it another identifier."))
        #expect(try shop.quietRun().written == [])
    }

    @Test("A rule of the table that lets no identifier change does not end the run")
    func refused() throws {
        let shop = try shop(.file)
        try shop.sql(
            """
            CREATE TRIGGER keep BEFORE UPDATE OF id ON items BEGIN SELECT raise(ABORT, 'kept'); END;
            INSERT INTO items (id, a) VALUES ('4.50', 'own')
            """)
        let (report, _) = try shop.syncPlanned()
        #expect(report.status == .succeeded && !isSpelled(report), "\(report.problems)")
        #expect(try shop.rows("SELECT id FROM items WHERE a = 'own'") == ["'4.50'"])
        // A record of the source stands beside it, and each run says why.
        for json in [#"[{"id":"1","a":"x"},{"id":"2.5","a":"y"},{"id":"4.5","a":"own"}]"#, nil] {
            let (report, _) = try shop.syncPlanned(json)
            let problem = try #require(report.problems.first { $0.code == "key_spelling" })
            #expect(problem.severity == .warning && problem.entity == "Item" && problem.stream == "items")
            let isFirst = json != nil
            let head =
                "1 row of `items` has an identifier in another spelling: `id` is `4.50` there, and `4.5` as it is compared. "
            let reason =
                isFirst
                ? "The table refuses the other one: kept. So the row is not that of the record `4.5` of the source, which gets a row of its own, or counts as deleted here. Change that rule of the table, or write `4.5` there."
                : "Another row has that one already. Delete one of the two, or give it another identifier."
            #expect(problem.message == head + reason)
            #expect(report.problems.count { $0.code == "key_spelling" } == 1)
        }
        #expect(try shop.rows("SELECT id FROM items WHERE a = 'own' ORDER BY id") == ["'4.5'", "'4.50'"])
    }

    @Test(
        "A record is found by any spelling",
        arguments: Seeds.pairs(in: Store.allCases, ["2.5", "2.50", "2.500", "25e-1", #"{"id":"2.50"}"#]))
    func inspected(_ store: Store, _ text: String) throws {
        let shop = try shop(store)
        let lives = try RecordInspector(store: try shop.open(.reading)).lives(entity: "Item", key: text, pipelines: nil)
        #expect(lives.map(\.key) == [#"{"id":"2.5"}"#])
        #expect(lives.map(\.state) == [.live])
    }

    @Test("A row that a person wrote is found as it stands there", arguments: Store.allCases)
    func ownInspected(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO items (id, a) VALUES ('4.50', 'own')")
        let lives = try RecordInspector(store: try shop.open(.reading)).lives(
            entity: "Item", key: "4.50", pipelines: nil)
        #expect(lives.map(\.isThere) == [true])
    }

    @Test("So is a UUID, whatever its letters", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func uuid(_ store: Store) throws {
        let shop = try Workshop(fields: [try field("id", .uuid), try field("a")])
        if store == .schema { shop.database = try WorkshopSchema() }
        let id = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
        _ = try shop.syncPlanned("[]")
        try shop.sql("INSERT INTO items (id, a) VALUES ('\(id.uppercased())', 'own')")
        let (report, _) = try shop.syncPlanned(#"[{"id":"\#(id)","a":"own"}]"#)
        #expect(report.summary.text == "unchanged 1")
        #expect(try shop.rows("SELECT id FROM items") == ["'\(id)'"])
        #expect(isSpelled(report) == (store == .file))
    }

    @Test("A program that keeps its store open has each run look once")
    func eachRun() throws {
        let shop = try shop(.file)
        let store = try shop.open(.running)
        let known = try store.knownTable(pipeline: "shop", stream: "items", entity: "Item")
        let schema = try #require(known?.schema)
        func changes(in run: Int64) throws -> [SchemaChange.Kind] {
            store.startRecording(run: run, naming: FieldJSON.object)
            return try store.openTable(schema).changes.map(\.kind)
        }
        try store.begin()
        _ = try changes(in: 2)
        try store.commit()
        try shop.sql("INSERT INTO items (id, a) VALUES ('4.50', 'own')")
        try store.begin()
        defer { store.rollback() }
        // Each page of a run opens its tables.
        #expect(try changes(in: 2) == [])
        #expect(try changes(in: 3) == [.spellKeys])
        #expect(try changes(in: 3) == [])
    }
}
