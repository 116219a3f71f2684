import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// A field goes from the pipeline while a conflict over it is open.
@Suite("Conflicts over fields that go")
struct GivenUpConflictTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    @Test("The run closes them, and whoever takes it back has them open again", arguments: Store.allCases)
    func opensAgain(_ store: Store) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.unique = [["b"]]
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"b1"}]"#)
        try shop.sql("INSERT INTO items (id, a, b) VALUES (9, 'own', 'b9')")
        #expect(try shop.syncPlanned(#"[{"id":1,"a":"x","b":"b9"}]"#).0.summary.text == "conflict 1")
        let before = try shop.conflicts
        #expect(before.count == 1 && before[0].contains(" open "), "\(before)")

        let (fields, unique) = (shop.fields, shop.unique)
        shop.fields.removeAll { $0.name == "b" }
        shop.unique = []
        let run = try #require(try shop.syncPlanned().0.run)
        #expect(try shop.conflicts.map { $0.contains(" obsolete ") } == [true])
        let undo = try shop.undoPlanned(run).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        #expect(try shop.conflicts == before)
        (shop.fields, shop.unique) = (fields, unique)
        #expect(try shop.syncPlanned().0.summary.text == "conflict 1")
        #expect(try shop.conflicts == before)
    }
}
