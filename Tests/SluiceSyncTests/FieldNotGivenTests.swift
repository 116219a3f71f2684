import SluiceModel
import SluicePipeline
import SluiceReport
import Testing

/// A field that no record of a first reading gives may be mistyped: nothing else tells, since an absent key is no value.
@Suite("A field that no record gives")
struct FieldNotGivenTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let records: String
        /// Where `title` is read from.
        var from = "title"
        /// What is told; nil for nothing.
        var told: String?
    }

    static let cases = [
        Case(testDescription: "all are given", records: #"[{"id":1,"title":"x","z":1}]"#),
        Case(testDescription: "one record of two gives it", records: #"[{"id":1,"z":1},{"id":2,"title":"x"}]"#),
        Case(testDescription: "a null is said of it", records: #"[{"id":1,"title":null,"z":1}]"#),
        Case(testDescription: "no key is left that may be meant", records: #"[{"id":1}]"#),
        Case(testDescription: "nothing was read", records: "[]"),
        Case(
            testDescription: "a name that is near", records: #"[{"id":1,"titel":"x"}]"#,
            told: "No record gives the field `title`, where `titel` may be meant. Check its `from`;"),
        Case(
            testDescription: "a path that is near", records: #"[{"id":1,"book":{"title":"x"}}]"#, from: "book.tilte",
            told: "No record gives the field `title` from `book.tilte`, where `book.title` may be meant."),
        Case(
            testDescription: "a name that is far", records: #"[{"id":1,"zzz":"x"}]"#,
            told: "No record gives the field `title`. Check its `from`; it stays empty until the source sends it."),
    ]

    @Test(arguments: cases) func isToldByTheFirstReadingAlone(_ example: Case) throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("title", from: example.from)])
        let (report, _) = try shop.syncPlanned(example.records)
        let told = report.problems.filter { $0.code == "field_not_given" }
        #expect(told.map(\.severity) == (example.told == nil ? [] : [.note]))
        if let words = example.told {
            #expect(told.first?.message.hasPrefix(words) == true, "\(report.problems)")
            #expect(told.first?.stream == report.streams[0].stream)
        }
        #expect(!report.needsAttention)
        if example.records == "[]" { return }
        let (again, _) = try shop.syncPlanned(example.records.replacing("[{", with: #"[{"id":9},{"#))
        #expect(again.problems.allSatisfy { $0.code != "field_not_given" }, "\(again.problems)")
    }

    /// Of records that could not be taken nothing is known.
    @Test func nothingIsToldWhereNoRecordWasTaken() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .int), try field("title")])
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"n":"x","titel":"a"},{"id":2,"n":"y","titel":"b"}]"#)
        #expect(report.problems.map(\.code).filter { $0 != "store_private" } == ["nothing_taken"])
        let (later, _) = try shop.syncPlanned(#"[{"id":1,"n":1,"titel":"a"},{"id":2,"n":2,"titel":"b"}]"#)
        #expect(later.problems.map(\.code) == ["field_not_given"])
    }

    /// An answer of another kind, read as one record, is none of those that were there before; the first record ever may just be wrong.
    @Test(arguments: [0, 1, 2]) func nothingIsTakenOfAnAnswerOfAnotherKind(known: Int) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard))
        if known > 0 {
            _ = try shop.syncPlanned("[" + (1...known).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
        }
        let (report, _) = try shop.syncPlanned(#"{"error":"rate limited"}"#)
        #expect(report.summary.delete == 0)
        #expect(report.problems.contains { $0.code == "nothing_taken" } == (known == 2), "\(report.problems)")
    }

    /// Records that are equal are in quarantine once, and are several all the same.
    @Test(arguments: ["[null,null]", #"[{"error":"x"},{"error":"x"}]"#, #"["a","a","a"]"#])
    func nothingIsTakenOfEqualRecords(records: String) throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("a")])
        let (report, _) = try shop.syncPlanned(records)
        #expect(report.summary.quarantined == 1)
        #expect(report.problems.contains { $0.code == "nothing_taken" }, "\(report.problems)")
    }

    /// The quarantine says what is wrong with its values.
    @Test func aFieldWhoseValuesCannotBeTakenIsGiven() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .int), try field("m", .int)])
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"z":1},{"id":2,"n":"x"},{"id":3,"n":[1]}]"#)
        #expect(report.summary.quarantined == 2)
        let told = report.problems.filter { $0.code == "field_not_given" }.map(\.message)
        #expect(told.count == 1 && told[0].hasPrefix("No record gives the field `m`. "), "\(told)")
    }

    @Test func severalAreToldTogether() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("a"), try field("b", from: "c")])
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"x":1}]"#)
        #expect(
            report.problems.map(\.message) == [
                "No record gives 2 fields: `a`; `b` from `c`. Check their `from`; they stay empty until the source sends them."
            ])
    }
}
