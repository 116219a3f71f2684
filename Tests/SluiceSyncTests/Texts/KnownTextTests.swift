import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// When a record is known by its text, and when every run has to look at it.
///
/// Whether a run decoded a record shows in its base: a hash of its values that was spoilt is mended, or is not looked at.
@Suite("Records that are known by their texts")
struct KnownTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What is so from the start.
        var start: @Sendable (Workshop) throws -> Void = { _ in }
        /// What happens between the first run and the spoiling.
        var before: @Sendable (Workshop) throws -> Void = { _ in }
        /// What happens between the spoiling and the last run.
        var after: @Sendable (Workshop) throws -> Void = { _ in }
        /// Whether the last run knows record 1 by its text.
        let isKnown: Bool
    }

    static let first = #"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"x"}]"#

    static let cases = [
        Case(testDescription: "nothing changed", isKnown: true),
        Case(
            testDescription: "another record changed",
            after: { try $0.put(#"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"z"}]"#) }, isKnown: true),
        Case(
            testDescription: "its row was edited", after: { try $0.sql("UPDATE items SET a = 'mine' WHERE id = 1") },
            isKnown: true),
        Case(
            testDescription: "the view of conflicts is left out",
            start: { try $0.sql("CREATE TABLE conflicts_items (x)") }, isKnown: true),
        Case(
            testDescription: "the source only adds", start: { $0.adjust = { $0.streams[0].writeMode = .append } },
            isKnown: false),
        Case(
            testDescription: "it is written in another way",
            after: { try $0.put(#"[{"id": 1, "a":"x","b":"y"},{"id":2,"a":"x"}]"#) }, isKnown: false),
        Case(
            testDescription: "it has a key that nobody takes",
            after: { try $0.put(#"[{"id":1,"a":"x","b":"y","c":1},{"id":2,"a":"x"}]"#) }, isKnown: false),
        Case(
            testDescription: "it was changed and is as it was then",
            before: {
                try $0.put(#"[{"id":1,"a":"z","b":"y"},{"id":2,"a":"x"}]"#)
                _ = $0.sync()
            }, isKnown: true),
        Case(
            testDescription: "a conflict is open",
            before: {
                try $0.sql("UPDATE items SET a = 'mine' WHERE id = 1")
                try $0.put(#"[{"id":1,"a":"z","b":"y"},{"id":2,"a":"x"}]"#)
                _ = $0.sync()
            }, isKnown: false),
        Case(testDescription: "all is to be read", after: { $0.overrides.isFull = true }, isKnown: false),
        Case(
            testDescription: "the mapping is another one",
            after: { $0.fields[2].column = "a2" }, isKnown: false),
        Case(
            testDescription: "a value of its belongs to the source",
            start: { $0.fields[1].owner = .remote }, isKnown: false),
        Case(
            testDescription: "a value of its is redacted",
            start: { $0.fields[2].redaction = .hash }, isKnown: false),
        Case(
            testDescription: "a run was undone",
            before: { shop in
                try shop.put(#"[{"id":1,"a":"z","b":"y"},{"id":2,"a":"x"}]"#)
                if let run = shop.sync().report.run { _ = shop.undo(run) }
            }, isKnown: false),
        Case(
            testDescription: "its base is of an older format",
            before: { try $0.sql("UPDATE _sluice_base_shop_items_Item SET text_hash = NULL") }, isKnown: false),
    ]

    @Test(arguments: cases)
    func known(_ item: Case) throws {
        let shop = try Workshop()
        try item.start(shop)
        try shop.put(Self.first)
        #expect(shop.sync().report.status == .succeeded)
        try item.before(shop)
        try shop.sql("UPDATE _sluice_base_shop_items_Item SET row_hash = 7 WHERE id = 1")
        try item.after(shop)
        let report = shop.sync().report
        #expect(report.status == .succeeded)
        #expect(report.streams.first?.read == 2)
        let hash = try shop.rows("SELECT row_hash FROM _sluice_base_shop_items_Item WHERE id = 1")
        #expect((hash == ["7"]) == item.isKnown)
    }

    @Test func keysThatNoFieldTakesStayListed() throws {
        let shop = try Workshop()
        try shop.put(#"[{"id":1,"a":"x","extra":1}]"#)
        let first = shop.sync().report.streams.first?.unmapped
        #expect(first?.paths == ["extra"])
        #expect(shop.sync().report.streams.first?.unmapped == first)
    }

    @Test func recordsThatCannotBeTakenAreTriedAgain() throws {
        let shop = try Workshop(fields: [field("id", .int), field("n", .int)])
        try shop.put(#"[{"id":1,"n":1},{"id":2,"n":2}]"#)
        _ = shop.sync()
        try shop.put(#"[{"id":1,"n":1},{"id":2,"n":"two"}]"#)
        for _ in 0..<2 {
            let report = shop.sync().report
            #expect(report.summary.unchanged == 1)
            #expect(report.summary.quarantined == 1)
        }
        try shop.put(#"[{"id":1,"n":1},{"id":2,"n":2}]"#)
        let report = shop.sync().report
        #expect(report.summary.unchanged == 2)
        #expect(try shop.rows("SELECT status FROM _sluice_quarantine") == ["'closed'"])
    }

    @Test func aValueThatEndsTheRunSaysWhereItStands() throws {
        let shop = try Workshop(fields: [field("id", .int), field("n", .int)])
        shop.fields[1].onTypeMismatch = .fail
        try shop.put("[{\"id\":1,\"n\":1},\n{\"id\":2,\"n\":2}]")
        _ = shop.sync()
        try shop.put("[{\"id\":1,\"n\":1},\n{\"id\":2,\"n\":\"two\"}]")
        let report = shop.sync().report
        #expect(report.status == .failed)
        #expect(report.problems.contains { $0.message.contains("record 2 in line 2") })
    }

    /// Of a record whose text is looked for, no more is read than its key: what is wrong behind it is found all the same, and
    /// before what is wrong in a later one.
    @Test(arguments: [
        #"[{"id":1,"a":"x"},"# + "\n" + #"{"id":2,"a":tru},"# + "\n" + #"{"id":3,"a":"#,
        #"[{"id":1,"a":"x"},"# + "\n" + #"{"id":2,"a":"z",},"# + "\n" + #"{"id":3}]"#,
        #"[{"id":1,"a":"x"},"# + "\n" + #"{"id":2,"id":3 4}]"#,
    ])
    func theFirstFaultOfADocumentIsTold(_ text: String) throws {
        let shop = try Workshop()
        try shop.put(#"[{"id":1,"a":"x"},{"id":2,"a":"y"}]"#)
        _ = shop.sync()
        try shop.put(text)
        let report = shop.sync().report
        #expect(report.status == .failed)
        #expect(report.problems.contains { $0.message.contains("cannot be read: line 2, column") })
    }

    /// The last member of a name counts, whichever of them is read first.
    @Test func aKeyThatComesTwiceInARecordIsTheLastOne() throws {
        let shop = try Workshop()
        for (text, unchanged, rows) in [
            (#"[{"id":1,"a":"x","id":2},{"id":1,"a":"y"}]"#, 0, ["1|'y'", "2|'x'"]),
            (#"[{"id":1,"a":"x","id":2},{"id":1,"a":"y"}]"#, 2, ["1|'y'", "2|'x'"]),
            (#"[{"id":1,"a":"z","id":2},{"id":1,"a":"y"}]"#, 1, ["1|'y'", "2|'z'"]),
        ] {
            try shop.put(text)
            #expect(shop.sync().report.summary.unchanged == unchanged)
            #expect(try shop.rows("SELECT id, a FROM items ORDER BY id") == rows)
        }
    }
}
