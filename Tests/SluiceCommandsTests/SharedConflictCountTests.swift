import Testing

/// A row that is in conflict for several streams is one record in conflict, wherever it is told.
@Suite struct SharedConflictCountTests {
    @Test func aRowCountsOnce() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            merge: {precedence: [a, b]}
            entities:
              Item: {table: items, primary_key: [id], fields: {id: int, x: string, y: string}}
            streams:
              - {name: a, entity: Item, path: a.json}
              - {name: b, entity: Item, path: b.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"x":"1"}]"#, to: "a.json")
        try shop.write(#"[{"id":1,"y":"1"}]"#, to: "b.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.sql("UPDATE items SET x = 'm', y = 'm'")
        try shop.write(#"[{"id":1,"x":"2"}]"#, to: "a.json")
        try shop.write(#"[{"id":1,"y":"2"}]"#, to: "b.json")
        let run = shop.sluice("run", shop.pipeline).output
        #expect(run.contains("Run 2 of shop: 1 in conflict "), "\(run)")
        #expect(run.contains("1 record in conflict in items") && run.contains("1 record is in conflict;"), "\(run)")
        let status = shop.sluice("status").output
        #expect(status.contains("2 conflicts open in 1 record"), "\(status)")
        let json = shop.sluice("run", shop.pipeline, "--format", "json").output
        // Of each stream one record was read, and in the sum there is one row.
        #expect(json.split(separator: #""conflict":1,"#).count == 4, "\(json)")
    }
}
