import Foundation
import Glibc
import SluicePostgres
import SluiceSystem
import Synchronization
import TestSupport
import Testing

/// Services that read the partitions of one run together (`spread`), as processes.
///
/// `SLUICE_SEED=n` repeats what a failure names.
@Suite struct SpreadRunTests {
    private static let seed =
        ProcessInfo.processInfo.environment["SLUICE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

    /// Services over one pipeline.
    private final class Crew {
        let directory: TemporaryDirectory
        /// The schema that services share, and one that a run by hand has.
        let (pool, alone): (PostgresSchemaURL, PostgresSchemaURL)
        let connection: PostgresConnection
        private(set) var members: [Int: Running] = [:]

        init() throws {
            directory = try TemporaryDirectory()
            (pool, alone) = (try PostgresSchemaURL(), try PostgresSchemaURL())
            connection = try PostgresConnection(PostgresAddress(pool.server))
            try connection.execute("SET client_min_messages = warning")
        }

        deinit {
            for index in members.keys { kill(index) }
            for place in [pool, alone] { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }
        }

        func write(_ source: LoopbackServer, partitions: Int, isSpread: Bool = true) throws {
            let items = (0..<partitions).map { "\"\($0)\"" }.joined(separator: ", ")
            let text = """
                version: 1
                name: shop
                schedule: {every: 12h, retry: {max_attempts: 30, base: 1s}}
                source:
                  base_url: "\(source.url)"
                  rate_limit: {concurrency: 1}
                  headers: {X-Token: "${env:SOURCE_TOKEN:-today}"}
                entities: {Item: {table: items, primary_key: id, fields: {id: int, list: string, title: string}}}
                streams:
                  - name: items
                    entity: Item
                    path: "/lists/{{ item }}"
                    for_each: [\(items)]
                    spread: \(isSpread)
                    delete_missing: {mode: hard, max_delete: 100%}

                """
            let path = directory.file("pipelines/shop.yaml")
            try FileSystem.makeFolders(FileSystem.folder(of: path))
            try FileSystem.writePrivately(Array(text.utf8), to: path)
        }

        func start(_ index: Int, token: String = "today") throws {
            members[index] = try Program.start(
                [
                    "serve", "pipelines", "--store", pool.store, "--state", "state\(index)", "--listen", "none",
                    "--lease", "2s", "--workers", "2", "--log-format", "json",
                ], in: directory.path, environment: ["SOURCE_TOKEN": token])
        }

        func process(_ index: Int) -> Int32? { members[index]?.process.processIdentifier }

        func kill(_ index: Int) {
            if let id = process(index) { Glibc.kill(id, SIGKILL) }
            _ = try? members[index]?.wait()
            members[index] = nil
        }

        /// Ends all services.
        ///
        /// - Returns: What each wrote to its log.
        @discardableResult
        func end() throws -> [Int: String] {
            var logs: [Int: String] = [:]
            for index in members.keys { if let id = process(index) { Glibc.kill(id, SIGTERM) } }
            for (index, member) in members {
                let result = try member.wait()
                members[index] = nil
                #expect(result.code == 0, "\(result.errors.suffix(2000))")
                logs[index] = result.errors
            }
            return logs
        }

        /// The rows of a query, the values of each with blanks between.
        func query(_ sql: String) throws -> [String] {
            try connection.run(sql).values.map { row in
                row.map { value -> String in
                    switch value {
                    case .integer(let number): String(number)
                    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                    default: "-"
                    }
                }.joined(separator: " ")
            }
        }

        /// The service that has the run of the pipeline.
        func holder() throws -> Int? {
            let places = try query(
                """
                SELECT w.place FROM \(pool.schema)._sluice_claims AS c
                JOIN \(pool.schema)._sluice_workers AS w ON w.id = c.worker
                """)
            return members.keys.first { index in
                process(index).map { id in places.contains { $0.hasSuffix("process \(id)") } } ?? false
            }
        }
    }

    /// A source with two records in each list, which takes its time for each.
    private static func source(_ seconds: Double, _ asked: Asked) throws -> LoopbackServer {
        try LoopbackServer { request in
            asked.note()
            Pause.seconds(seconds)
            let list = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            let records = (0..<2).map { "{\"id\":\(list * 10 + $0),\"list\":\"\(list)\",\"title\":\"Title \($0)\"}" }
            asked.note()
            return .text("[\(records.joined(separator: ","))]")
        }
    }

    /// When requests came and were answered.
    private final class Asked: Sendable {
        private let times = Mutex<[Double]>([])

        func note() { times.withLock { $0.append(WallClock.monotonicSeconds()) } }
        var count: Int { times.withLock { $0.count } }
        var seconds: Double { times.withLock { ($0.max() ?? 0) - ($0.min() ?? 0) } }
    }

    private func wait(_ what: String, seconds: Double = 120, until isDone: () throws -> Bool) throws {
        let deadline = WallClock.monotonicSeconds() + seconds
        while try !isDone() {
            try #require(WallClock.monotonicSeconds() < deadline, "SLUICE_SEED=\(Self.seed): \(what)")
            Pause.seconds(0.05)
        }
    }

    private func isSettled(_ crew: Crew) throws -> Bool {
        let tables = "SELECT tablename::text FROM pg_tables WHERE tablename = '_sluice_schedule'"
        return try crew.query("\(tables) AND schemaname = '\(crew.pool.schema)'").count == 1
            && crew.query("SELECT settled FROM \(crew.pool.schema)._sluice_schedule WHERE settled IS NOT NULL").count
                == 1
    }

    /// Where the source is what one waits for, two services read more than 1.6 times as much as one.
    @Test func twoReadFasterThanOne() throws {
        let (count, seconds) = (40, 0.4)
        let crew = try Crew()
        let asked = Asked()
        let source = try Self.source(seconds, asked)
        defer { source.stop() }
        try crew.write(source, partitions: count)
        for index in 0..<2 { try crew.start(index) }
        try wait("the run settles") { try isSettled(crew) }
        try crew.end()
        #expect(source.requests.count == count)
        let alone = Double(count) * seconds
        #expect(alone / asked.seconds >= 1.6, "\(asked.seconds) seconds in the place of \(alone)")
        print("SpreadRunTests: \(alone / asked.seconds) times as fast as one service")
        let pool = crew.pool.schema
        #expect(try crew.query("SELECT count(*) FROM \(pool).items") == ["\(2 * count)"])
        // One run, which says who read what.
        #expect(try crew.query("SELECT id, status FROM \(pool)._sluice_runs") == ["1 succeeded"])
        let readers = try crew.query("SELECT place, count(*) FROM \(pool)._sluice_partitions GROUP BY 1 ORDER BY 2")
        #expect(readers.count == 2, "\(readers)")
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_partition_pages") == ["0"])
        let undo = try Program.run(
            "undo", "1", "--store", crew.pool.store, in: crew.directory.path)
        #expect(undo.code == 0, "\(undo)")
        #expect(try crew.query("SELECT count(*) FROM \(pool).items") == ["0"])
    }

    /// A file whose requests are others reads nothing for a run; nor does any for a run that is over.
    @Test func whoAsksForSomethingElseTakesNoPart() throws {
        let crew = try Crew()
        let asked = Asked()
        let source = try Self.source(0, asked)
        defer { source.stop() }
        try crew.write(source, partitions: 2)
        try crew.start(0)
        try wait("the run settles") { try isSettled(crew) }
        try crew.end()
        let (pool, before) = (crew.pool.schema, asked.count)
        let share = try #require(try crew.query("SELECT id FROM \(pool)._sluice_shares").first)
        let definition = try #require(try crew.query("SELECT definition FROM \(pool)._sluice_shares").first)
        func help() throws {
            let result = try Program.run(
                "run", "pipelines/shop.yaml", "--store", crew.pool.store, in: crew.directory.path,
                environment: ["SLUICE_SHARE": "\(share) worker"])
            #expect(result.code == 0, "\(result)")
        }
        try help()
        #expect(asked.count == before)
        // The run has not ended, and nobody has read anything.
        try crew.connection.execute(
            """
            UPDATE \(pool)._sluice_shares SET run = NULL, definition = 'another';
            UPDATE \(pool)._sluice_partitions SET state = 'open', answer = NULL
            """)
        try help()
        #expect(asked.count == before)
        try crew.connection.execute("UPDATE \(pool)._sluice_shares SET definition = '\(definition)'")
        try help()
        #expect(asked.count == before + 4)
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_partitions WHERE state = 'read'") == ["2"])
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_partition_pages") == ["2"])
        // It is no run of its own.
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_runs") == ["1"])
    }

    /// A service whose token is that of yesterday takes no partition away: what it cannot read the run reads, and both say so.
    @Test func whoCannotReadGivesItBack() throws {
        let count = 16
        let crew = try Crew()
        let refusals = Asked()
        let source = try LoopbackServer { request in
            guard request.header("X-Token") == "today" else {
                refusals.note()
                return .text("[]", status: 403)
            }
            // The run is not over before the other one has asked.
            for _ in 0..<400 where refusals.count == 0 { Pause.seconds(0.05) }
            Pause.seconds(0.3)
            let list = request.target.split(separator: "/").last ?? ""
            return .text("[{\"id\":\(list),\"list\":\"\(list)\",\"title\":\"T\"}]")
        }
        defer { source.stop() }
        try crew.write(source, partitions: count)
        try crew.start(0)
        let pool = crew.pool.schema
        // The run is with the service that can read.
        try wait("a request") { !source.requests.isEmpty }
        try crew.start(1, token: "yesterday")
        let stranger = try #require(crew.process(1))
        try wait("the run settles") { try isSettled(crew) }
        let logs = try crew.end()
        // What it gave back it is not given again, also where it takes part once more after its lease.
        #expect((1...count).contains(refusals.count), "\(refusals.count)")
        #expect(try crew.query("SELECT settled FROM \(pool)._sluice_schedule") == ["succeeded"])
        #expect(try crew.query("SELECT count(*) FROM \(pool).items") == ["\(count)"])
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_partitions WHERE state = 'read'") == ["\(count)"])
        let file = crew.directory.file("state0/runs/1/report.json")
        let report = String(decoding: try FileSystem.contents(of: file), as: UTF8.self)
        #expect(report.contains("partitions_given_back"), "\(report)")
        #expect(report.contains("process \(stranger), and "), "\(report)")
        #expect(logs[1]?.contains("could not be read here, and") == true, "\(logs[1] ?? "")")
    }

    /// Services are killed while they read: each partition counts once, what is gone is decided on once, and the rows are those of
    /// a run that reads alone.
    @Test func whoeverIsKilledTheRunIsTheSame() throws {
        let count = 30
        let crew = try Crew()
        let (pool, alone) = (crew.pool.schema, crew.alone.schema)
        print("SpreadRunTests: SLUICE_SEED=\(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let asked = Asked()
        let source = try Self.source(0.2, asked)
        defer { source.stop() }
        // A run by hand reads alone, and one list more: its records are gone then.
        try crew.write(source, partitions: count + 1)
        for place in [crew.pool, crew.alone] {
            let first = try Program.run(
                "run", "pipelines/shop.yaml", "--store", place.store, in: crew.directory.path)
            #expect(first.code == 0, "\(first)")
        }
        try crew.write(source, partitions: count)
        let second = try Program.run(
            "run", "pipelines/shop.yaml", "--store", crew.alone.store, in: crew.directory.path)
        #expect(second.code == 0, "\(second)")
        let before = asked.count
        for index in 0..<3 { try crew.start(index) }
        // Who helps is killed, and then who has the run, somewhere among the partitions.
        for isHolder in [false, true] {
            let number = before + 2 * Int.random(in: isHolder ? 14...20 : 6...12, using: &random)
            try wait("\(number) requests") { asked.count >= number }
            let holder = try #require(try crew.holder())
            let victim = isHolder ? holder : try #require(crew.members.keys.sorted().first { $0 != holder })
            crew.kill(victim)
        }
        try wait("the run settles") { try isSettled(crew) }
        try crew.end()
        #expect(try crew.query("SELECT settled FROM \(pool)._sluice_schedule") == ["succeeded"])
        // One whose service was killed may have noted that it was stopped.
        func runs(_ schema: String) throws -> [String] {
            try crew.query(
                """
                SELECT inserted, updated, deleted, unchanged FROM \(schema)._sluice_runs
                WHERE status = 'succeeded' ORDER BY id
                """)
        }
        #expect(try runs(pool) == runs(alone))
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_runs WHERE deleted = 2") == ["1"])
        let rows = "SELECT id, list, title FROM"
        #expect(try crew.query("\(rows) \(pool).items ORDER BY id") == crew.query("\(rows) \(alone).items ORDER BY id"))
        #expect(try crew.query("SELECT count(*) FROM \(pool)._sluice_partitions WHERE state = 'read'") == ["\(count)"])
        // What had been read when the run was taken over was not read again: only what somebody had in hand.
        let again = (asked.count - before) / 2 - count
        #expect(again <= 3, "SLUICE_SEED=\(Self.seed): \(again) partitions were read twice")
        let lost = try crew.query("SELECT count(*) FROM \(pool)._sluice_schedule_runs WHERE outcome = 'lost'")
        #expect(lost == ["1"], "SLUICE_SEED=\(Self.seed)")
    }
}
