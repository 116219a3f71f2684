import SluiceReport
import Testing

/// What a run that knows records by their texts says, beside what one says that decodes them all.
@Suite("A run and one with --full")
struct FullReadingTests {
    private func sync(_ shop: Workshop, isFull: Bool = false) -> RunReport {
        shop.overrides.isFull = isFull
        return shop.sync().report
    }

    @Test("Keys that no record has any more are gone once all records were decoded, and are told once")
    func unmappedKeys() throws {
        let shop = try Workshop()
        try shop.put(#"[{"id":1,"a":"x","extra":1},{"id":2,"a":"y","more":1}]"#)
        #expect(sync(shop).streams[0].unmapped.paths == ["extra", "more"])
        try shop.put(#"[{"id":2,"a":"y","more":1}]"#)
        #expect(sync(shop, isFull: true).streams[0].unmapped.paths == ["more"])
        let run = sync(shop)
        #expect(run.streams[0].unmapped.paths == ["more"] && run.streams[0].unmapped.count == 1)
        #expect(shop.sync(.plan).report.streams[0].unmapped.paths == ["more"])
        // One that comes back is no news; one that was never there is.
        try shop.put(#"[{"id":1,"a":"z","extra":1},{"id":2,"a":"y","more":1}]"#)
        let back = sync(shop)
        #expect(!back.problems.contains { $0.code == "unmapped_keys" }, "\(back.problems)")
        #expect(Set(back.streams[0].unmapped.paths) == ["extra", "more"])
        try shop.put(#"[{"id":1,"a":"z","other":1},{"id":2,"a":"y","more":1}]"#)
        let new = sync(shop).problems.filter { $0.code == "unmapped_keys" }.map(\.message)
        #expect(new.count == 1 && new[0].contains("`other`") && !new[0].contains("`extra`"), "\(new)")
    }

    @Test("What a part of the source has forgets nothing")
    func ofAPart() throws {
        let shop = try Workshop()
        try shop.put(#"[{"id":1,"a":"x","extra":1},{"id":2,"a":"y"}]"#)
        #expect(sync(shop).streams[0].unmapped.paths == ["extra"])
        // The first record is known by its text.
        try shop.put(#"[{"id":1,"a":"x","extra":1},{"id":2,"a":"z"}]"#)
        #expect(sync(shop).streams[0].unmapped.paths == ["extra"])
        #expect(sync(shop).streams[0].unmapped.paths == ["extra"])
    }

    @Test("A record of a list that cannot be identified is never taken for the document")
    func aRecordOfAList() throws {
        let shop = try Workshop()
        let bad = #"{"id":7,"a":"x","lines":[{"x":1}],"id":null}"#
        try shop.put(#"[{"id":1,"a":"x"},\#(bad)]"#)
        func message(isFull: Bool = false) throws -> [String] {
            _ = sync(shop, isFull: isFull)
            return try shop.rows("SELECT message FROM _sluice_quarantine WHERE status = 'open'")
        }
        let first = try message()
        #expect(first.count == 1 && !first[0].contains("The document itself"), "\(first)")
        #expect(try message() == first)
        #expect(try message(isFull: true) == first)
        #expect(try shop.retry().report.retryText == "left 0, stayed 1, refused none")
        #expect(try message() == first)
    }

    @Test("A document that cannot be is told so in each run")
    func aDocument() throws {
        let shop = try Workshop()
        try shop.put(#"{"a":"x","lines":[{"id":1,"a":"x"}]}"#)
        for isFull in [false, false, true] {
            _ = sync(shop, isFull: isFull)
            let messages = try shop.rows("SELECT message FROM _sluice_quarantine WHERE status = 'open'")
            #expect(messages.count == 1 && messages[0].contains("The document itself"), "\(messages)")
        }
    }
}
