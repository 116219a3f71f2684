import SluiceReport
import Testing

/// Records that wait for a unique value have all that stands within them once they are written.
@Suite("Within a record that waits") struct WaitingWithinTests {
    private static let holder = #"{"id":3,"n":4}"#
    private static let taker = #"{"id":2,"n":4,"d":[{"k":3,"g":[{"k":1,"e":[{"k":7}]},{"k":2}]}]}"#

    @Test(arguments: ["[\(holder),\(taker)]", "[\(taker),\(holder)]"], [true, false])
    func isWrittenAtOnce(_ both: String, _ isHeldBefore: Bool) throws {
        let shop = try Workshop()
        try shop.define(
            "deep",
            """
            entities:
              A: {primary_key: [id], fields: {id: int, n: int}, unique: [[n]], children: {d: {entity: D, from: "d[*]", key: [k]}}}
              D: {fields: {k: int}, children: {g: {entity: G, from: "g[*]", key: [k]}}}
              G: {fields: {k: int}, children: {e: {entity: E, from: "e[*]", key: [k]}}}
              E: {fields: {k: int}}
            streams:
              - {name: a, entity: A, path: remote.json}
            """)
        if isHeldBefore { _ = try shop.syncPlanned("[\(Self.holder)]") }
        let (report, _) = try shop.syncPlanned(both)
        #expect(try shop.rows("SELECT count(*) FROM a") == ["2"])
        let counts = try ["d", "g", "e"].map { try shop.rows("SELECT count(*) FROM \($0)")[0] }
        #expect(counts == ["1", "2", "1"])
        #expect(["D", "G", "E"].map { report.entities[$0]?.insert } == [1, 2, 1])
        #expect(try shop.quietRun().written == [])
    }
}
