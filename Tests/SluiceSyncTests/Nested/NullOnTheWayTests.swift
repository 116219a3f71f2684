import Testing

/// A null on the way to a list says that there is none, as it does for a value.
@Suite("A null on the way") struct NullOnTheWayTests {
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.define(
            "accounts",
            """
            entities:
              B:
                primary_key: [id]
                fields: {id: int, who: {from: o.name, type: string}, tags: {refs: T, from: "t.records[*]"}}
                children:
                  m: {entity: M, from: "m.records[*]", key: [id]}
                  o: {entity: O, from: "x.y[*]", ordered: true}
              M: {fields: {id: int}}
              O: {fields: {n: {from: $, type: int}}}
              T: {primary_key: [id], fields: {id: int}}
            streams:
              - {name: accounts, entity: B, path: remote.json}
            """)
        return shop
    }

    private static let full =
        #"[{"id":1,"o":{"name":"x"},"t":{"records":[{"id":1}]},"m":{"records":[{"id":1}]},"x":{"y":[5]}}]"#

    @Test(arguments: [true, false])
    func emptiesAList(_ isNull: Bool) throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.full)
        #expect(try shop.rows("SELECT count(*) FROM m") == ["1"])
        _ = try shop.syncPlanned(isNull ? #"[{"id":1,"o":null,"t":null,"m":null,"x":null}]"# : #"[{"id":1}]"#)
        let left = isNull ? "0" : "1"
        #expect(try shop.rows("SELECT count(*) FROM m") == [left])
        #expect(try shop.rows("SELECT count(who) FROM b") == [left])
        #expect(try shop.rows("SELECT count(*) FROM b_tags") == [left])
        #expect(try shop.rows("SELECT count(*) FROM o") == [left])
        #expect(try shop.quietRun().written == [])
    }
}
