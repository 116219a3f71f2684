import SluicePostgres
import Testing

@Suite("COPY to PostgreSQL")
struct CopyTests {
    private struct Stop: Error {}

    private func withTable(_ body: (PostgresConnection, String) throws -> Void) throws {
        try withSchema { connection, schema throws in
            try connection.execute("CREATE TABLE \"some rows\" (id int8 PRIMARY KEY, \"the name\" text, size float8)")
            try body(connection, PostgresName.quoted("some rows", in: schema))
        }
    }

    private let columns = ["id", "the name", "size"]

    @Test func ahundredThousandRowsAreTwoRoundTrips() throws {
        try withTable { connection, table throws in
            let before = connection.roundTrips
            let count = try connection.copy(into: table, columns: columns) { copy in
                for id in 0..<100_000 {
                    copy.row { fields in
                        fields.append(Int64(id))
                        if id % 7 == 0 { fields.appendNull() } else { fields.append(text: "name \(id)") }
                        fields.append(Double(id) / 2)
                    }
                }
            }
            #expect(count == 100_000 && connection.roundTrips - before == 2)
            let sums = try connection.run(
                """
                SELECT count(*), count("the name"), sum(id)::int8, sum(size),
                    count(*) FILTER (WHERE "the name" = 'name ' || id)
                FROM \(table)
                """)
            #expect(
                sums.values == [
                    [
                        .integer(100_000), .integer(85_714), .integer(4_999_950_000), .double(2_499_975_000),
                        .integer(85_714),
                    ]
                ])
        }
    }

    @Test func noRowsAreNoError() throws {
        try withTable { connection, table throws in
            #expect(try connection.copy(into: table, columns: columns) { _ in } == 0)
        }
    }

    @Test func aRefusedRowTakesTheOthersWithIt() throws {
        try withTable { connection, table throws in
            let error = try #require(throws: PostgresError.self) {
                try connection.copy(into: table, columns: ["id", "the name"]) { copy in
                    for id in [1, 2, 1] { copy.row([PostgresValue(id), PostgresValue("tops3cret")]) }
                }
            }
            #expect(error.code == .unique && error.constraint == "some rows_pkey" && error.table == "some rows")
            #expect(!"\(error)".contains("tops3cret") && error.sql?.hasPrefix("COPY ") == true)
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 0)
        }
    }

    @Test func aRowOfTheWrongLengthIsAnError() throws {
        try withTable { connection, table throws in
            #expect(throws: PostgresError.self) {
                try connection.copy(into: table, columns: columns) { copy in copy.row([.integer(1)]) }
            }
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 0)
        }
    }

    @Test func whoeverGivesUpLeavesNothingAndCanGoOn() throws {
        try withTable { connection, table throws in
            #expect(throws: Stop.self) {
                try connection.copy(into: table, columns: columns) { copy in
                    copy.row([.integer(1), .null, .null])
                    throw Stop()
                }
            }
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 0)
        }
    }

    @Test func aMissingTableIsAnErrorBeforeAnythingIsSent() throws {
        let connection = try connected()
        let error = try #require(throws: PostgresError.self) {
            try connection.copy(into: "nothing_of_that_name", columns: ["a"]) { _ in Issue.record("was asked") }
        }
        #expect(error.code == .undefinedTable)
        #expect(try connection.integer("SELECT 1::int8") == 1)
    }
}
