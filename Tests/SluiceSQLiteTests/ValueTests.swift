import SluiceSQLite
import Testing

@Suite("Values of SQLite")
struct ValueTests {
    static let values: [(name: String, value: SQLiteValue, type: String)] = [
        ("null", .null, "null"), ("zero", .integer(0), "integer"), ("minus one", .integer(-1), "integer"),
        ("the least integer", .integer(.min), "integer"), ("the greatest integer", .integer(.max), "integer"),
        ("half", .real(0.5), "real"), ("zero as a double", .real(0), "real"), ("a tenth", .real(0.1), "real"),
        ("an integral double", .real(1e15), "real"), ("the greatest double", .real(.greatestFiniteMagnitude), "real"),
        ("the least double", .real(.leastNonzeroMagnitude), "real"), ("infinity", .real(.infinity), "real"),
        ("an empty text", .text([]), "text"), ("a text", SQLiteValue("Düne 🏜️"), "text"),
        ("a text of one NUL", .text([0]), "text"), ("a text with NULs", .text([0x61, 0, 0x62, 0]), "text"),
        ("a text that is no UTF-8", .text([0xFF, 0xC3, 0x28, 0x80]), "text"),
        ("digits as text", SQLiteValue("007"), "text"), ("an empty blob", .blob([]), "blob"),
        ("a blob", .blob([0, 255, 0, 1]), "blob"),
        ("a long text", .text(.init(repeating: 0x61, count: 70_000)), "text"),
        ("a long blob", .blob(.init(repeating: 0, count: 70_000)), "blob"),
    ]

    @Test(arguments: values)
    func surviveAFile(_ name: String, _ value: SQLiteValue, _ type: String) throws {
        try withConnection { connection in
            try connection.execute("CREATE TABLE t (v)")
            try connection.run("INSERT INTO t VALUES (?1)", [value])
            #expect(try connection.rows("SELECT v, typeof(v) FROM t") == [[value, SQLiteValue(type)]], "\(name)")
        }
    }

    @Test(arguments: values)
    func surviveBeingLent(_ name: String, _ value: SQLiteValue, _ type: String) throws {
        let connection = try Connection(path: "", mode: .temporary)
        let statement = try connection.prepare("SELECT ?1, typeof(?1)")
        func check() throws {
            #expect(try statement.step())
            #expect(statement.value(0) == value, "\(name)")
            #expect(statement.value(1) == SQLiteValue(type))
            statement.reset()
        }
        switch value {
        case .text(let bytes):
            try unsafe bytes.withUnsafeBytes {
                unsafe statement.bindBorrowed(text: $0, at: 1)
                try check()
            }
        case .blob(let bytes):
            try unsafe bytes.withUnsafeBytes {
                unsafe statement.bindBorrowed(blob: $0, at: 1)
                try check()
            }
        case .integer(let value):
            statement.bind(value, at: 1)
            try check()
        case .real(let value):
            statement.bind(value, at: 1)
            try check()
        case .null:
            statement.bindNull(at: 1)
            try check()
        }
    }

    @Test func negativeZeroStaysADouble() throws {
        let connection = try Connection(path: "", mode: .temporary)
        guard case .real(let value)? = try connection.rows("SELECT ?1", [.real(-0.0)]).first?.first else {
            return #expect(Bool(false), "no double")
        }
        #expect(value == 0)
    }

    @Test func notANumberBecomesNullAsSQLiteSays() throws {
        let connection = try Connection(path: "", mode: .temporary)
        #expect(try connection.rows("SELECT ?1", [.real(.nan)]) == [[.null]])
    }

    @Test func textsAreReadAsStringsAndRepaired() throws {
        let connection = try Connection(path: "", mode: .temporary)
        let statement = try connection.prepare("SELECT NULL, 7, 1.5, 'Dune', x'4142', ?1")
        statement.bind(.text([0x61, 0xFF]), at: 1)
        #expect(try statement.step())
        #expect((0..<6).map { statement.string($0) } == [nil, "7", "1.5", "Dune", "AB", "a\u{FFFD}"])
        #expect(statement.isNull(0) && !statement.isNull(1))
        #expect(statement.integer(1) == 7)
        #expect(statement.columnCount == 6)
    }

    @Test func optionalTextsAreNullOrText() {
        #expect(SQLiteValue(nil as String?) == .null)
        #expect(SQLiteValue("a" as String?) == .text([0x61]))
        #expect(SQLiteValue(7) == .integer(7))
    }

    @Test func aBindingStaysUntilItIsForgotten() throws {
        let connection = try Connection(path: "", mode: .temporary)
        let statement = try connection.prepare("SELECT ?1")
        statement.bind("a" as String?, at: 1)
        for _ in 0..<2 {
            #expect(try statement.step())
            #expect(statement.string(0) == "a")
            statement.reset()
        }
        statement.clearBindings()
        #expect(try statement.step())
        #expect(statement.isNull(0))
    }

    @Test func aTextIsCopiedWhenItIsBound() throws {
        let connection = try Connection(path: "", mode: .temporary)
        let statement = try connection.prepare("SELECT ?1")
        do {
            let text = String(repeating: "long enough for the heap ", count: 10)
            statement.bind(text as String?, at: 1)
        }
        #expect(try statement.step())
        #expect(statement.string(0)?.utf8.count == 250)
    }
}
