import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// An edit that goes to the quarantine with a change of type is an edit still.
@Suite("Edits in the quarantine")
struct LostEditTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    /// A row whose text somebody edited, beside one that can pass.
    private func shop(_ store: Store) throws -> Workshop {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("v")], rule: DeleteRule(mode: .hard, minimumRecords: 0))
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":5,"v":"x"},{"id":6,"v":"7"}]"#)
        try shop.sql("UPDATE items SET v = 'mine' WHERE id = 5")
        shop.adjustOptions = { $0.quarantinesMisfits = true }
        return shop
    }

    private func expectKept(_ shop: Workshop) throws {
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["5|NULL", "6|7"])
        #expect(try shop.rows("SELECT kind FROM _sluice_conflicts WHERE status = 'open'") == ["'edit_delete'"])
        #expect(try shop.rows("SELECT value FROM _sluice_quarantine WHERE status = 'open'") == [#"'"mine"'"#])
        // It comes back with its type, and is in conflict still.
        shop.fields[1].type = .string
        _ = try shop.syncPlanned(#"[{"id":6,"v":"7"}]"#, allowing: 2)
        #expect(try shop.rows("SELECT id, v FROM items ORDER BY id") == ["5|'mine'", "6|'7'"])
        #expect(try shop.rows("SELECT kind FROM _sluice_conflicts WHERE status = 'open'") == ["'edit_delete'"])
    }

    @Test("The row stays where its record was gone before, and the conflict stays open", arguments: Store.allCases)
    func goneBefore(_ store: Store) throws {
        let shop = try shop(store)
        _ = try shop.syncPlanned(#"[{"id":6,"v":"7"}]"#, allowing: 2)
        #expect(try shop.rows("SELECT kind FROM _sluice_conflicts WHERE status = 'open'") == ["'edit_delete'"])
        shop.fields[1].type = .int
        #expect(try shop.syncPlanned(#"[{"id":6,"v":7}]"#, allowing: 2).0.summary.delete == 0)
        try expectKept(shop)
    }

    @Test("And where its record goes afterwards", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func goneAfterwards(_ store: Store) throws {
        let shop = try shop(store)
        shop.fields[1].type = .int
        _ = try shop.syncPlanned(#"[{"id":5},{"id":6,"v":7}]"#)
        #expect(shop.sync(.plan).report.edits?.values == 1)
        #expect(try shop.syncPlanned(#"[{"id":6,"v":7}]"#, allowing: 2).0.summary.delete == 0)
        try expectKept(shop)
    }

    @Test(
        "The source's next value is in conflict with it, and does not stand in its place",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func nextValue(_ store: Store) throws {
        let shop = try shop(store)
        shop.fields[1].type = .int
        #expect(try shop.syncPlanned(#"[{"id":5,"v":8},{"id":6,"v":7}]"#).0.summary.conflict == 1)
        #expect(try shop.rows("SELECT v FROM items WHERE id = 5") == ["NULL"])
        shop.fields[1].type = .string
        #expect(try shop.syncPlanned(#"[{"id":5,"v":"x"},{"id":6,"v":"7"}]"#).0.summary.conflict == 0)
        #expect(try shop.rows("SELECT v FROM items WHERE id = 5") == ["'mine'"])
        #expect(shop.sync(.plan).report.edits?.values == 1)
    }

    @Test("What the source said itself and cleared or replaced since does not come back", arguments: Store.allCases)
    func replacedSince(_ store: Store) throws {
        for (said, row) in [("null", "NULL"), ("8", "'8'")] {
            let shop = try Workshop(fields: [try field("id", .int), try field("v")])
            if store == .schema { shop.database = try WorkshopSchema() }
            _ = try shop.syncPlanned(#"[{"id":5,"v":"x"}]"#)
            shop.adjustOptions = { $0.quarantinesMisfits = true }
            shop.fields[1].type = .int
            _ = try shop.syncPlanned(#"[{"id":5}]"#)
            _ = try shop.syncPlanned("[{\"id\":5,\"v\":\(said)}]")
            shop.fields[1].type = .string
            _ = try shop.syncPlanned(said == "null" ? nil : #"[{"id":5,"v":"8"}]"#)
            #expect(try shop.rows("SELECT v FROM items") == [row])
            #expect(try shop.rows("SELECT value FROM _sluice_quarantine WHERE status = 'open'") == [])
            #expect(shop.sync(.plan).report.edits?.values ?? 0 == 0)
        }
    }

    @Test(
        "A row of one's own, which no source gave, goes to the quarantine with its value",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func rowOfOnesOwn(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO items (id, v) VALUES (9, 'here')")
        shop.fields[1].type = .int
        #expect(try shop.syncPlanned(#"[{"id":5},{"id":6,"v":7}]"#).0.status == .succeeded)
        #expect(try shop.rows("SELECT value FROM _sluice_quarantine ORDER BY id") == [#"'"mine"'"#, #"'"here"'"#])
    }
}
