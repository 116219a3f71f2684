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

    /// Rows as they are kept ready.
    private func rows(_ ids: [Int]) -> PostgresRows {
        var rows = PostgresRows(columnCount: 2)
        for id in ids {
            rows.begin()
            rows.fields.append(Int64(id))
            rows.fields.append(text: "name \(id)")
        }
        return rows
    }

    @Test func aRunOfRowsThatAreReadyIsSent() throws {
        try withTable { connection, table throws in
            var ready = rows(Array(0..<20_000))
            ready.begin()
            ready.fields.append(Int64(7))
            let isAdded = ready.fields.append(text: [UInt8(ascii: "a"), 0][...])
            #expect(!isAdded)
            ready.removeLast()
            #expect(ready.count == 20_000)
            let count = try connection.copy(into: table, columns: ["id", "the name"]) { $0.append(ready, 10..<19_990) }
            #expect(count == 19_980)
            let found = try connection.run(
                #"SELECT min(id), max(id), count(*) FILTER (WHERE "the name" = 'name ' || id) FROM \#(table)"#)
            #expect(found.values == [[.integer(10), .integer(19_989), .integer(19_980)]])
        }
    }

    @Test func whatIsAskedWaitsForRowsThatAreOnTheirWay() throws {
        try withTable { connection, table throws in
            try connection.begin()
            let before = connection.roundTrips
            for part in 0..<5 {
                let ready = rows(Array(part * 20_000..<(part + 1) * 20_000))
                try connection.copyAside(into: table, columns: ["id", "the name"], ready, 0..<ready.count)
                #expect(connection.transactionState == .open)
            }
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 100_000)
            #expect(connection.roundTrips - before == 11)
            try connection.commit()
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 100_000)
        }
    }

    @Test func somethingElseIsDoneWhileRowsAreOnTheirWay() throws {
        try withTable { connection, table throws in
            let (good, bad) = (rows(Array(0..<20_000)), rows([1, 2, 1]))
            var done = 0
            let count = try connection.copy(into: table, columns: ["id", "the name"], good, 5..<19_000) { done += 1 }
            #expect(count == 18_995 && done == 1)
            let error = try #require(throws: PostgresError.self) {
                try connection.copy(into: table, columns: ["id", "the name"], bad, 0..<3) { done += 1 }
            }
            #expect(error.code == .unique && done == 2)
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 18_995)
        }
    }

    @Test func whatIsAskedNextThrowsWhatWentWrongWithThem() throws {
        try withTable { connection, table throws in
            try connection.begin()
            let ready = rows([1, 2, 1])
            try connection.copyAside(into: table, columns: ["id", "the name"], ready, 0..<3)
            let error = try #require(throws: PostgresError.self) { try connection.integer("SELECT 1") }
            #expect(
                error.code == .unique && error.sql?.hasPrefix("COPY ") == true && connection.transactionState == .failed
            )
            try connection.rollback()
            try connection.begin()
            try connection.copyAside(into: table, columns: ["id", "the name"], ready, 0..<3)
            #expect(throws: PostgresError.self) { try connection.commit() }
            try connection.rollback()
            try connection.begin()
            try connection.copyAside(into: table, columns: ["id", "the name"], ready, 0..<3)
            try connection.rollback()
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 0)
        }
    }

    @Test func aConnectionThatIsLetGoTakesThemBack() throws {
        try withTable { connection, table throws in
            do {
                let other = try connected()
                try other.begin()
                let ready = rows(Array(0..<50_000))
                try other.copyAside(into: table, columns: ["id", "the name"], ready, 0..<ready.count)
            }
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == 0)
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
