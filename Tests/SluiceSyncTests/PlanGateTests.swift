import SluiceModel
import SluiceStore
import Testing

@testable import SluiceReconcile

/// What is kept of records that are not as a saved plan found them.
@Suite struct PlanGateTests {
    @Test func ofManyMovedRecordsTheFirstAreNamed() throws {
        let gate = PlanGate(marks: [7], schema: [], takesMoved: false)
        let schema = RecordSchema(
            pipeline: "shop", stream: "books", entity: "Book", table: "books",
            fields: [RecordSchema.Field(name: "id", column: "id", type: .int)], keyFields: [0])
        #expect(gate.admits(7, of: RecordKey([.integer(1)]), schema))
        for _ in 1...2 {
            // Who is met again counts once.
            for number in 0..<5_000 {
                #expect(!gate.admits(UInt64(number + 100), of: RecordKey([.integer(Int64(number))]), schema))
            }
        }
        #expect(gate.movedCount == 5_000 && gate.takenCount == 1)
        let moved = try #require(gate.moved.first)
        #expect(gate.moved.count == 1 && moved.count == 5_000 && moved.keys.count == PlanGate.mostNamed)
        #expect(moved.keys.first == #"{"id":0}"#)
        gate.restart()
        #expect(gate.movedCount == 0 && gate.moved == [])
    }
}
