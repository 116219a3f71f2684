import Foundation
import SluicePostgres
import TestSupport
import Testing

/// How long the program waits for a PostgreSQL server, and what ends that.
@Suite struct PostgresWaitTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func run(_ arguments: String..., store: PostgresSchemaURL) throws -> Program.Result {
        try Program.start(arguments + ["--store", store.store], in: scene.path).wait()
    }

    /// A pipeline over one record, whose value the source changes after the first run.
    private func writeItems(_ value: String) throws {
        try scene.write(
            "items.yaml",
            """
            version: 1
            name: items
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, a: string}}}
            streams: [{name: items, entity: Item, path: items.json}]
            """)
        try scene.write("items.json", #"[{"id": 1, "a": "\#(value)"}]"#)
    }

    /// A signal ends a run that waits for a server which says nothing, as a machine that hangs does.
    @Test(.timeLimit(.minutes(2)), arguments: [SIGTERM, SIGINT]) func aSignalWhileTheServerIsSilent(
        _ signal: Int32
    ) throws {
        let cluster = try PostgresCluster()
        let store = PostgresSchemaURL(server: cluster.url)
        let editor = try PostgresConnection(PostgresAddress(cluster.url))
        try writeItems("v1")
        #expect(try run("run", "items.yaml", store: store).code == 0)
        try writeItems("v2")
        try editor.execute("BEGIN; UPDATE \(store.schema).items SET a = 'ours'")
        let running = try Program.start(
            ["run", "items.yaml", "--wait", "10m", "--store", store.store], in: scene.path)
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        let watcher = try PostgresConnection(PostgresAddress(cluster.url))
        while running.process.isRunning, try watcher.integer(waiting) == 0 {}
        let backends = try watcher.run("SELECT pid::int8 FROM pg_stat_activity WHERE application_name = 'sluice'")
            .values.compactMap { row -> pid_t? in if case .integer(let pid)? = row.first { pid_t(pid) } else { nil } }
            .filter { ![editor.processID, watcher.processID].contains($0) }
        #expect(!backends.isEmpty)
        for backend in backends { kill(backend, SIGSTOP) }
        kill(running.process.processIdentifier, signal)
        let result = try running.wait()
        for backend in backends { kill(backend, SIGCONT) }
        #expect(result.code == 128 + signal, "\(result)")
        try editor.execute("COMMIT")
        let next = try run("run", "items.yaml", "--wait", "1m", store: store)
        #expect(next.code == 0, "\(next)")
        #expect(try editor.run("SELECT a FROM \(store.schema).items").string(0, 0) == "ours")
    }

    static let commands = [
        ["status"], ["edits"], ["history"], ["conflicts", "list"], ["undo", "1"], ["store", "check"],
        ["plan", "items.yaml"], ["run", "items.yaml"], ["doctor", "items.yaml"], ["validate", "items.yaml"],
    ]

    /// A signal ends each command also where the server takes its connection and says nothing.
    @Test(.timeLimit(.minutes(1)), arguments: commands) func aSignalWhileACommandConnects(_ command: [String]) throws {
        let server = try SilentServer()
        try writeItems("v1")
        let url = "postgres://postgres@127.0.0.1:\(server.port)/shop?sslmode=disable&connect_timeout=300"
        let running = try Program.start(command + ["--store", url], in: scene.path)
        // It connects once, and waits for an answer.
        server.awaitConnection()
        kill(running.process.processIdentifier, SIGTERM)
        let result = try running.wait()
        #expect(result.code == 143, "\(command) \(result)")
    }

    /// `--wait` says for each command how long it waits for a lock of somebody else.
    @Test(.timeLimit(.minutes(1))) func anUndoWaitsAsLongAsItIsTold() throws {
        let store = try PostgresSchemaURL()
        let editor = try PostgresConnection(PostgresAddress(store.server))
        defer {
            try? editor.execute("SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(store.schema) CASCADE")
        }
        try writeItems("v1")
        #expect(try run("run", "items.yaml", store: store).code == 0)
        try editor.execute("BEGIN; UPDATE \(store.schema).items SET a = 'ours'")
        let start = ContinuousClock.now
        let result = try run("undo", "1", "--wait", "10ms", store: store)
        let time = ContinuousClock.now - start
        try editor.execute("ROLLBACK")
        #expect(result.code == 6, "\(result)")
        // Without it, it waits 5 seconds.
        #expect(time < .seconds(5), "\(result)")
        #expect(try run("undo", "1", store: store).code == 0)
    }

    /// A transaction that was prepared holds its locks without a connection.
    @Test(.timeLimit(.minutes(1))) func aPreparedTransactionIsNamed() throws {
        let store = try PostgresSchemaURL()
        let editor = try PostgresConnection(PostgresAddress(store.server))
        defer {
            _ = try? editor.execute("ROLLBACK PREPARED '\(store.schema)'")
            try? editor.execute("SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(store.schema) CASCADE")
        }
        try writeItems("v1")
        #expect(try run("run", "items.yaml", store: store).code == 0)
        try writeItems("v2")
        try editor.execute(
            "BEGIN; UPDATE \(store.schema).items SET a = 'ours'; PREPARE TRANSACTION '\(store.schema)'")
        let result = try run("run", "items.yaml", "--wait", "10ms", store: store)
        #expect(result.code == 6, "\(result)")
        let words = "The prepared transaction `\(store.schema)` of the role `postgres` has waited"
        #expect((result.output + result.errors).contains(words), "\(result)")
    }

    /// An import looks at its table before it begins; where another run gives that another name meanwhile, it does what it
    /// would do a moment later.
    @Test(.timeLimit(.minutes(1))) func anImportWaitsForARename() throws {
        let store = try PostgresSchemaURL()
        let editor = try PostgresConnection(PostgresAddress(store.server))
        let watcher = try PostgresConnection(PostgresAddress(store.server))
        defer {
            try? editor.execute("SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(store.schema) CASCADE")
        }
        func awaitWaiting(_ running: Running, _ count: Int64) throws {
            let sql = """
                SELECT count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
                JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = '\(store.schema)' AND c.relname = 'items' AND NOT l.granted
                """
            while running.process.isRunning, try watcher.integer(sql) ?? 0 < count {}
        }
        try writeItems("v1")
        // An import takes the name of its table, and would wait for a run of that name.
        let text = try String(contentsOfFile: scene.folder.file("items.yaml"), encoding: .utf8)
            .replacingOccurrences(of: "version: 1\nname: items", with: "version: 1\nname: stock")
        try scene.write("items.yaml", text)
        #expect(try run("run", "items.yaml", store: store).code == 0)
        try scene.write(
            "items.yaml",
            text.replacingOccurrences(of: "table: items,", with: "table: things, table_renamed_from: items,"))
        try scene.write("more.json", #"[{"id": 7, "a": "of a file"}]"#)
        try editor.execute("BEGIN; SELECT * FROM \(store.schema).items")
        let rename = try Program.start(
            ["run", "items.yaml", "--wait", "1m", "--store", store.store], in: scene.path)
        try awaitWaiting(rename, 1)
        let imported = try Program.start(
            ["import", "more.json", "--table", "items", "--wait", "1m", "--store", store.store], in: scene.path)
        try awaitWaiting(imported, 2)
        try editor.execute("COMMIT")
        for running in [rename, imported] {
            let result = try running.wait()
            #expect(result.code == 0, "\(result)")
        }
        let rows = try editor.run(
            "SELECT a FROM \(store.schema).things UNION ALL SELECT a FROM \(store.schema).items ORDER BY 1")
        #expect((0..<rows.values.count).map { rows.string($0, 0) } == ["of a file", "v1"])
    }
}
