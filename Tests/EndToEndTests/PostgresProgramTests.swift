import Foundation
import SluicePostgres
import TestSupport
import Testing

/// The program with a store on PostgreSQL: what people type, and what they are told where it does not go well.
@Suite struct PostgresProgramTests {
    private let scene: Scene
    private let place: PostgresSchemaURL
    private let connection: PostgresConnection

    init() throws {
        scene = try Scene()
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute("SET client_min_messages = warning")
    }

    private func run(_ arguments: String..., store: String? = nil, environment: [String: String] = [:]) throws
        -> Program.Result
    {
        try Program.start(arguments + ["--store", store ?? place.store], in: scene.path, environment: environment)
            .wait()
    }

    private func clean() { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    private func texts(_ sql: String) throws -> [String] {
        try connection.run(sql).values.map { row in
            if case .text(let bytes)? = row.first { String(decoding: bytes, as: UTF8.self) } else { "" }
        }
    }

    /// Everything that looks or decides works as on SQLite, in the order in which one would do it.
    @Test func theCommandsWork() throws {
        defer { clean() }
        let plan = try run("plan", "books.yaml")
        #expect(plan.code == 0, "\(plan)")
        #expect(try texts("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(place.schema)'") == [])

        #expect(try run("run", "books.yaml").code == 0)
        try connection.execute("UPDATE \(place.schema).books SET title = 'ours' WHERE id = 1")
        try connection.execute("DELETE FROM \(place.schema).books WHERE id = 2")
        let edits = try run("edits")
        #expect(edits.code == 0 && edits.output.contains("ours"), "\(edits)")

        let saved = try run("plan", "books.yaml", "--save", "saved.plan")
        #expect(saved.code == 0, "\(saved)")
        let applied = try Program.run("apply", "saved.plan", in: scene.path)
        #expect(applied.code == 0, "\(applied)")
        #expect(try texts("SELECT title FROM \(place.schema).books WHERE id = 1") == ["ours"])

        for command in ["status", "history", "doctor"] {
            let told = try run(command)
            #expect(told.code == 0, "\(command): \(told)")
        }
        for command in [
            ["conflicts", "list"], ["quarantine", "list"], ["inspect", "schema"],
            ["inspect", "record", "Book", "1"],
            ["validate", "books.yaml"],
        ] {
            let told = try Program.start(command + ["--store", place.store], in: scene.path).wait()
            #expect(told.code == 0, "\(command): \(told)")
        }
        let generated = try run("generate", "pipeline", "--from-table", "books")
        #expect(generated.code == 0 && generated.output.contains("decimal"), "\(generated)")
        let undo = try run("undo", "1")
        #expect([0, 1].contains(undo.code), "\(undo)")
        #expect(try texts("SELECT title FROM \(place.schema).books WHERE id = 1") == ["ours"], "an edit stays")
    }

    @Test func aFirstRunThatFailsLeavesNothing() throws {
        defer { clean() }
        try scene.write("books.json", "[{\"id\": 1")
        let result = try run("run", "books.yaml")
        #expect(result.code != 0, "\(result)")
        #expect(try texts("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(place.schema)'") == [])
    }

    /// No output has the password, wherever it stood in the URL.
    @Test(arguments: [
        "postgres://nobody:s3cr3t@127.0.0.1:1/shop", "postgres://127.0.0.1:1/shop?user=nobody&password=s3cr3t",
    ])
    func aServerThatIsAway(_ url: String) throws {
        for command in ["plan", "run"] {
            let result = try run(command, "books.yaml", store: url)
            #expect(result.code == 1, "\(result)")
            let all = result.output + result.errors
            #expect(all.contains("cannot be reached") && all.contains("server is running"), "\(result)")
            #expect(!all.contains("s3cr3t"), "\(result)")
        }
        for command in ["status", "history", "edits"] {
            let result = try run(command, store: url)
            #expect(result.code == 1 && !(result.output + result.errors).contains("s3cr3t"), "\(result)")
        }
    }

    @Test func aStoreThatNoRunHasWrittenTo() throws {
        let result = try run("status")
        #expect(result.code == 1 && result.errors.contains("is no store yet"), "\(result)")
    }

    @Test func aRoleThatMayNotMakeTables() throws {
        let role = "reader_of_\(place.schema)"
        try connection.execute("CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema)")
        defer {
            clean()
            try? connection.execute("DROP ROLE \(role)")
        }
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        try #require(url != place.store)
        let result = try run("run", "books.yaml", store: url)
        #expect(result.code == 1, "\(result)")
        #expect((result.output + result.errors).contains("GRANT USAGE, CREATE ON SCHEMA"), "\(result)")
        try connection.execute("GRANT USAGE, CREATE ON SCHEMA \(place.schema) TO \(role)")
        #expect(try run("run", "books.yaml", store: url).code == 0)
    }

    /// Who holds a lock is told, and nothing is written meanwhile.
    @Test func aTableThatSomebodyHasLocked() throws {
        defer { clean() }
        #expect(try run("run", "books.yaml").code == 0)
        try scene.write("books.json", "[{\"id\": 1, \"title\": \"new\", \"price\": 1}]")
        try connection.begin()
        try connection.execute(
            "SET application_name = 'editor'; LOCK TABLE \(place.schema).books IN ACCESS EXCLUSIVE MODE")
        let result = try run("run", "books.yaml")
        try connection.rollback()
        #expect(result.code == 6, "\(result)")
        #expect((result.output + result.errors).contains("`editor` of the role `postgres`"), "\(result)")
    }

    /// The store of a pipeline is named by its environment, and is a secret then.
    @Test func aStoreThatIsASecret() throws {
        defer { clean() }
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("store: sqlite:shop.db", with: "store: ${env:STORE_URL}"))
        let environment = ["STORE_URL": place.store]
        let result = try Program.run("run", "books.yaml", in: scene.path, environment: environment)
        #expect(result.code == 0, "\(result)")
        let status = try Program.run("status", "books.yaml", in: scene.path, environment: environment)
        #expect(status.code == 0, "\(status)")
        for told in [result, status] {
            #expect(!(told.output + told.errors).contains(place.schema), "\(told)")
        }
    }
}
