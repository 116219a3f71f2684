import Testing

/// Conflicts over whole records and lists whose values `redact` no longer tells apart.
@Suite struct RedactedConflictTests {
    private static func pipeline(_ redaction: String = "") -> String {
        """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          B: {table: b, primary_key: id, fields: {id: int, s: {type: string\(redaction)}, n: int}, children: {cs: {entity: C, ordered: true}}}
          C: {table: c, fields: {k: {type: string\(redaction)}}}
        streams: [{name: s, entity: B, path: b.json}]
        """
    }

    private static func records(_ s: String, _ n: Int, _ k: String) -> String {
        #"[{"id":5,"s":"\#(s)","n":\#(n)},{"id":6,"s":"S6","cs":[{"k":"\#(k)"}]}]"#
    }

    private func run(_ shop: Workshop, _ redaction: String, _ records: String) throws {
        try shop.write(Self.pipeline(redaction), to: "shop.yaml")
        try shop.write(records, to: "b.json")
        let outcome = shop.sluice("run", shop.pipeline, "-q")
        #expect(outcome.code == 0, "\(outcome)")
    }

    private func ends(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT status || ' ' || coalesce(resolution, '-') FROM _sluice_conflicts ORDER BY id").flatMap {
            $0
        }
    }

    /// The source said one thing after the other, and both are kept alike.
    @Test(arguments: [
        (", redact: mask", "obsolete redacted"), (", redact: drop", "obsolete redacted"), (", redact: hash", "open -"),
    ])
    func redactionThatIsSwitchedOnIsTold(_ redaction: String, _ end: String) throws {
        let shop = try Workshop()
        try run(shop, "", Self.records("one", 1, "KF"))
        try shop.sql("DELETE FROM b WHERE id = 5; UPDATE c SET k = 'mine'")
        try run(shop, "", Self.records("two", 1, "KG"))
        #expect(try ends(shop) == ["open -", "open -"])
        try run(shop, redaction, Self.records("two", 1, "KG"))
        #expect(try ends(shop) == [end, end])
    }

    @Test(arguments: ["", ", redact: mask", ", redact: drop", ", redact: hash"])
    func aSourceThatTakesItsChangeBackIsToldSo(_ redaction: String) throws {
        let shop = try Workshop()
        try run(shop, redaction, Self.records("one", 1, "KF"))
        try shop.sql("DELETE FROM b WHERE id = 5")
        try run(shop, redaction, Self.records("one", 2, "KF"))
        #expect(try ends(shop) == ["open -"])
        try run(shop, redaction, Self.records("one", 1, "KF"))
        #expect(try ends(shop) == ["obsolete source_reverted"])
    }
}
