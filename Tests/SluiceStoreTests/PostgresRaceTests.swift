import SluiceModel
import SluicePostgres
import SluiceStore
import Testing

/// What others do to a table of PostgreSQL between a look at it and the write that follows.
@Suite struct PostgresRaceTests {
    private static let items = RecordSchema.items()

    /// Rows that are inserted since they were looked for are met as rows that were there, once the transaction is repeated.
    @Test func aRowThatSomebodyInsertsIsNoRefusedRecord() throws {
        let scene = try StoreScene.items(.postgres, "a", Self.items)
        let store = try scene.place.open()
        try store.begin()
        let (table, _) = try store.openTable(Self.items)
        let batch = Self.items.batch([2, 3, 4].map { [.integer($0), .text("b"), .text("n")] })
        var lookup = BaseLookup()
        try table.lookUp(batch, into: &lookup)
        #expect(try table.localRows([key(.integer(3))]) == [nil])
        try scene.place.insert(["id": .integer(3), "code": .text("theirs"), "name": .null], into: "items")
        let error = try #require(throws: StoreError.self) {
            _ = try table.insert(batch, records: [0, 1, 2], run: 1)
        }
        #expect(error.mayRepeat && error.code == .locked, "\(error)")
        store.rollback()
        #expect(try scene.items() == ["1 a n", "3 theirs -"])
    }

    /// A row of another identifier that holds a unique value is what it always was: the record waits.
    @Test func aUniqueValueThatSomebodyTakesLetsTheRecordWait() throws {
        let schema = RecordSchema.items(unique: [["code"]])
        let scene = try StoreScene.items(.postgres, "a", schema)
        try scene.table(schema) { table throws in
            try scene.place.insert(["id": .integer(9), "code": .text("b"), "name": .null], into: "items")
            let batch = schema.batch([[.integer(2), .text("b"), .text("n")]])
            #expect(try table.insert(batch, records: [0], run: 1) == [0])
            #expect(try table.finish().map(\.write.key) == [key(.integer(2))])
        }
    }
}
