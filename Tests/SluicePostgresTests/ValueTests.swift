import SluicePostgres
import TestSupport
import Testing

@Suite("PostgreSQL values")
struct ValueTests {
    /// Values and what PostgreSQL takes them for.
    static let edges: [(PostgresValue, String)] = [
        (.bool(true), "true"), (.bool(false), "false"),
        (.integer(0), "0"), (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
        (.double(0), "0"), (.double(-0.0), "-0"), (.double(0.1), "0.1"), (.double(.infinity), "Infinity"),
        (.double(-.infinity), "-Infinity"), (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
        (.double(.leastNonzeroMagnitude), "5e-324"),
        (.numeric(.notANumber), "NaN"), (.numeric(.infinity), "Infinity"), (.numeric(.minusInfinity), "-Infinity"),
        (PostgresValue(""), ""), (PostgresValue("é€😀\n\"'\\"), "é€😀\n\"'\\"),
        (.uuid(PostgresUUID(high: 0, low: 0)), "00000000-0000-0000-0000-000000000000"),
        (
            .uuid(PostgresUUID(high: 0x0123_4567_89AB_CDEF, low: .max)), "01234567-89ab-cdef-ffff-ffffffffffff"
        ),
        (.timestamp(.infinity), "infinity"), (.timestamp(.minusInfinity), "-infinity"),
        (.date(.infinity), "infinity"), (.date(.minusInfinity), "-infinity"),
        (.bytes([]), "\\x"), (.bytes([0, 1, 0xFF]), "\\x0001ff"),
        (.json(Array(#"{"a": [1, 1.50, null, true, "é\n"]}"#.utf8)), #"{"a": [1, 1.50, null, true, "é\n"]}"#),
        (.json(Array("null".utf8)), "null"),
    ]

    @Test(arguments: edges)
    func anEdgeComesBackAndMeansWhatItSays(_ value: PostgresValue, _ text: String) throws {
        let connection = try connected()
        try connection.execute("SET timezone = 'UTC'")
        let result = try connection.run("SELECT $1, $1::text", [value])
        #expect(result.value(0, 0) == value)
        #expect(result.value(0, 1) == PostgresValue(text))
        #expect(result.type(0) == value.type)
        if case .double(let sent) = value, case .double(let read) = result.value(0, 0) {
            #expect(sent.bitPattern == read.bitPattern)
        }
    }

    @Test func notANumberStaysOne() throws {
        guard case .double(let read) = try connected().run("SELECT $1", [.double(.nan)]).value(0, 0) else {
            Issue.record("no double")
            return
        }
        #expect(read.isNaN)
    }

    @Test func nullIsOfAnyType() throws {
        let result = try connected().run(
            "SELECT $1::bigint, $2::text, $3::jsonb IS NULL", [.null, PostgresValue(nil as String?), .null])
        #expect(result.values == [[.null, .null, .bool(true)]])
        #expect(result.isNull(0, 0) && result.integer(0, 0) == nil && result.string(0, 1) == nil)
    }

    static let moments: [(seconds: Int64, microsecond: Int, text: String)] = [
        (0, 0, "1970-01-01 00:00:00+00"), (-1, 999_999, "1969-12-31 23:59:59.999999+00"),
        (946_684_800, 0, "2000-01-01 00:00:00+00"), (946_684_799, 1, "1999-12-31 23:59:59.000001+00"),
        (253_402_300_799, 999_999, "9999-12-31 23:59:59.999999+00"),
        (-62_135_596_800, 0, "0001-01-01 00:00:00+00"), (-62_135_596_801, 0, "0001-12-31 23:59:59+00 BC"),
        (-210_866_803_200, 0, "4714-11-24 00:00:00+00 BC"),
        (9_224_318_015_999, 999_999, "294276-12-31 23:59:59.999999+00"),
    ]

    @Test(arguments: moments)
    func aMomentIsTheServersMoment(_ seconds: Int64, _ microsecond: Int, _ text: String) throws {
        let moment = try #require(PostgresTimestamp(secondsSince1970: seconds, microsecond: microsecond))
        #expect(moment.secondsSince1970 == seconds && moment.microsecond == microsecond && moment.isFinite)
        let connection = try connected()
        try connection.execute("SET timezone = 'UTC'")
        let result = try connection.run("SELECT $1, $1::text", [.timestamp(moment)])
        #expect(result.values == [[.timestamp(moment), PostgresValue(text)]])
    }

    @Test(arguments: [
        (Int64.min, 0), (.max, 0), (-210_866_803_201, 999_999), (9_224_318_016_000, 0), (0, -1), (0, 1_000_000),
    ])
    func whatPostgreSQLHasNoMomentForIsNil(_ seconds: Int64, _ microsecond: Int) {
        #expect(PostgresTimestamp(secondsSince1970: seconds, microsecond: microsecond) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01"), (-1, "1969-12-31"), (10_957, "2000-01-01"), (2_932_896, "9999-12-31"),
        (-719_162, "0001-01-01"), (-2_440_588, "4714-11-24 BC"), (2_145_042_905, "5874897-12-31"),
    ])
    func aDayIsTheServersDay(_ days: Int, _ text: String) throws {
        let day = try #require(PostgresDate(daysSince1970: days))
        #expect(day.daysSince1970 == days && day.isFinite)
        let result = try connected().run("SELECT $1, $1::text", [.date(day)])
        #expect(result.values == [[.date(day), PostgresValue(text)]])
    }

    @Test(arguments: [Int.min, .max, -2_440_589, 2_145_042_906])
    func whatPostgreSQLHasNoDayForIsNil(_ days: Int) { #expect(PostgresDate(daysSince1970: days) == nil) }

    @Test func otherTypesAreReadAsTheirKin() throws {
        let result = try connected().run(
            """
            SELECT 7::smallint, -7::integer, 1.5::real, 'a'::varchar(3), 'b'::char(2), 'c'::name, '{"a":1}'::json,
                25::oid, 'x', '10.0.0.1'::inet
            """)
        let values: [PostgresValue] = [
            .integer(7), .integer(-7), .double(1.5), PostgresValue("a"), PostgresValue("b "), PostgresValue("c"),
            .json(Array(#"{"a":1}"#.utf8)), .integer(25), PostgresValue("x"),
        ]
        #expect(Array(result.values[0].prefix(values.count)) == values)
        guard case .other(let type, let bytes) = result.value(0, values.count) else {
            Issue.record("an address is no type of ours")
            return
        }
        #expect(type == PostgresType(rawValue: 869) && bytes.suffix(4) == [10, 0, 0, 1])
    }

    /// Random values by all three ways in: as parameters, as arrays, and by COPY.
    @Test(arguments: [UInt64.random(in: 0...999_999), 1, 2])
    func valuesComeBackAsTheyWere(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let columns: [(name: String, type: PostgresType)] = [
            ("bool", .bool), ("int8", .int8), ("float8", .float8), ("numeric", .numeric), ("text", .text),
            ("uuid", .uuid), ("timestamptz", .timestamptz), ("date", .date), ("bytea", .bytea), ("jsonb", .jsonb),
        ]
        let rows = (0..<200).map { row in
            [PostgresValue.integer(row)] + columns.map { RandomValue.make($0.type, &random) }
        }
        try withSchema { connection, schema throws in
            let names = ["row"] + columns.map(\.name)
            let list = columns.map { "\(PostgresName.quoted($0.name)) \($0.name)" }.joined(separator: ", ")
            for table in ["copied", "unnested", "bound"] {
                try connection.execute(#"CREATE TABLE \#(table) ("row" int8 PRIMARY KEY, \#(list))"#)
            }

            let copied = try connection.copy(into: PostgresName.quoted("copied", in: schema), columns: names) { copy in
                for row in rows { copy.row(row) }
            }
            #expect(copied == rows.count)

            var arrays = PostgresParameters()
            for (index, type) in ([.int8] + columns.map(\.type)).enumerated() {
                arrays.append(PostgresArray(rows.map { $0[index] }, of: type))
            }
            let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            try connection.run(PostgresStatement("INSERT INTO unnested SELECT * FROM unnest(\(parameters))", arrays))

            try connection.run(
                together: rows.map {
                    PostgresStatement("INSERT INTO bound VALUES (\(parameters))", PostgresParameters($0))
                })

            for table in ["copied", "unnested", "bound"] {
                let read = try connection.run(#"SELECT * FROM \#(table) ORDER BY "row""#)
                #expect(read.columns == names)
                let values = read.values
                for (index, row) in rows.enumerated() {
                    #expect(values[index] == row, "row \(index) of \(table), seed \(seed)")
                }
            }
        }
    }
}

/// Values of each type as tests need them: plain ones and those at an edge.
private enum RandomValue {
    static func make(_ type: PostgresType, _ random: inout SeededGenerator) -> PostgresValue {
        if random.chance(10) { return .null }
        switch type {
        case .bool: return .bool(random.chance(50))
        case .int8:
            return .integer(random.chance(20) ? random.pick([.min, .max, 0, -1]) : Int64(bitPattern: random.next()))
        case .float8:
            let value = Double(bitPattern: random.next())
            return .double(value.isNaN ? 0.5 : value)
        case .numeric: return .numeric(PostgresNumeric(text: Array(numeral(&random).utf8)) ?? .notANumber)
        case .text: return PostgresValue(text(&random))
        case .uuid: return .uuid(PostgresUUID(high: random.next(), low: random.next()))
        case .timestamptz:
            let seconds = Int64.random(in: -210_866_803_200...9_224_318_015_999, using: &random)
            let microsecond = Int.random(in: 0..<1_000_000, using: &random)
            return .timestamp(PostgresTimestamp(secondsSince1970: seconds, microsecond: microsecond) ?? .infinity)
        case .date:
            let days = Int.random(in: -2_440_588...2_145_042_905, using: &random)
            return .date(PostgresDate(daysSince1970: days) ?? .infinity)
        case .bytea:
            return .bytes(
                (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        default:
            return .json(
                Array(
                    "[\(Int.random(in: -99...99, using: &random)), \"\(Int.random(in: 0...9, using: &random))\"]".utf8))
        }
    }

    static func numeral(_ random: inout SeededGenerator) -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: count, using: &random)).map { _ in random.pick(Array("0001234567899")) })
        }
        var text = (random.chance(50) ? "-" : "") + digits(1...30)
        if random.chance(60) { text += "." + digits(0...30) }
        if random.chance(20) { text += random.pick(["e", "E"]) + String(Int.random(in: -60...60, using: &random)) }
        return text
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let parts = ["a", "é", "€", "😀", "\"", "'", "\\", "\n", "\u{1}", "\u{FEFF}", "\u{FFFF}", " "]
        return (0..<Int.random(in: 0...40, using: &random)).map { _ in random.pick(parts) }.joined()
    }
}
