import Testing

/// Commands know a record by any spelling of its identifier, also before a run has written it as it is compared.
@Suite struct RespelledKeyTests {
    @Test func commandsKnowTheRecord() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              T: {table: t, primary_key: id, fields: {id: decimal, a: string}}
            streams: [{name: t, entity: T, path: t.json}]
            """, to: "shop.yaml")
        try shop.write(#"[{"id":"1","a":"x"},{"id":"2.5","a":"y"}]"#, to: "t.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.sql("INSERT INTO t (id, a) VALUES ('4.50', 'own'); UPDATE t SET id = '2.50' WHERE a = 'y'")
        let own = shop.sluice("inspect", "record", "T", "4.5")
        #expect(own.code == 0, "\(own.output)\(own.errors)")
        let known = shop.sluice("inspect", "record", "T", "2.5")
        #expect(known.code == 0 && !known.output.contains("Deleted here"), "\(known.output)\(known.errors)")
        let edits = shop.sluice("edits").output
        #expect(edits.contains("T 4.5") && !edits.contains("2.5"), "\(edits)")
        // Nothing is written for that.
        #expect(try shop.rows("SELECT id FROM t ORDER BY id") == [["1"], ["2.50"], ["4.50"]])
    }
}
