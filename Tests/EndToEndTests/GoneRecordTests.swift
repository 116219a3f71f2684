import Foundation
import TestSupport
import Testing

/// When a record counts as gone, and what is said of it.
@Suite struct GoneRecordTests {
    private static func pipeline(_ streams: String, source: String = "file:.", merge: String = "{}") -> String {
        """
        version: 1
        name: p
        source: {base_url: "\(source)", retry: {max_attempts: 1}}
        entities:
          T: {table: t, primary_key: [id], fields: {id: int, n: int, at: datetime}}
        streams:
          \(streams)
        merge: \(merge)
        """
    }

    private static func record(_ id: Int, _ n: String = "1", at: String = "2024-01-05T00:00:00Z") -> String {
        "{\"id\": \(id), \"n\": \(n), \"at\": \"\(at)\"}"
    }

    private func list(_ records: [String], _ name: String, in scene: TableScene) throws {
        try scene.write(name, "[\(records.joined(separator: ", "))]")
    }

    /// The cursor's value may be too long for a base that keeps digests: the row tells it.
    @Test(arguments: TableScene.Kind.allCases) func aDigestOfTheCursorHidesNothing(_ kind: TableScene.Kind) throws {
        let scene = try TableScene(kind)
        try scene.write(
            "p.yaml",
            Self.pipeline(
                "- {name: a, entity: T, path: a.json, incremental: {cursor_field: at, initial_value: 2024-01-01T00:00:00Z, client_side: true}, delete_missing: {mode: hard, max_delete: 100%}}",
                merge: "{keep_base: digest}"))
        let records = (1...3).map { Self.record($0, at: "2024-01-0\($0 + 1)T00:00:00.123456Z") }
        try list(records, "a.json", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try list(Array(records.dropLast()), "a.json", in: scene)
        let run = try scene.sluice("run", "p.yaml", "--full")
        #expect(run.output.contains("1 deleted from t"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT CAST(id AS text) FROM t ORDER BY id") == ["1", "2"])
    }

    /// A record that its stream missed and that another one states to be deleted comes back once it is listed again.
    @Test(arguments: ["", ", incremental: {cursor_field: at, initial_value: 2024-01-01T00:00:00Z, client_side: true}"])
    func whatWasMissedComesBack(_ incremental: String) throws {
        let scene = try TableScene(.sqlite)
        try scene.write(
            "p.yaml",
            Self.pipeline(
                "- {name: a, entity: T, path: a.json, delete_missing: {mode: ignore}\(incremental)}\n  - {name: b, entity: T, path: b.json, deleted_when: \"true\"}",
                merge: "{precedence: [a, b]}"))
        let records = [4, 5].map { Self.record($0) }
        try list(records, "a.json", in: scene)
        try list([], "b.json", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try list([records[0]], "a.json", in: scene)
        try list(["{\"id\": 5}"], "b.json", in: scene)
        #expect(try scene.sluice("run", "p.yaml", "--full").code == 0)
        #expect(try scene.query("SELECT CAST(id AS text) FROM t") == ["4"])
        try list(records, "a.json", in: scene)
        let run = try scene.sluice("run", "p.yaml", "--full")
        #expect(run.output.contains("back at the source"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT CAST(id AS text) FROM t ORDER BY id") == ["4", "5"])
    }

    /// A stream that is merged twice in a run has missed a record once.
    @Test func oneRunIsOneScan() throws {
        let scene = try TableScene(.sqlite)
        let path = scene.scene.path
        let server = try LoopbackServer { request in
            .text((try? String(contentsOfFile: path + request.path, encoding: .utf8)) ?? "[]")
        }
        defer { server.stop() }
        try scene.write(
            "p.yaml",
            Self.pipeline(
                """
                - name: a
                    entity: T
                    path: /a.json
                    params: {since: "{{ cursor.start }}", until: "{{ cursor.end }}"}
                    incremental: {cursor_field: at, initial_value: 2024-01-01T00:00:00Z}
                    delete_missing: {mode: hard, max_delete: 100%}
                  - {name: b, entity: T, path: /b.json, delete_missing: {mode: ignore}}
                """, source: server.url, merge: "{precedence: [a, b]}"))
        try list([4, 5].map { Self.record($0) }, "a.json", in: scene)
        try list([Self.record(5, "\"bad\"")], "b.json", in: scene)
        let first = try scene.sluice("run", "p.yaml")
        #expect(first.output.contains("1 not written") || first.output.contains("quarantine"), "\(first.output)")
        try list([Self.record(4)], "a.json", in: scene)
        try list([], "b.json", in: scene)
        for (run, rows) in [(2, ["4", "5"]), (3, ["4", "5"]), (4, ["4"])] {
            let result = try scene.sluice("run", "p.yaml", "--full")
            #expect(
                try scene.query("SELECT CAST(id AS text) FROM t ORDER BY id") == rows,
                "run \(run): \(result.output)\(result.errors)")
        }
    }

    /// What another source gave is not said to be edited here.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func valuesOfOthersAreNoEdits(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try TableScene(kind)
        try scene.write(
            "p.yaml",
            Self.pipeline(
                "- {name: a, entity: T, path: a.json}\n  - {name: b, entity: T, path: b.json, deleted_when: .gone == true}",
                merge: "{precedence: [a, b]}"))
        try list([Self.record(4), Self.record(5)], "a.json", in: scene)
        try list([Self.record(4, "2"), Self.record(5, "2")], "b.json", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try list(["{\"id\": 4, \"gone\": true}", Self.record(5, "2")], "b.json", in: scene)
        let plan = try scene.sluice("plan", "p.yaml", "--format", "json")
        #expect(plan.output.contains("\"delete\"") && !plan.output.contains("local_override"), "\(plan.output)")
    }

    /// A deletion that is stated holds although the source lists something within an element of a list that gave way.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aStatedDeletionHolds(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try TableScene(kind)
        try scene.write(
            "p.yaml",
            """
            version: 1
            name: p
            source: {base_url: "file:."}
            entities:
              T: {table: t, primary_key: [id], fields: {id: int}, children: {xs: {entity: X, from: "xs[*]", ordered: true}}}
              X: {table: x, fields: {v: string}, children: {ys: {entity: Y, from: "ys[*]", key: [k]}}}
              Y: {table: y, fields: {k: int, w: string}, children: {zs: {entity: Z, from: "zs[*]", ordered: true}}}
              Z: {table: z, fields: {u: int}}
            streams:
              - {name: a, entity: T, path: a.json}
              - {name: b, entity: T, path: b.json}
              - {name: gone, entity: T, path: gone.json, deleted_when: "true"}
            merge: {precedence: [a, b, gone]}
            """)
        func listed(_ w: String) -> String {
            "[{\"id\":4,\"xs\":[{\"v\":\"q\",\"ys\":[{\"k\":1,\"w\":\"\(w)\",\"zs\":[{\"u\":1}]}]}]}]"
        }
        try scene.write("a.json", #"[{"id":4,"xs":[{"v":"p"}]}]"#)
        for name in ["b", "gone"] { try scene.write("\(name).json", "[]") }
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try scene.write("a.json", "[]")
        try scene.write("b.json", listed("one"))
        try scene.write("gone.json", #"[{"id":4}]"#)
        let second = try scene.sluice("run", "p.yaml")
        #expect(second.output.contains("The deletion holds until the source changes it again"), "\(second.output)")
        for arguments in [["run", "p.yaml"], ["run", "p.yaml", "--full"]] {
            let run = try Program.start(arguments + ["--store", scene.store], in: scene.scene.path).wait()
            #expect(run.output.contains("nothing changed"), "\(run.output)\(run.errors)")
        }
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM t") == ["0"])
        try scene.write("b.json", listed("two"))
        let back = try scene.sluice("run", "p.yaml")
        #expect(back.output.contains("back at the source"), "\(back.output)\(back.errors)")
        #expect(try scene.query("SELECT w FROM y") == ["two"])
        #expect(try scene.query("SELECT CAST(u AS text) FROM z") == ["1"])
    }
}
