import Foundation
import Glibc
import SluicePostgres
import SluiceSystem
import TestSupport
import Testing

/// Services that share a store on PostgreSQL, as processes: they are killed, stopped for longer than their lease and
/// continued, and the server is restarted under them.
///
/// `SLUICE_POOL_SECONDS=120` does so for longer, `SLUICE_SEED=n` repeats what a failure names.
@Suite struct PoolTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["SLUICE_POOL_SECONDS"].flatMap { Double($0) }
    private static let seed =
        environment["SLUICE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
    private static let pipelines = 40
    private static let records = 60
    private static let workers = 4

    /// Four services over one folder of pipelines.
    private final class Crew {
        let directory: TemporaryDirectory
        let cluster: PostgresCluster
        private(set) var members: [Running?] = Array(repeating: nil, count: PoolTests.workers)

        init() throws {
            directory = try TemporaryDirectory()
            cluster = try PostgresCluster()
        }

        deinit { for index in members.indices { kill(index) } }

        var store: String { cluster.url + "&schema=pool" }

        func put(_ text: String, to name: String) throws {
            let path = directory.file(name)
            try FileSystem.makeFolders(FileSystem.folder(of: path))
            try FileSystem.writePrivately(Array(text.utf8), to: path)
        }

        func start(_ index: Int) throws {
            members[index] = try Program.start(
                [
                    "serve", "pipelines", "--store", store, "--state", "state\(index)", "--listen", "none", "--lease",
                    "2s", "--workers", "2", "--log-format", "json",
                ], in: directory.path)
        }

        private func process(_ index: Int) -> Int32? { members[index]?.process.processIdentifier }

        /// The runs that a service has started, as processes.
        private func children(_ index: Int) -> [Int32] {
            guard let parent = process(index),
                let text = try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
            else { return [] }
            return text.split(separator: " ").compactMap { Int32($0) }
        }

        func signal(_ number: Int32, _ index: Int, children takesChildren: Bool = false) {
            let all = [process(index)].compactMap { $0 } + (takesChildren ? children(index) : [])
            for id in all { Glibc.kill(id, number) }
        }

        func kill(_ index: Int) {
            signal(SIGCONT, index, children: true)
            signal(SIGKILL, index)
            _ = try? members[index]?.wait()
            members[index] = nil
        }

        func end() throws {
            for index in members.indices {
                signal(SIGCONT, index, children: true)
                signal(SIGTERM, index)
            }
            for index in members.indices {
                guard let member = members[index] else { continue }
                let result = try member.wait()
                members[index] = nil
                #expect(result.code == 0, "\(result.errors.suffix(2000))")
            }
        }

        /// The rows of a query, the values of each with blanks between; nil while the server is away.
        func query(_ sql: String) -> [String]? {
            guard let connection = try? PostgresConnection(PostgresAddress(cluster.url)),
                let rows = try? connection.run(sql).values
            else { return nil }
            return rows.map { row in
                row.map { value -> String in
                    switch value {
                    case .integer(let number): String(number)
                    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                    default: "-"
                    }
                }.joined(separator: " ")
            }
        }

        func count(_ sql: String) -> Int? { query("SELECT count(*) FROM \(sql)")?.first.flatMap { Int($0) } }
    }

    /// A source that takes its time for each of three pages.
    private func source() throws -> LoopbackServer {
        try LoopbackServer { request in
            Pause.seconds(0.03)
            let page = (1...3).first { request.target.hasSuffix("page=\($0)") }
            let records = page.map { page in
                (page * 20 - 19...page * 20).map { "{\"id\":\($0),\"title\":\"Title \($0)\"}" }
            }
            return .text("[\((records ?? []).joined(separator: ","))]")
        }
    }

    /// Writes the pipelines: those with odd numbers keep each page at once.
    private func write(_ crew: Crew, _ schedule: String, from source: LoopbackServer) throws {
        for number in 0..<Self.pipelines {
            try crew.put(
                """
                version: 1
                name: p\(number)
                commit: \(number % 2 == 1 ? "page" : "run")
                schedule: {\(schedule), overlap: queue, retry: {max_attempts: 30, base: 1s}}
                source: {base_url: "\(source.url)"}
                entities: {Book: {table: p\(number), primary_key: id, fields: {id: int, title: string}}}
                streams: [{name: books, entity: Book, path: books, paginator: {type: page_number}}]

                """, to: "pipelines/p\(number).yaml")
        }
    }

    /// Everything that was due has been run once, whatever was killed: the counts of settled due times and of runs that
    /// succeeded are the same for each pipeline, and all rows are there.
    @Test func nothingRunsTwiceAndNothingIsLeftOut() throws {
        let place = "SLUICE_SEED=\(Self.seed)"
        print("PoolTests: \(place)")
        var random = SeededGenerator(seed: Self.seed)
        let crew = try Crew()
        let source = try source()
        defer { source.stop() }
        try write(crew, Self.seconds == nil ? "every: 12h" : "cron: '*/20 * * * * *'", from: source)
        for index in 0..<Self.workers { try crew.start(index) }
        let start = WallClock.monotonicSeconds()
        let end = start + (Self.seconds ?? 6)
        var continued: [Int: Double] = [:]
        var crashAt: Double? = start + (Self.seconds.map { $0 / 2 } ?? 3)
        var blows: [String: Int] = [:]
        while WallClock.monotonicSeconds() < end {
            Pause.seconds(Double(Int.random(in: 100...600, using: &random)) / 1000)
            let now = WallClock.monotonicSeconds()
            for (index, moment) in continued where moment <= now {
                crew.signal(SIGCONT, index, children: true)
                continued[index] = nil
            }
            if let moment = crashAt, now >= moment {
                crashAt = Self.seconds.map { _ in now + 20 }
                try crew.cluster.crash()
                try crew.cluster.restart()
                blows["crash", default: 0] += 1
            }
            let index = Int.random(in: 0..<Self.workers, using: &random)
            if continued[index] != nil { continue }
            if random.chance(50) {
                crew.kill(index)
                try crew.start(index)
                blows["kill", default: 0] += 1
            } else {
                // With its runs, as a machine that sleeps, or alone.
                crew.signal(SIGSTOP, index, children: random.chance(50))
                continued[index] = now + Double(random.pick([1, 3, 4]))
                blows["stop", default: 0] += 1
            }
        }
        for index in continued.keys { crew.signal(SIGCONT, index, children: true) }
        if Self.seconds != nil {
            // No more due times, so that what there is can come to its end.
            for number in 0..<Self.pipelines {
                let path = crew.directory.file("pipelines/p\(number).yaml")
                let text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
                try crew.put(text.replacing("*/20 * * * * *", with: "0 0 1 1 *"), to: "pipelines/p\(number).yaml")
            }
        }
        let deadline = WallClock.monotonicSeconds() + 300
        func isDone() -> Bool {
            guard let all = crew.count("pool._sluice_schedule"), all >= Self.pipelines else { return false }
            return crew.count("pool._sluice_schedule WHERE settled IS NULL") == 0
        }
        while !isDone() {
            try #require(WallClock.monotonicSeconds() < deadline, "\(place): not all due times settle")
            Pause.seconds(0.1)
        }
        let lost = crew.count("pool._sluice_schedule_runs WHERE outcome = 'lost'") ?? 0
        try crew.end()
        print("PoolTests: \(blows), \(lost) runs were taken over")
        let settled = crew.query(
            "SELECT pipeline, count(*) FROM pool._sluice_schedule WHERE settled = 'succeeded' GROUP BY 1 ORDER BY 1")
        let runs = crew.query(
            "SELECT pipeline, count(*) FROM pool._sluice_runs WHERE status = 'succeeded' GROUP BY 1 ORDER BY 1")
        #expect(settled?.count == Self.pipelines && settled == runs, "\(place)")
        let others = crew.query(
            """
            SELECT pipeline, settled FROM pool._sluice_schedule
            WHERE settled <> 'succeeded' AND settled NOT LIKE 'skipped%'
            """)
        #expect(others == [], "\(place)")
        for number in 0..<Self.pipelines {
            #expect(crew.count("pool.p\(number)") == Self.records, "\(place), p\(number)")
        }
        #expect(crew.count("pool._sluice_claims") == 0, "\(place)")
        #expect(crew.count("pool._sluice_schedule_runs WHERE ended IS NULL") == 0, "\(place)")
    }

    /// A run that was stopped comes back once another one has done its work: it keeps nothing, and says so.
    @Test func aRunThatComesBackLateKeepsNothing() throws {
        let crew = try Crew()
        try crew.put("[{\"id\":1,\"title\":\"One\"}]", to: "data/page.json")
        try crew.put(
            """
            version: 1
            name: books
            source: {base_url: "file:../data"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, path: page.json}]

            """, to: "pipelines/books.yaml")
        let first = try Program.run("run", "pipelines/books.yaml", "--store", crew.store, in: crew.directory.path)
        #expect(first.code == 0, "\(first)")
        let connection = try PostgresConnection(PostgresAddress(crew.cluster.url))
        try connection.execute("SET client_min_messages = warning")
        try crew.start(0)
        let deadline = WallClock.monotonicSeconds() + 60
        while crew.count("pool._sluice_workers") != 1 {
            try #require(WallClock.monotonicSeconds() < deadline)
            Pause.seconds(0.05)
        }
        let list = try Program.run("workers", "--store", crew.store, in: crew.directory.path)
        #expect(list.code == 0 && list.output.contains("idle; heard of"), "\(list)")
        try crew.end()
        // A claim of another worker, as that one would have made it.
        try connection.execute(
            "INSERT INTO pool._sluice_claims (pipeline, worker, token, since) VALUES ('books', 'other', 8, now())")
        let none = try Program.run("workers", "--store", crew.store, "--format", "json", in: crew.directory.path)
        #expect(none.code == 0 && none.output.contains("\"workers\":[]"), "\(none)")
        try crew.put("[{\"id\":1,\"title\":\"Late\"},{\"id\":2,\"title\":\"Two\"}]", to: "data/page.json")
        let late = try Program.run(
            "run", "pipelines/books.yaml", "--store", crew.store, in: crew.directory.path,
            environment: ["SLUICE_CLAIM": "7"])
        #expect(late.code == 7, "\(late)")
        #expect(
            (late.output + late.errors).contains("Another worker (other) has taken over the run of `books`"), "\(late)")
        #expect(crew.query("SELECT title FROM pool.books") == ["One"])
        #expect(crew.count("pool._sluice_runs") == 1)
        let own = try Program.run(
            "run", "pipelines/books.yaml", "--store", crew.store, in: crew.directory.path,
            environment: ["SLUICE_CLAIM": "8"])
        #expect(own.code == 0, "\(own)")
        #expect(crew.query("SELECT outcome FROM pool._sluice_claims") == ["succeeded"])
    }
}
