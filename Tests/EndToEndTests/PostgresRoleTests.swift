import SluicePostgres
import TestSupport
import Testing

/// What roles may do with a store on PostgreSQL and with tables that others made: told with what helps, and enough then.
@Suite struct PostgresRoleTests {
    private let scene: Scene
    private let place: PostgresSchemaURL
    private let connection: PostgresConnection
    /// The role of the store.
    private let role: String
    /// Another one.
    private let other: String

    init() throws {
        scene = try Scene()
        place = try PostgresSchemaURL()
        role = "one_of_\(place.schema)"
        other = "two_of_\(place.schema)"
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute(
            """
            SET client_min_messages = warning; SET search_path = \(place.schema);
            CREATE ROLE \(role) LOGIN; CREATE ROLE \(other) LOGIN;
            CREATE SCHEMA \(place.schema); GRANT USAGE, CREATE ON SCHEMA \(place.schema) TO \(role), \(other)
            """)
        try scene.write("items.json", #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
        try scene.write("items.yaml", Self.pipeline(""))
    }

    private static func pipeline(_ kinds: String) -> String {
        """
        version: 1
        name: items
        source: {base_url: "file:."}
        entities:
          Item: {table: items, primary_key: id, fields: {id: int, name: string}}
          \(kinds.isEmpty ? "" : "Kind: {table: kinds, primary_key: id, fields: {id: int, name: string}}")
        streams:
          - {name: items, entity: Item, path: items.json}
          \(kinds)
        """
    }

    private func run(_ role: String, _ arguments: String...) throws -> Program.Result {
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        return try Program.start(arguments + ["--store", url], in: scene.path).wait()
    }

    private func clean() {
        try? connection.execute(
            """
            DROP SCHEMA IF EXISTS \(place.schema) CASCADE; DROP OWNED BY \(role), \(other); DROP ROLE \(role), \(other)
            """)
    }

    @Test func aSearchPathThatNamesOtherTypesAndFunctionsFirst() throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE DOMAIN \(place.schema).text AS varchar(3);
            CREATE FUNCTION \(place.schema).length(pg_catalog.text) RETURNS int4 LANGUAGE sql AS 'SELECT 1';
            CREATE FUNCTION \(place.schema).never(int8, int8) RETURNS bool LANGUAGE sql AS 'SELECT false';
            CREATE OPERATOR \(place.schema).= (LEFTARG = int8, RIGHTARG = int8, FUNCTION = \(place.schema).never);
            GRANT USAGE ON TYPE \(place.schema).text TO \(role);
            ALTER ROLE \(role) SET search_path = \(place.schema), pg_catalog
            """)
        try scene.write("items.json", #"[{"id": 1, "name": "longer than that"}]"#)
        let first = try run(role, "run", "items.yaml", "--strict")
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try scene.write("items.json", #"[{"id": 1, "name": "another long one"}]"#)
        let second = try run(role, "run", "items.yaml", "--strict")
        #expect(second.code == 0 && second.output.contains("1 updated"), "\(second.output)\(second.errors)")
        let undone = try run(role, "undo", "2")
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        #expect(
            try connection.run("SELECT name FROM \(place.schema).items").values == [[PostgresValue("longer than that")]]
        )
    }

    /// A row that a policy hides is none that somebody deleted.
    @Test func aTableWhosePoliciesHideRows() throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE TABLE items (id bigint PRIMARY KEY, name text);
            GRANT SELECT, INSERT, UPDATE, DELETE ON items TO \(role)
            """)
        #expect(try run(role, "run", "items.yaml").code == 0)
        try connection.execute(
            """
            ALTER TABLE items ENABLE ROW LEVEL SECURITY; CREATE POLICY few ON items USING (id <> 2)
            """)
        for command in ["validate", "doctor", "plan", "run"] {
            let told = try run(role, command, "items.yaml")
            let text = told.output + told.errors
            #expect(told.code != 0 && text.contains("BYPASSRLS"), "\(command): \(told)")
        }
        let edits = try run(role, "edits")
        #expect(edits.code != 0 && !edits.output.contains("deleted"), "\(edits)")
        let checked = try run(role, "store", "check")
        let told = checked.output + checked.errors
        #expect(checked.code == 1 && told.contains("BYPASSRLS") && !told.contains("Delete these rows"), "\(checked)")
        // One that may only read is told of the policy, and not of rights to write.
        try connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA \(place.schema) TO \(other)")
        for told in [try run(other, "store", "check"), try run(other, "edits")] {
            #expect(told.code != 0 && (told.output + told.errors).contains("BYPASSRLS"), "\(told)")
        }
        try connection.execute("ALTER ROLE \(role) BYPASSRLS")
        for command in ["validate", "doctor", "run"] {
            let told = try run(role, command, "items.yaml")
            #expect(told.code == 0 && !told.output.contains("deleted"), "\(command): \(told)")
        }
    }

    /// Who may read all may check all: nothing is locked to be looked at.
    @Test func whoMayReadChecksTheStore() throws {
        defer { clean() }
        #expect(try run(role, "run", "items.yaml").code == 0)
        try connection.execute("UPDATE items SET name = 'mine' WHERE id = 1")
        try scene.write("items.json", #"[{"id": 1, "name": "theirs"}, {"id": 2, "name": "b"}]"#)
        #expect(try run(role, "run", "items.yaml").output.contains("1 in conflict"))
        try connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA \(place.schema) TO \(other)")
        let checked = try run(other, "store", "check")
        #expect(checked.code == 0 && checked.output.contains("Nothing is wrong."), "\(checked)")
    }

    /// What a member of the owner makes belongs to the owner, who goes on with it.
    @Test func aDeputyLeavesTheStoreToItsOwner() throws {
        defer { clean() }
        try connection.execute("GRANT \(role) TO \(other)")
        #expect(try run(role, "run", "items.yaml").code == 0)
        try scene.write("items.yaml", Self.pipeline("- {name: kinds, entity: Kind, path: items.json}"))
        let deputy = try run(other, "run", "items.yaml")
        #expect(deputy.code == 0 && deputy.output.contains("kinds"), "\(deputy)")
        let strange = """
            SELECT count(*) FROM pg_class WHERE relnamespace = '\(place.schema)'::regnamespace
            AND pg_get_userbyid(relowner) <> '\(role)'
            """
        #expect(try connection.integer(strange) == 0)
        for command in ["doctor", "run"] {
            let told = try run(role, command, "items.yaml")
            #expect(told.code == 0, "\(command): \(told)")
        }
        // Tables that went to another role before are told with a remedy that the server takes.
        try connection.execute("ALTER TABLE \"_sluice_base_items_kinds_Kind\" OWNER TO \(other)")
        let lost = try run(role, "run", "items.yaml")
        let remedy = "REASSIGN OWNED BY \"\(other)\" TO \"\(role)\""
        #expect(lost.code == 1 && lost.errors.contains(remedy), "\(lost)")
        try connection.execute(remedy)
        #expect(try run(role, "run", "items.yaml").code == 0)
    }

    /// A source that names the host of the store, as one on the same machine does, does not repeat a secret.
    @Test func aSourceOnTheHostOfTheStore() throws {
        defer { clean() }
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        let host = url.split(separator: "host=").dropFirst().first?.prefix { $0 != "&" } ?? "nowhere"
        let server = try LoopbackServer { _ in .text("[{\"id\": 1, \"name\": \"http://\(host)/1\"}]") }
        defer { server.stop() }
        let pipeline = Self.pipeline("").replacing("file:.", with: server.url)
            .replacing("source:", with: "store: \"${env:STORE}\"\nsource:")
        try scene.write("items.yaml", pipeline)
        let planned = try Program.start(
            ["plan", "items.yaml", "--save", "items.plan"], in: scene.path, environment: ["STORE": url]
        ).wait()
        #expect(planned.code == 0 && !planned.output.contains("asks the source again"), "\(planned)")
    }

    /// A copy gives no number again that was given, and says what it needs to know that.
    @Test func aSequenceThatTheRoleMayNotRead() throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE TABLE items (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text);
            GRANT SELECT, INSERT, UPDATE, DELETE ON items TO \(role)
            """)
        #expect(try run(role, "run", "items.yaml").code == 0)
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        let refused = try Program.run("store", "copy", url, "sqlite:copy.db", in: scene.path)
        let grant = "GRANT SELECT ON SEQUENCE \"\(place.schema)\".\"items_id_seq\" TO \"\(role)\""
        #expect(refused.code == 1 && refused.errors.contains("`\(grant)`."), "\(refused)")
        #expect(!refused.errors.contains("bug"), "\(refused)")
        try connection.execute(grant)
        #expect(try Program.run("store", "copy", url, "sqlite:copy.db", "--verify", in: scene.path).code == 0)
    }
}
