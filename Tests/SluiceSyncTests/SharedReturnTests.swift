import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Records that all streams of a table dropped, and that some of them list again.
@Suite("Records that come back to a table of several streams")
struct SharedReturnTests {
    static let drops = [["abc"], ["a", "b", "c"], ["c", "b", "a"], ["ab", "c"], ["bc", "a"]]
    static let backs = ["a", "b", "c", "ab", "ac", "bc", "abc"]

    @Test("They are inserted once, with what the first stream says, and nobody is asked", arguments: drops, backs)
    func back(_ drops: [String], _ back: String) throws {
        for value in [{ (_: Character) in "x" }, { (_: Character) in "y" }, { (stream: Character) in "y\(stream)" }] {
            let shop = try Workshop()
            let streams = "abc".map { name in
                "  - {name: \(name), entity: Item, path: \(name).json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}"
            }
            try shop.define(
                "shop",
                """
                merge: {precedence: [a, b, c]}
                entities: {Item: {table: items, primary_key: id, fields: {id: int, name: string}}}
                streams:
                \(streams.joined(separator: "\n"))
                """)
            func put(_ names: String, _ record: (Character) -> String) throws {
                for name in names { try shop.put("[\(record(name))]", as: "\(name).json") }
            }
            try put("abc") { _ in #"{"id":1,"name":"x"}"# }
            #expect(shop.sync().report.status == .succeeded)
            for names in drops {
                try put(names) { _ in "" }
                #expect(shop.sync().report.status == .succeeded)
            }
            #expect(try shop.items == [])
            try put(back) { #"{"id":1,"name":"\#(value($0))"}"# }
            let (report, _) = try shop.syncPlanned()
            #expect(report.total.insert == 1 && report.total.conflict == 0, "\(report)")
            #expect(try shop.items == ["1|'\(value(back.first ?? "a"))'"])
            #expect(try shop.openConflicts == [])
            #expect(try shop.quietRun(renewing: true).written == [])
        }
    }
}
