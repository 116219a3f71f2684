import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A row whose identifier a person wrote in another spelling is that of its record before the next run has written it anew, for
/// those who look and for those who decide.
@Suite("Identifiers in another spelling before the next run")
struct RespelledKeyTests {
    static let stores = DecimalKeyTests.Store.allCases

    private func shop(_ store: DecimalKeyTests.Store) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .decimal), try field("a")])
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":"1","a":"x"},{"id":"2.5","a":"y"}]"#)
        return shop
    }

    /// Looks at the store, which nobody changes by that.
    private func look<Value>(_ shop: Workshop, _ body: (any RecordStore) throws -> Value) throws -> Value {
        let before = try shop.contents()
        let store = try shop.open(.reading)
        try store.spellKeys()
        let value = try body(store)
        #expect(try shop.contents() == before)
        return value
    }

    @Test("A row of a person's own is found by any spelling", arguments: stores, ["4.5", "4.50", "45e-1"])
    func own(_ store: DecimalKeyTests.Store, _ text: String) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO items (id, a) VALUES ('4.50', 'own')")
        let lives = try look(shop) { try RecordInspector(store: $0).lives(entity: "Item", key: text, pipelines: nil) }
        #expect(lives.map(\.isThere) == [true], "\(lives)")
    }

    @Test("A record whose row has another spelling is there, and is no edit", arguments: stores)
    func record(_ store: DecimalKeyTests.Store) throws {
        let shop = try shop(store)
        try shop.sql("UPDATE items SET id = '2.50' WHERE a = 'y'")
        let (lives, edits) = try look(shop) { store in
            var edits: [RecordEdit] = []
            try EditReader(store: store).edits(pipelines: nil, entity: nil) { edits.append($0) }
            return (try RecordInspector(store: store).lives(entity: "Item", key: "2.5", pipelines: nil), edits)
        }
        #expect(lives.map(\.state) == [.live] && lives.map(\.isThere) == [true])
        #expect(edits.isEmpty, "\(edits)")
    }

    @Test("What refers to it is looked at with it")
    func referrer() throws {
        let shop = try shop(.file)
        try shop.sql(
            """
            CREATE TABLE lines (item TEXT NOT NULL REFERENCES items (id), no INTEGER NOT NULL, PRIMARY KEY (item, no));
            INSERT INTO items (id, a) VALUES ('4.50', 'own'); INSERT INTO lines VALUES ('4.50', 1), ('1', 1)
            """)
        let lives = try look(shop) { try RecordInspector(store: $0).lives(entity: "Item", key: "4.5", pipelines: nil) }
        #expect(lives.map(\.isThere) == [true])
    }

    @Test("An undo takes it back", arguments: stores)
    func undone(_ store: DecimalKeyTests.Store) throws {
        let shop = try shop(store)
        try shop.sql("UPDATE items SET id = '2.50' WHERE a = 'y'")
        let (report, _) = try shop.undoPlanned(1)
        #expect(report.status == .succeeded && report.left == 0, "\(report)")
        #expect(try shop.items == [])
    }

    @Test("A decision is carried out", arguments: stores)
    func decided(_ kind: DecimalKeyTests.Store) throws {
        let shop = try shop(kind)
        try shop.sql("UPDATE items SET a = 'mine' WHERE a = 'y'")
        _ = try shop.syncPlanned(#"[{"id":"1","a":"x"},{"id":"2.5","a":"theirs"}]"#)
        try shop.sql("UPDATE items SET id = '2.50' WHERE a = 'mine'")
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
        _ = try ConflictResolver(store: store).carryOut(&decisions, who: nil)
        try store.commit()
        #expect(decisions.map(\.outcome) == [.resolved])
        #expect(try shop.rows("SELECT a FROM items ORDER BY a") == ["'theirs'", "'x'"])
        #expect(try shop.quietRun(renewing: true).written == [])
    }
}
