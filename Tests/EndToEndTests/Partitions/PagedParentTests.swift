import Foundation
import TestSupport
import Testing

/// Streams that ask for each record of another one, in pipelines that keep every page.
@Suite struct PagedParentTests {
    private static func report(_ result: Program.Result) throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let pipelines = try #require(document?["pipelines"] as? [[String: Any]])
        return try #require(pipelines.first)
    }

    private static func summary(_ result: Program.Result) throws -> NSDictionary {
        try #require(report(result)["summary"] as? NSDictionary)
    }

    /// The store ends up as it does where the run is kept as a whole, and a plan says what the run does.
    @Test(arguments: ["{stream: repos}", "{stream: repos, only: changed}"])
    func eachIsKeptAfterItsParents(parent: String) throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        var stores: [[[String]]] = []
        for commit in ["run", "page"] {
            for (path, answer) in Forge.small { forge[path] = answer }
            let scene = try Scene(
                forge: Forge.pipeline(server.url, levels: 3, parent: parent, top: "commit: \(commit)"))
            var states: [[String]] = []
            func step() throws {
                let plan = try scene.forge("plan")
                let run = try scene.forge()
                #expect(plan.code == 0 && run.code == 0, "\(plan.output)\(run.output)\(run.errors)")
                #expect(try Self.summary(plan) == Self.summary(run))
                states.append(try scene.issues() + scene.query("SELECT id, at FROM comments ORDER BY id"))
                let quiet = try scene.forge("plan", "--detailed-exitcode")
                #expect(quiet.code == 0, "\(quiet.output)")
            }
            try step()
            forge["/repos"] = #"[{"id":1,"name":"a"},{"id":2,"name":"b c"},{"id":3,"name":"d"}]"#
            forge["/repos/d/issues"] = #"[{"number":7,"title":"n"}]"#
            forge["/repos/3/issues/7/comments"] = #"[{"id":30}]"#
            try step()
            forge["/repos"] = #"[{"id":3,"name":"d"}]"#
            try step()
            #expect(states.last == ["3|7|n", "30|3#7"])
            let last = try #require(try scene.query("SELECT max(id) FROM _sluice_runs").first)
            #expect(try Program.run("undo", last, "--store", "sqlite:shop.db", in: scene.path).code == 0)
            states.append(try scene.issues())
            #expect(states.last == ["1|1|x", "1|2|y", "2|1|z", "3|7|n"])
            stores.append(states)
        }
        #expect(stores.first == stores.last)
    }

    @Test func eachTextIsAskedFor() throws {
        let forge = Forge([
            "/repos": #"[{"id":1,"name":"a"}]"#, "/repos/a/open": #"[{"number":1,"title":"x"}]"#,
            "/repos/a/closed": #"[{"number":2,"title":"y"}]"#,
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let pipeline = Forge.pipeline(
            server.url, parent: "{stream: repos}, for_each: [open, closed]", top: "commit: page"
        ).replacing("/issues\"", with: "/{{ item }}\"")
        let scene = try Scene(forge: pipeline)
        #expect(try scene.forge().code == 0)
        #expect(try scene.issues() == ["1|1|x", "1|2|y"])
        // Without a parent as well.
        let alone = try Scene(url: server.url)
        try alone.write(
            "forge.yaml",
            """
            version: 1
            name: forge
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            commit: page
            entities: {Issue: {table: issues, primary_key: [number], fields: {number: int, title: string}}}
            streams: [{name: issues, entity: Issue, path: "/repos/a/{{ item }}", for_each: [open, closed]}]
            """)
        #expect(try alone.forge().code == 0)
        #expect(try alone.query("SELECT number FROM issues ORDER BY 1") == ["1", "2"])
    }

    /// What could not be read keeps what is below it, and what was read is kept.
    @Test func oneThatFailsTakesNothingAlong() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, top: "commit: page"))
        #expect(try scene.forge().code == 0)
        forge["/repos/a/issues"] = .status(500)
        forge["/repos/b%20c/issues"] = "[]"
        let part = try scene.forge()
        #expect(part.code == 5, "\(part.output)")
        #expect(try scene.issues() == ["1|1|x", "1|2|y"])
        forge["/repos"] = .status(500)
        forge["/repos/a/issues"] = "[]"
        let failed = try scene.forge()
        #expect(failed.code != 0 && failed.output.contains("was not read to its end"), "\(failed.output)")
        #expect(try scene.issues() == ["1|1|x", "1|2|y"])
    }

    /// What stands for a record that went does not stay where all that led to it goes in the same run.
    @Test(arguments: ["run", "page"])
    func noStubStays(commit: String) throws {
        let forge = Forge(["/repos": #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#])
        forge["/repos/1/issues"] = #"[{"number":1,"title":"x"},{"number":2,"title":"y"}]"#
        forge["/repos/2/issues"] = #"[{"number":1,"title":"z"}]"#
        let server = try forge.serve()
        defer { server.stop() }
        let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        let scene = try Scene(url: server.url)
        try scene.write(
            "forge.yaml",
            """
            version: 1
            name: forge
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            commit: \(commit)
            merge: {keep_base: full}
            entities:
              Repo: {table: repos, primary_key: id, fields: {id: int, name: string}}
              Issue:
                table: issues
                primary_key: [repo, number]
                fields: {repo: {ref: Repo, value: "{{ parent.id }}", on_dangling: stub}, number: int, title: string}
            streams:
              - {name: repos, entity: Repo, path: /repos, \(deletes)}
              - {name: issues, entity: Issue, path: "/repos/{{ parent.id }}/issues", parent: {stream: repos}, \(deletes)}
            """)
        func state() throws -> [String] {
            try scene.query("SELECT id, coalesce(name, '-') FROM repos ORDER BY 1")
                + scene.query("SELECT repo_id, number, title FROM issues ORDER BY 1, 2")
        }
        #expect(try scene.forge().code == 0)
        let first = try state()
        forge["/repos"] = #"[{"id":2,"name":"b"}]"#
        forge["/repos/1/issues"] = nil
        let plan = try scene.forge("plan")
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try Self.summary(plan) == Self.summary(run))
        #expect(try state() == ["2|b", "2|1|z"])
        #expect(try scene.forge("plan", "--detailed-exitcode").code == 0)
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(try state() == first)
        // An issue that somebody changed stays, and its repository with nothing but its key.
        try scene.execute("UPDATE issues SET title = 'mine' WHERE repo_id = 1 AND number = 1")
        let kept = try scene.forge()
        #expect(kept.code == 0, "\(kept.output)\(kept.errors)")
        #expect(try state() == ["1|-", "2|b", "1|1|mine", "2|1|z"])
        let quiet = try scene.forge()
        #expect(quiet.code == 0 && quiet.output.contains(#""stubs""#) == false, "\(quiet.output)")
        #expect(try state() == ["1|-", "2|b", "1|1|mine", "2|1|z"])
    }
}
