import Testing

/// How often a run tells of a conflict.
@Suite struct ConflictTellingTests {
    @Test("A record that was deleted here and changed at the source, as was what stands within it, is told once")
    func once() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              B: {table: bs, primary_key: id, fields: {id: int, t: string}, children: {cs: {entity: C, from: "cs[*]", key: [id]}}}
              C: {table: cs, fields: {id: int, x: string}}
            streams: [{name: bs, entity: B, path: bs.json}]
            """, to: "shop.yaml")
        func run(_ t: String, _ first: String, _ second: String) throws -> Workshop.Outcome {
            try shop.write(
                #"[{"id":1,"t":"\#(t)","cs":[{"id":1,"x":"\#(first)"},{"id":2,"x":"\#(second)"}]}]"#, to: "bs.json")
            return shop.sluice("run", shop.pipeline)
        }
        _ = try run("a", "p", "q")
        try shop.sql("DELETE FROM bs")
        let first = try run("a", "p", "Q")
        #expect(first.output.contains("! B 1"), "\(first.output)")
        // Both the record and another one within it.
        let second = try run("A", "P", "Q")
        #expect(second.output.split(separator: "! B 1").count == 2, "\(second.output)")
        #expect(second.output.contains("the source changed it again"), "\(second.output)")
        #expect(!second.output.contains("resolve 1 1"), "\(second.output)")
    }
}
