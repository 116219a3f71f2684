import SluiceModel
import SluicePipeline
import SluiceReport
import Testing

/// A stream that asks for changes does not show a record again whose conflict people end in the table: the run looks at it all
/// the same, and comes to what a run over everything comes to.
@Suite struct ConflictsMetTests {
    private static func source(_ at: String...) -> String {
        let records = at.enumerated().map { index, at in
            #"{"id":\#(index + 1),"a":"\#(at.hasPrefix("2024-01") ? "x" : "X")","at":"\#(at)T00:00:00Z"}"#
        }
        return "[" + records.joined(separator: ",") + "]"
    }

    @Test(arguments: [("X", "converged"), ("other", "open"), ("x", "open")], [false, true])
    func theRowIsLookedAt(edit: (value: String, status: String), isFull: Bool) throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("a"), try field("at", .datetime)])
        shop.adjust = { pipeline in
            var incremental = IncrementalRule(field: "at")
            incremental.isClientSide = true
            pipeline.streams[0].incremental = incremental
        }
        _ = try shop.syncPlanned(Self.source("2024-01-01", "2024-01-02"))
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 1")
        let (disputed, _) = try shop.syncPlanned(Self.source("2024-02-01", "2024-02-02"))
        #expect(disputed.summary.conflict == 1)
        // The first record is older than what was read since.
        try shop.sql("UPDATE items SET a = '\(edit.value)' WHERE id = 1")
        shop.overrides.isFull = isFull
        let (report, _) = try shop.syncPlanned()
        // Where the edit is taken back, a run over everything takes what the source says.
        let isTakenBack = edit.value == "x" && isFull
        #expect(report.streams[0].filtered == (isFull ? 0 : 1))
        let conflicts = try shop.conflicts
        #expect(conflicts.count == 1)
        #expect(
            conflicts.first?.contains(isTakenBack ? " obsolete " : " \(edit.status) ") == true, "\(conflicts)")
        let isOpen = edit.status == "open" && !isTakenBack
        #expect(report.openBesides.conflicts == (isOpen && !isFull ? 1 : 0))
        shop.overrides.isFull = true
        let (again, _) = try shop.syncPlanned()
        #expect(again.summary.conflict == (edit.value == "other" ? 1 : 0))
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }
}
