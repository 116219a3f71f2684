import Foundation
import TestSupport
import Testing

/// Each partition of an incremental stream is read from where it was read before.
@Suite struct PartitionCursorTests {
    private static func pipeline(_ url: String, isClientSide: Bool = false) -> String {
        let ask =
            isClientSide
            ? "incremental: {cursor_field: at, client_side: true}"
            : "params: {since: \"{{ cursor.start | date }}\"}, incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}"
        return """
            version: 1
            name: forge
            store: sqlite:shop.db
            source: {base_url: "\(url)", retry: {max_attempts: 1}}
            entities:
              Repo: {table: repos, primary_key: [id], fields: {id: int}}
              Issue: {table: issues, primary_key: [repo, number], fields: {repo: {value: "{{ parent.id }}"}, number: int, at: datetime}}
            streams:
              - {name: repos, entity: Repo, path: /repos, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: issues, entity: Issue, path: "/repos/{{ parent.id }}/issues", parent: {stream: repos}, \(ask),
                 delete_missing: {mode: hard, max_delete: 100%}}
            """
    }

    private static func issue(_ number: Int, _ day: String) -> String {
        "{\"number\":\(number),\"at\":\"\(day)T00:00:00Z\"}"
    }

    private static let start = "?since=2020-01-01"

    private func cursors(_ scene: Scene) throws -> [String] {
        try scene.query("SELECT value FROM _sluice_state WHERE name = 'cursors.at'")
    }

    @Test func eachHasItsOwn() throws {
        let forge = Forge([
            "/repos": "[{\"id\":1},{\"id\":2}]",
            "/repos/1/issues\(Self.start)": .body("[\(Self.issue(1, "2021-01-01")),\(Self.issue(2, "2021-02-01"))]"),
            "/repos/2/issues\(Self.start)": .body("[\(Self.issue(1, "2022-03-01"))]"),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Self.pipeline(server.url))
        let first = try scene.forge()
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        #expect(try cursors(scene) == ["[\"1\"]\t2021-02-01T00:00:00Z\n[\"2\"]\t2022-03-01T00:00:00Z"])
        // One goes on, one fails, and one is new.
        forge["/repos"] = "[{\"id\":1},{\"id\":2},{\"id\":3}]"
        forge["/repos/1/issues?since=2021-02-01"] = .body("[\(Self.issue(3, "2023-01-01"))]")
        forge["/repos/2/issues?since=2022-03-01"] = .status(500)
        forge["/repos/3/issues\(Self.start)"] = .body("[\(Self.issue(1, "2020-05-01"))]")
        let second = try scene.forge()
        #expect(second.code == 5, "\(second.output)\(second.errors)")
        #expect(
            try cursors(scene) == [
                "[\"1\"]\t2023-01-01T00:00:00Z\n[\"2\"]\t2022-03-01T00:00:00Z\n[\"3\"]\t2020-05-01T00:00:00Z"
            ])
        #expect(
            try scene.query("SELECT repo, number FROM issues ORDER BY 1, 2") == ["1|1", "1|2", "1|3", "2|1", "3|1"])
        // What is not there any more is forgotten.
        forge["/repos"] = "[{\"id\":2}]"
        forge["/repos/2/issues?since=2022-03-01"] = "[]"
        let third = try scene.forge()
        #expect(third.code == 0, "\(third.output)\(third.errors)")
        #expect(try cursors(scene) == ["[\"2\"]\t2022-03-01T00:00:00Z"])
        // A run with `--full` sees what is gone.
        forge["/repos/2/issues\(Self.start)"] = .body("[\(Self.issue(4, "2022-03-02"))]")
        let full = try scene.forge("run", "--full")
        #expect(full.code == 0, "\(full.output)\(full.errors)")
        #expect(try scene.query("SELECT repo, number FROM issues ORDER BY 1, 2") == ["2|4"])
        // Undone, all of it is asked for again: a cursor would pass over what that run alone saw.
        #expect(try Program.run("undo", "4", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        #expect(try cursors(scene) == [])
    }

    @Test func whatIsNotStoredHoldsTheCursorOfItsPartitionAlone() throws {
        let forge = Forge([
            "/repos": "[{\"id\":1},{\"id\":2}]",
            "/repos/1/issues\(Self.start)": .body(
                "[\(Self.issue(1, "2021-01-01")),{\"number\":\"x\",\"at\":\"2021-02-01T00:00:00Z\"},\(Self.issue(3, "2021-03-01"))]"
            ),
            "/repos/2/issues\(Self.start)": .body("[\(Self.issue(1, "2022-03-01"))]"),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Self.pipeline(server.url))
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains("cursor_held"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("Repo 1: 1 record could not be written"), "\(run.output)")
        #expect(try cursors(scene) == ["[\"1\"]\t2021-01-31T23:59:59Z\n[\"2\"]\t2022-03-01T00:00:00Z"])
    }

    @Test func recordsAreLeftOutByTheCursorOfTheirPartition() throws {
        let forge = Forge([
            "/repos": "[{\"id\":1},{\"id\":2}]",
            "/repos/1/issues": .body("[\(Self.issue(1, "2021-01-01"))]"),
            "/repos/2/issues": .body("[\(Self.issue(1, "2023-03-01"))]"),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Self.pipeline(server.url, isClientSide: true))
        #expect(try scene.forge().code == 0)
        forge["/repos/1/issues"] = .body("[\(Self.issue(2, "2022-01-01"))]")
        forge["/repos/2/issues"] = .body("[\(Self.issue(2, "2022-01-01"))]")
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains("\"filtered\":1"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT repo, number FROM issues ORDER BY 1, 2") == ["1|1", "1|2", "2|1"])
    }
}
