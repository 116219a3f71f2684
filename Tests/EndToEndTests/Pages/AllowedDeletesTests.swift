import TestSupport
import Testing

/// `--allow-deletes N` holds for all streams together, also where pages are kept one by one.
@Suite struct AllowedDeletesTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the third stream has.
        let stream: String
        var commit = ""
    }

    static let forms = [
        Form(testDescription: "kept as a whole", stream: ""),
        Form(testDescription: "page by page", stream: "", commit: "commit: page"),
        Form(
            testDescription: "a cursor",
            stream: "params: {since: \"{{ cursor.start }}\"}, incremental: {cursor_field: at, initial_value: 0},"),
        Form(
            testDescription: "one request for each item", stream: "params: {of: \"{{ item }}\"}, for_each: [x],",
            commit: "commit: page"),
    ]

    private static func pipeline(_ base: String, _ form: Form) -> String {
        """
        version: 1
        name: clinic
        store: sqlite:shop.db
        source: {base_url: "\(base)"}
        \(form.commit)
        entities:
          Room: {table: rooms, primary_key: [id], fields: {id: int}}
          Patient: {table: patients, primary_key: [id], fields: {id: int}}
          Visit: {table: visits, primary_key: [id], fields: {id: int, at: int}}
        streams:
          - {name: rooms, entity: Room, path: /rooms, delete_missing: {mode: hard, min_records: 4, max_delete: 100%}}
          - {name: patients, entity: Patient, path: /patients, delete_missing: {mode: hard, max_delete: 2, min_records: 0}}
          - {name: visits, entity: Visit, path: /visits, \(form.stream) delete_missing: {mode: hard, max_delete: 2, min_records: 0}}
        """
    }

    private static func records(_ ids: ClosedRange<Int>) -> Forge.Answer {
        .body("[" + ids.map { "{\"id\":\($0),\"at\":\($0)}" }.joined(separator: ",") + "]")
    }

    @Test(arguments: forms)
    func allOrNone(form: Form) throws {
        let forge = Forge([
            "/rooms": Self.records(1...5), "/patients": Self.records(1...9), "/visits": Self.records(1...3),
        ])
        let server = try LoopbackServer { request in
            if case .body(let text)? = forge[request.path] { .text(text) } else { .text("", status: 404) }
        }
        defer { server.stop() }
        let scene = try Scene(forge: Self.pipeline(server.url, form))
        let first = try scene.forge()
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        (forge["/rooms"], forge["/patients"]) = (Self.records(1...3), Self.records(1...5))
        func left() throws -> [String] {
            try scene.query(
                "SELECT (SELECT count(*) FROM rooms), (SELECT count(*) FROM patients), (SELECT count(*) FROM visits)")
        }
        for arguments in [[], ["--allow-deletes", "2"], ["--allow-deletes", "4"], ["--allow-deletes", "5"]] {
            for command in ["plan", "run"] {
                let result = try Program.start([command, "forge.yaml", "--format", "json"] + arguments, in: scene.path)
                    .wait()
                let told = Comment(rawValue: "\(command) \(arguments): \(result.output)\(result.errors)")
                #expect(command == "plan" || result.code == 4, told)
                #expect(result.output.contains("\"delete_refused\":6"), told)
                #expect(result.output.contains("--stream patients --allow-deletes 4"), told)
                #expect(try left() == ["5|9|3"], told)
            }
        }
        let alone = try scene.forge("run", "--stream", "patients", "--allow-deletes", "4")
        #expect(alone.code == 0, "\(alone.output)\(alone.errors)")
        #expect(try left() == ["5|5|3"])
        let rest = try scene.forge("run", "--allow-deletes", "2")
        #expect(rest.code == 0, "\(rest.output)\(rest.errors)")
        #expect(try left() == ["3|5|3"])
    }
}
