import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

@Suite("A key more than once in a run")
struct DuplicateTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// The values of `a` of key 0, by their place among the others.
        let places: [(Int, String)]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "side by side", places: [(0, "1"), (1, "2")]),
        Case(name: "identical", places: [(0, "1"), (1, "1")]),
        Case(name: "three times", places: [(0, "1"), (5, "2"), (9, "3")]),
        Case(name: "across one batch boundary", places: [(511, "1"), (512, "2")]),
        Case(name: "first and last", places: [(0, "1"), (1999, "2")]),
        Case(name: "three batches", places: [(10, "1"), (600, "2"), (1300, "3")]),
        Case(name: "twice in the last batch", places: [(1998, "1"), (1999, "2")]),
        Case(name: "back to the old value", places: [(3, "2"), (700, "old")]),
    ]

    private func json(_ places: [(Int, String)], _ value: String) -> String {
        var records = (1...2000).map { "{\"id\":\($0),\"a\":\"\(value)\"}" }
        for (place, value) in places { records.insert("{\"id\":0,\"a\":\"\(value)\"}", at: min(place, records.count)) }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    @Test("The last one stands, the others are counted", arguments: cases)
    func duplicates(_ duplicates: Case) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        let (first, recorder) = try shop.syncPlanned(json(duplicates.places, "v"))
        let last = duplicates.places[duplicates.places.count - 1].1
        #expect(first.summary.text == "insert 2001")
        #expect(first.streams[0].duplicates == duplicates.places.count - 1)
        #expect(first.streams[0].read == 2000 + duplicates.places.count)
        #expect(recorder.changes.count == 2001)
        var items = try shop.rows("SELECT a FROM items WHERE id = 0")
        #expect(items == ["'\(last)'"])
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 2001")
        #expect(written == [])
        // Now against a base, with one that is gone besides.
        _ = try shop.syncPlanned(json([(0, "old")], "v"))
        let (second, _) = try shop.syncPlanned(
            json(duplicates.places, "w").replacing("{\"id\":7,\"a\":\"w\"},\n", with: ""))
        #expect(second.summary.delete == 1)
        #expect(second.summary.update + second.summary.unchanged == 2000)
        #expect(second.summary.unchanged == (last == "old" ? 1 : 0))
        items = try shop.rows("SELECT a FROM items WHERE id = 0")
        #expect(items == ["'\(last)'"])
        let base = try shop.bases.first
        #expect(base == "0 live a='\(last)' b=∅")
    }

    @Test("Duplicates and a conflict")
    func conflict() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        try shop.sql("UPDATE items SET a = 'mine'")
        let (report, recorder) = try shop.syncPlanned(#"[{"id":1,"a":"first"},{"id":1,"a":"last"}]"#)
        #expect(report.summary.text == "conflict 1")
        #expect(recorder.conflicts.map(\.remote) == ["\"last\""])
        let conflicts = try shop.conflicts
        #expect(conflicts == [#"edit_edit a "x" "mine" "last" open 1"#])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }
}
