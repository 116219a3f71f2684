import SluiceModel
import SluiceSQLStore
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

/// What a copy to a file says of rows that SQLite refuses.
@Suite struct TransferTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let values: [FieldValue]
        /// The position of the value that its column cannot hold; nil where the row is refused for another reason.
        let refused: Int?

        init(_ name: String, _ values: [FieldValue], refused: Int?) {
            (testDescription, self.values, self.refused) = (name, values, refused)
        }
    }

    private static let text = FieldValue.text(Array("x".utf8))

    @Test(arguments: [
        Row("a column", [text, .integer(1), .integer(1)], refused: 0),
        Row("a column whose name begins with that of another one", [.integer(1), text, .integer(1)], refused: 1),
        Row("a column whose name ends with that of another one", [.integer(1), .integer(1), text], refused: 2),
        Row("a rule of the table", [.integer(-1), .integer(1), .integer(1)], refused: nil),
        Row("nothing where something must be", [.integer(1), .null, .integer(1)], refused: nil),
    ])
    func theColumnThatCannotHoldAValueIsNamed(_ row: Row) throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            """
            CREATE TABLE t (id INTEGER CHECK (id > 0), id_2 INTEGER NOT NULL, "t.id" INTEGER) STRICT
            """)
        let database = try fixture.open().transferDatabase
        var positions: [Int?] = []
        func load() throws {
            try database.load("t", ["id", "id_2", "t.id"]) { add in positions.append(try add(row.values)) }
        }
        if let refused = row.refused {
            try load()
            #expect(positions == [refused])
        } else {
            let error = #expect(throws: StoreError.self) { try load() }
            #expect(error?.message.contains("constraint failed") == true, "\(String(describing: error))")
        }
    }
}
