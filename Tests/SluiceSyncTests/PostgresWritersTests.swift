import Dispatch
import FoundationEssentials
import SluiceModel
import SluicePipeline
import SluicePostgres
import SluiceReport
import Synchronization
import TestSupport
import Testing

/// People and programs edit, insert and delete rows without pause while runs follow each other: what the last of them did to
/// a row or a field stands in the end. Conflicts are decided by people alone here, and nobody decides any.
///
/// `SLUICE_WRITER_SECONDS=60` has it last longer, `SLUICE_SEED=n` repeats what a failure names.
@Suite(.serialized) struct PostgresWritersTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["SLUICE_WRITER_SECONDS"].flatMap { Double($0) } ?? 4
    private static let seed =
        environment["SLUICE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
    /// The identifiers of records and rows.
    private static let ids = 1...120

    /// What somebody did last to a row or one of its fields.
    private struct Place: Hashable {
        let id: Int
        let field: String
    }

    /// One of those who edit. Each has rows of their own, so that it is known who was last.
    private struct Writer: Sendable {
        let number: Int
        let count: Int
        var random: SeededGenerator
        var edits: [Place: String] = [:]
        /// Whether rows that were touched are there.
        var rows: [Int: Bool] = [:]
        var refused = 0
        private var serial = 0

        init(_ number: Int, of count: Int, seed: UInt64) {
            (self.number, self.count) = (number, count)
            random = SeededGenerator(seed: seed &+ UInt64(number) &* 7919)
        }

        private mutating func id() -> Int {
            random.pick(PostgresWritersTests.ids.filter { $0 % count == number })
        }

        private mutating func text() -> String {
            serial += 1
            return "w\(number)-\(serial)"
        }

        /// Does one thing, or two in one transaction: such transactions and a run may wait for each other.
        mutating func work(_ connection: PostgresConnection) throws {
            let before = (edits, rows)
            do {
                let isTogether = random.chance(20)
                if isTogether { try connection.begin() }
                try act(connection)
                if isTogether {
                    try act(connection)
                    try connection.commit()
                }
            } catch let error as PostgresError {
                // Who is chosen to end a deadlock has done nothing.
                (edits, rows) = before
                if connection.transactionState != .none { try connection.rollback() }
                guard error.isRetriable || error.isLockNotAvailable else { throw error }
                refused += 1
            }
        }

        private mutating func act(_ connection: PostgresConnection) throws {
            let id = id()
            switch random.pick(["edit", "edit", "edit", "edit", "insert", "delete"]) {
            case "edit":
                let (field, text) = (random.pick(["a", "b"]), text())
                let result = try connection.run(
                    "UPDATE items SET \(field) = $2 WHERE id = $1", [PostgresValue(id), PostgresValue(text)])
                if result.changes == 1 { edits[Place(id: id, field: field)] = text }
            case "insert":
                let (one, other) = (text(), text())
                let result = try connection.run(
                    "INSERT INTO items (id, a, b) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                    [PostgresValue(id), PostgresValue(one), PostgresValue(other)])
                guard result.changes == 1 else { return }
                (edits[Place(id: id, field: "a")], edits[Place(id: id, field: "b")]) = (one, other)
                rows[id] = true
            default:
                let result = try connection.run("DELETE FROM items WHERE id = $1", [PostgresValue(id)])
                guard result.changes == 1 else { return }
                (edits[Place(id: id, field: "a")], edits[Place(id: id, field: "b")]) = (nil, nil)
                rows[id] = false
            }
        }
    }

    @Test(arguments: [2, 4]) func everyEditStands(_ count: Int) throws {
        let place: Comment = "SLUICE_SEED=\(Self.seed), \(count) writers"
        print("PostgresWritersTests: SLUICE_SEED=\(Self.seed), \(count) writers, \(Self.seconds) s")
        let schema = try WorkshopSchema()
        let shop = try Workshop()
        shop.database = schema
        var random = SeededGenerator(seed: Self.seed)
        var source: [Int: (a: String, b: String)] = [:]
        // More than half of the records are there; others come while people insert rows of the same identifiers.
        for id in Self.ids where id % 3 != 0 { source[id] = ("s0", "s0") }
        try shop.put(Self.json(source))
        #expect(shop.sync().report.status == .succeeded)

        let isDone = Atomic(false)
        let finished = Mutex<[Writer]>([])
        let failures = Mutex<[String]>([])
        let writers = DispatchGroup()
        for number in 0..<count {
            let url = schema.place
            DispatchQueue(label: "writer").async(group: writers) {
                var writer = Writer(number, of: count, seed: Self.seed)
                do {
                    let connection = try WorkshopSchema.connect(url)
                    try connection.execute("SET lock_timeout = 5000")
                    while !isDone.load(ordering: .relaxed) { try writer.work(connection) }
                } catch { failures.withLock { $0.append("\(error)") } }
                let ended = writer
                finished.withLock { $0.append(ended) }
            }
        }
        var outcomes: [String: Int] = [:]
        let end = Date().addingTimeInterval(Self.seconds)
        var turn = 0
        while Date() < end {
            turn += 1
            for _ in 0..<10 {
                let id = random.pick(Array(Self.ids))
                var record = source[id] ?? ("s\(turn)", "s\(turn)")
                if random.chance(50) { record.a = "s\(turn)" } else { record.b = "s\(turn)" }
                source[id] = record
            }
            try shop.put(Self.json(source))
            let report = shop.sync(wait: 10).report
            outcomes[report.status.rawValue, default: 0] += 1
            #expect([.succeeded, .locked].contains(report.status), "\(report.problems) \(place)")
            #expect(report.total.quarantined == 0, "\(report.problems) \(place)")
        }
        isDone.store(true, ordering: .relaxed)
        writers.wait()
        #expect(failures.withLock { $0 } == [], place)
        let report = shop.sync(wait: 10).report
        #expect(report.status == .succeeded, "\(report.problems) \(place)")

        var rows: [Int: [String]] = [:]
        for row in try shop.values("SELECT id::text, a, b FROM items") { rows[Int(row[0]) ?? 0] = row }
        var checked = 0
        for writer in finished.withLock({ $0 }) {
            for (edit, text) in writer.edits {
                checked += 1
                #expect(rows[edit.id]?[edit.field == "a" ? 1 : 2] == text, "\(edit) \(place)")
            }
            // A row that somebody deleted before the source first listed its record may come from there.
            for (id, isThere) in writer.rows where isThere || id % 3 != 0 {
                #expect((rows[id] != nil) == isThere, "row \(id) \(place)")
            }
        }
        print("PostgresWritersTests: \(outcomes), \(checked) edits stand")
        #expect(checked > 0 && outcomes["succeeded"] ?? 0 > 0, "\(outcomes) \(place)")
    }

    private static func json(_ source: [Int: (a: String, b: String)]) -> String {
        let records = source.sorted { $0.key < $1.key }.map { id, record in
            "{\"id\": \(id), \"a\": \"\(record.a)\", \"b\": \"\(record.b)\"}"
        }
        return "[\(records.joined(separator: ", "))]"
    }
}
