import Dispatch
import SluicePostgres
import Synchronization
import TestSupport
import Testing

@Suite("Errors of PostgreSQL")
struct ErrorTests {
    /// Statements that a table refuses, with what the error names.
    static let refusals: [(name: String, sql: String, code: PostgresError.Code, column: String?, constraint: String?)] =
        [
            ("unique", "INSERT INTO t VALUES (2, 'tops3cret', 5)", .unique, nil, "t_name_key"),
            ("primary key", "INSERT INTO t VALUES (1, 'other', 5)", .unique, nil, "t_pkey"),
            ("not null", "INSERT INTO t VALUES (3, NULL, 5)", .notNull, "name", nil),
            ("check", "INSERT INTO t VALUES (4, 'tops3cret 4', -5)", .check, nil, "t_size_check"),
            ("foreign key", "INSERT INTO c VALUES (999)", .foreignKey, nil, "c_a_fkey"),
            ("trigger", "INSERT INTO t VALUES (5, 'five', 13)", .raised, nil, nil),
            ("no table", "SELECT 'tops3cret' FROM missing", .undefinedTable, nil, nil),
            ("no SQL", "SELEC", .syntax, nil, nil),
            ("two statements", "SELECT 1; SELECT 2", .syntax, nil, nil),
            ("a number too large", "SELECT 9223372036854775807 + $1::int8", .numberOutOfRange, nil, nil),
        ]

    @Test(arguments: refusals)
    func sayWhatTheyAreAbout(
        _ name: String, _ sql: String, _ code: PostgresError.Code, _ column: String?, _ constraint: String?
    ) throws {
        try withSchema { connection, schema throws in
            try connection.execute(
                """
                CREATE TABLE t (id int8 PRIMARY KEY, name text NOT NULL UNIQUE, size int8 CHECK (size > 0));
                CREATE TABLE c (a int8 REFERENCES t);
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF new.size = 13 THEN RAISE 'not that size'; END IF; RETURN new; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION refuse();
                INSERT INTO t VALUES (1, 'tops3cret', 1);
                """)
            let values: [PostgresValue] = sql.contains("$1") ? [.integer(1)] : []
            let error = try #require(throws: PostgresError.self) { try connection.run(sql, values) }
            #expect(error.code == code && error.column == column && error.constraint == constraint)
            #expect(error.sql == sql && error.position == nil)
            #expect(!error.isRetriable && !error.isConnectionLost && !error.isLockNotAvailable)
            if constraint != nil || column != nil { #expect(error.schema == schema && error.table != nil) }
            #expect(error.description.contains(code.rawValue) && error.description.contains(sql))
            #expect(!error.message.contains("tops3cret") && !error.message.isEmpty)
            #expect(try connection.integer("SELECT 1::int8") == 1)
        }
    }

    /// Values that a type cannot hold, and none of them in the error.
    static let misfits: [(String, PostgresValue, PostgresError.Code)] = [
        ("SELECT $1", PostgresValue("tops3cret\0"), .notText),
        ("SELECT $1", .text(Array("tops3cret".utf8) + [0xFF]), .notText),
        ("SELECT $1", .json(Array(#"{"a": "tops3cret\u0000"}"#.utf8)), .init(rawValue: "22P05")),
        ("SELECT $1", .json(Array(#"["tops3cret\ud800"]"#.utf8)), .invalidText),
        ("SELECT $1", .json(Array("tops3cret".utf8)), .invalidText),
        ("SELECT $1::text::uuid", PostgresValue("tops3cret"), .invalidText),
        ("SELECT $1::text::timestamptz", PostgresValue("tops3cret"), .init(rawValue: "22007")),
        ("SELECT $1::text::int8", PostgresValue("tops3cret"), .invalidText),
        ("SELECT $1::text::jsonb", PostgresValue("tops3cret"), .invalidText),
        ("SELECT $1", .other(.int8, [1, 2]), .protocolViolation),
    ]

    @Test(arguments: misfits)
    func haveNoValueInThem(_ sql: String, _ value: PostgresValue, _ code: PostgresError.Code) throws {
        let connection = try connected()
        let error = try #require(throws: PostgresError.self) { try connection.run(sql, [value]) }
        #expect(error.code == code)
        #expect(!"\(error)".contains("tops3cret"), "\(error)")
        #expect(try connection.integer("SELECT 1::int8") == 1)
    }

    @Test func aStatementDoesNotEndAtANUL() throws {
        let connection = try connected()
        for run in [{ try connection.execute("SELECT 1\0 FROM x") }, { _ = try connection.run("SELECT 1\0 FROM x") }] {
            let error = try #require(throws: PostgresError.self) { try run() }
            #expect(error.code == .syntax && error.sql == "SELECT 1")
        }
    }

    @Test func moreValuesThanAStatementHasRoomForAreRefused() throws {
        let connection = try connected()
        let values = [PostgresValue](repeating: .integer(1), count: 70_000)
        let error = try #require(throws: PostgresError.self) { try connection.run("SELECT $1", values) }
        #expect(error.code == .tooLarge)
        #expect(try connection.integer("SELECT 1::int8") == 1)
    }

    @Test func aLockThatIsNotToBeHadInTimeSaysSo() throws {
        try withSchema { connection, schema throws in
            try connection.execute("CREATE TABLE t (a int8 PRIMARY KEY); INSERT INTO t VALUES (1)")
            let other = try connected()
            try use(schema, other)
            try other.begin()
            try other.run("UPDATE t SET a = 2")
            try connection.execute("SET lock_timeout = '20ms'")
            let error = try #require(throws: PostgresError.self) { try connection.run("UPDATE t SET a = 3") }
            #expect(error.isLockNotAvailable && !error.isRetriable && error.remedy?.contains("lock") == true)
            try other.rollback()
        }
    }

    /// Two transactions take the same rows in opposite order; the one that is ended is repeated, and both are done.
    @Test(.timeLimit(.minutes(1))) func aDeadlockIsRetriable() throws {
        try withSchema { connection, schema throws in
            try connection.execute("CREATE TABLE t (a int8 PRIMARY KEY, n int8); INSERT INTO t VALUES (1, 0), (2, 0)")
            let (first, second) = (Gate(), Gate())
            let done = Gate()
            let outcome = Outcome()
            DispatchQueue(label: "other").async {
                defer { done.open() }
                do {
                    let other = try connected()
                    try use(schema, other)
                    try other.inTransaction(attempts: 10) {
                        outcome.count()
                        try other.run("UPDATE t SET n = n + 1 WHERE a = 2")
                        second.open()
                        first.wait()
                        try other.run("UPDATE t SET n = n + 1 WHERE a = 1")
                    }
                } catch { outcome.fail("\(error)") }
            }
            var codes: [PostgresError] = []
            try connection.inTransaction(attempts: 10) {
                outcome.count()
                do {
                    try connection.run("UPDATE t SET n = n + 1 WHERE a = 1")
                    first.open()
                    second.wait()
                    try connection.run("UPDATE t SET n = n + 1 WHERE a = 2")
                } catch let error as PostgresError {
                    codes.append(error)
                    throw error
                }
            }
            done.wait()
            #expect(outcome.problem == nil)
            #expect(outcome.attempts >= 3 && codes.allSatisfy { $0.isRetriable && $0.code == .deadlock })
            #expect(try connection.run("SELECT n FROM t").values == [[.integer(2)], [.integer(2)]])
        }
    }

    @Test func aSerializationFailureIsRetriable() throws {
        try withSchema { connection, schema throws in
            try connection.execute("CREATE TABLE t (a int8); INSERT INTO t VALUES (1)")
            let other = try connected()
            try use(schema, other)
            try connection.begin(.repeatableRead)
            _ = try connection.run("SELECT a FROM t")
            try other.run("UPDATE t SET a = 2")
            let error = try #require(throws: PostgresError.self) { try connection.run("UPDATE t SET a = 3") }
            #expect(error.code == .serialization && error.isRetriable)
            try connection.rollback()
            var attempts = 0
            #expect(throws: PostgresError.self) {
                try connection.inTransaction(.repeatableRead, attempts: 4) {
                    attempts += 1
                    _ = try connection.run("SELECT a FROM t")
                    try other.run("UPDATE t SET a = a + 1")
                    try connection.run("UPDATE t SET a = 0")
                }
            }
            #expect(attempts == 4 && connection.transactionState == .none)
        }
    }
}

/// What several threads count and complain of.
private final class Outcome: Sendable {
    private let state = Mutex((attempts: 0, problem: nil as String?))
    var attempts: Int { state.withLock { $0.attempts } }
    var problem: String? { state.withLock { $0.problem } }
    func count() { state.withLock { $0.attempts += 1 } }
    func fail(_ text: String) { state.withLock { $0.problem = text } }
}
