import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// A run that brings a value back from the quarantine with its type, and is taken back itself.
@Suite("A value that came back, and the undo of the run that brought it")
struct RestoredValueTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    private let open = "SELECT reason || ' ' || value FROM _sluice_quarantine WHERE status = 'open'"

    /// A text that is no number, in the quarantine since run 2, and back by run 3.
    private func shop(_ store: Store) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("v")])
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":1,"v":"n/a"},{"id":2,"v":"5"}]"#)
        try retype(shop, .int, #"[{"id":1},{"id":2,"v":5}]"#)
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|NULL", "2|5"])
        try retype(shop, .string, #"[{"id":1,"v":"n/a"},{"id":2,"v":"5"}]"#)
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|'n/a'", "2|'5'"])
        #expect(try shop.rows(open) == [])
        return shop
    }

    private func retype(_ shop: Workshop, _ type: FieldType, _ json: String) throws {
        shop.fields[1].type = type
        shop.adjustOptions = { $0.quarantinesMisfits = true }
        #expect(try shop.syncPlanned(json).0.status == .succeeded)
    }

    @Test("It goes there again, with what its source said last", arguments: Store.allCases)
    func goesBack(_ store: Store) throws {
        let shop = try shop(store)
        let undo = try shop.undoPlanned(3).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        #expect(undo.schemaChanges.filter { $0.kind == .quarantineValues }.map(\.rows) == [1], "\(undo.schemaChanges)")
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|NULL", "2|5"])
        #expect(try shop.rows(open) == [#"'type_changed:v "n/a"'"#])
        try retype(shop, .string, #"[{"id":1,"v":"n/a"},{"id":2,"v":"5"}]"#)
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|'n/a'", "2|'5'"])
        let next = try shop.syncPlanned(#"[{"id":1,"v":"soon"},{"id":2,"v":"5"}]"#).0
        #expect(next.summary.text == "update 1, unchanged 1")
    }

    /// A number was a text before it was a number, so it comes back as that text.
    @Test(
        "What a second change of type left comes back in a type that it passes to",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func passesToAThirdType(_ store: Store) throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("v")])
        if store == .schema { shop.database = try WorkshopSchema() }
        let source = #"[{"id":1,"v":"7"},{"id":2,"v":"8"}]"#
        _ = try shop.syncPlanned(source)
        try shop.sql("UPDATE items SET v = '9' WHERE id = 2")
        try retype(shop, .int, #"[{"id":1,"v":7},{"id":2,"v":8}]"#)
        try retype(shop, .date, #"[{"id":1},{"id":2}]"#)
        let kept = ["'type_changed:v 7'", "'type_changed:v 9'"]
        #expect(try shop.rows(open + " ORDER BY id") == kept)
        try retype(shop, .string, source)
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|'7'", "2|'9'"])
        #expect(try shop.rows(open) == [])
        // Both bases say what they said: the edit stands, and the next value is no conflict where nobody edited.
        let next = try shop.syncPlanned(#"[{"id":1,"v":"10"},{"id":2,"v":"8"}]"#).0
        #expect(next.summary.text == "update 1, unchanged 1")
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|'10'", "2|'9'"])
        #expect(shop.undo(5).report.status == .succeeded)
        let undo = shop.undo(4).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["1|NULL", "2|NULL"])
        #expect(try shop.rows(open + " ORDER BY id") == kept)
    }

    @Test(
        "A value that somebody wrote since stands against it, as ever",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func isEdited(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("UPDATE items SET v = 'mine' WHERE id = 1")
        #expect(shop.undo(3).report.status == .refused)
        #expect(try shop.rows("SELECT v FROM items WHERE id = 1") == ["'mine'"])
        #expect(try shop.rows(open) == [])
    }
}
