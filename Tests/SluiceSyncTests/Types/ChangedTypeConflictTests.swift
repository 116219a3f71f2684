import SluiceModel
import SluicePipeline
import SluiceReport
import Testing

/// A conflict that is open while its field gets another type, over which the source says the same as before.
@Suite("Open conflicts and a field that gets another type")
struct ChangedTypeConflictTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let types: (old: FieldType, new: FieldType)
        let said: (first: String, second: String)
        let edit: String
    }

    static let cases = [
        Case(
            testDescription: "a string becomes a number", types: (.string, .int), said: (#""1""#, #""3""#), edit: "'5'"),
        Case(testDescription: "a number becomes a string", types: (.int, .string), said: ("1", "3"), edit: "5"),
        Case(testDescription: "a whole number becomes a double", types: (.int, .double), said: ("1", "3"), edit: "5"),
        Case(
            testDescription: "a string becomes a decimal", types: (.string, .decimal), said: (#""1""#, #""3""#),
            edit: "'5'"),
        Case(
            testDescription: "a string becomes a time", types: (.string, .datetime),
            said: (#""2026-01-01T00:00:00Z""#, #""2026-01-03T00:00:00Z""#), edit: "'2026-01-05T00:00:00Z'"),
    ]

    private func scene(_ test: Case, keeping: BaseKeeping) throws -> Workshop {
        let shop = try Workshop(fields: [field("id", .int), field("a", test.types.old)])
        shop.keepsBase = keeping
        try shop.put("[{\"id\":1,\"a\":\(test.said.first)}]")
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql("UPDATE items SET a = \(test.edit)")
        try shop.put("[{\"id\":1,\"a\":\(test.said.second)}]")
        #expect(shop.sync().report.summary.conflict == 1)
        shop.fields[1] = try field("a", test.types.new)
        return shop
    }

    @Test("It stays as it is, and quiet", arguments: cases, [BaseKeeping.short, .digest])
    func quiet(_ test: Case, keeping: BaseKeeping) throws {
        let shop = try scene(test, keeping: keeping)
        let before = try shop.rows("SELECT seen, status, last_run FROM _sluice_conflicts")
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(report.summary.conflict == 1 && report.streams.map(\.newConflicts) == [0])
        #expect(recorder.changes == [])
        #expect(try shop.rows("SELECT seen, status, last_run FROM _sluice_conflicts") == before)
        #expect(try shop.quietRun(renewing: true).written == [])
    }

    @Test("A conflict over the whole record as well")
    func record() throws {
        let shop = try Workshop(
            fields: [field("id", .int), field("a", .string)], rule: DeleteRule(mode: .hard, minimumRecords: 0))
        try shop.put(#"[{"id":1,"a":"1"},{"id":2,"a":"1"}]"#)
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql("UPDATE items SET a = '5' WHERE id = 1; DELETE FROM items WHERE id = 2")
        try shop.put(#"[{"id":2,"a":"3"}]"#)
        #expect(shop.sync(allowing: 2).report.summary.conflict == 2)
        shop.fields[1] = try field("a", .int)
        let before = try shop.rows("SELECT seen, status, last_run FROM _sluice_conflicts")
        let (report, recorder) = try shop.syncPlanned(allowing: 2)
        #expect(report.summary.conflict == 2 && report.streams.map(\.newConflicts) == [0], "\(report.problems)")
        #expect(recorder.changes == [])
        #expect(try shop.rows("SELECT seen, status, last_run FROM _sluice_conflicts") == before)
        #expect(try shop.quietRun(allowing: 2, renewing: true).written == [])
    }
}
