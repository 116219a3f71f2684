import Foundation
import TestSupport
import Testing

/// Plans of streams that ask for each record of another one, where a decision changes which those are.
@Suite("A saved plan, and partitions that it does not have") struct SavedPlanPartitionTests {
    /// What the source answers, by path.
    private static let first = [
        "/ps.json": #"[{"id": 1, "t": "a"}, {"id": 2, "t": "b"}]"#,
        "/c1.json": #"[{"k": 1, "n": "x"}]"#, "/c2.json": #"[{"k": 1, "n": "y"}]"#,
    ]

    @Test("A list that is due since the plan was made is left to the next run", arguments: ["file", "HTTP"])
    func listsThatAreDueSinceAreLeftToTheNextRun(kind: String) throws {
        let forge = Forge([:])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene()
        func say(_ path: String, _ body: String) throws {
            forge[path] = .body(body)
            try scene.write(String(path.dropFirst()), body)
        }
        for (path, body) in Self.first { try say(path, body) }
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(kind == "file" ? "file:." : server.url)"}
            entities:
              P: {primary_key: id, fields: {id: int, t: string}}
              C: {primary_key: [pid, k], fields: {pid: {type: int, value: "{{ parent.id }}"}, k: int, n: string}}
            streams:
            - {name: ps, entity: P, path: ps.json}
            - {name: cs, entity: C, path: "c{{ parent.id }}.json", parent: {stream: ps, only: changed}}
            """)
        func run() throws { #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0) }
        func rows() throws -> [String] { try scene.query("SELECT pid, n FROM c ORDER BY pid") }
        try run()
        try scene.execute("UPDATE p SET t = 'mine' WHERE id = 2")
        try say("/ps.json", #"[{"id": 1, "t": "a"}, {"id": 2, "t": "b2"}]"#)
        try run()
        try say("/ps.json", #"[{"id": 1, "t": "a2"}, {"id": 2, "t": "b2"}]"#)
        try say("/c1.json", #"[{"k": 1, "n": "x2"}]"#)
        #expect(try Program.run("plan", "books.yaml", "--save", "books.plan", in: scene.path).code == 0)
        let decision = try Program.run(
            "conflicts", "resolve", "1", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(decision.code == 0, "\(decision.errors)")
        try say("/c2.json", #"[{"k": 1, "n": "y2"}]"#)
        let applied = try Program.run("apply", "books.plan", "--allow-older", in: scene.path)
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        #expect(
            applied.errors.contains("No request was made for P 2 of `cs`, which the plan does not have"),
            "\(applied.output)\(applied.errors)")
        #expect(try rows() == ["1|x2", "2|y"])
        try run()
        #expect(try rows() == ["1|x2", "2|y2"])
    }
}
