import Foundation
import Synchronization
import TestSupport
import Testing

/// Streams that ask for each record of another one.
@Suite struct ParentTests {
    @Test func eachParentIsAskedForAfterItsStreamAndInOneRun() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.map(\.target).first == "/repos")
        #expect(Set(server.requests.map(\.target)) == ["/repos", "/repos/a/issues", "/repos/b%20c/issues"])
        #expect(server.requests.count == 3)
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|1|z"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_runs") == ["1"])
        #expect(run.output.contains(#""partitions":{"count":2,"asked":2,"failed":0}"#), "\(run.output)")
        let quiet = try scene.forge("plan", "--detailed-exitcode")
        #expect(quiet.code == 0, "\(quiet.output)")
    }

    @Test func severalLevelsAreReadInOneRun() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, levels: 3))
        let plan = try scene.forge("plan")
        #expect(plan.code == 0 && plan.output.contains(#""insert":6"#), "\(plan.output)\(plan.errors)")
        let planned = server.requests.map(\.target)
        #expect(planned.count == 6)
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains(#""insert":6"#), "\(run.output)\(run.errors)")
        #expect(Set(server.requests.dropFirst(6).map(\.target)) == Set(planned))
        #expect(try scene.query("SELECT id, at FROM comments") == ["10|1#1"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_runs") == ["1"])
        // A parent that goes takes what is below it along, level by level, in one run.
        forge["/repos"] = #"[{"id":2,"name":"b c"}]"#
        let less = try scene.forge()
        #expect(less.code == 0, "\(less.output)\(less.errors)")
        #expect(try scene.issues() == ["2|1|z"])
        #expect(try scene.query("SELECT count(*) FROM comments") == ["0"])
    }

    @Test("While parents are merged to find out what to ask for, streams that nothing waits for are not")
    func onlyParentsAreMergedBeforehand() throws {
        let forge = Forge()
        forge["/labels"] = #"[{"id":1}]"#
        let server = try forge.serve()
        defer { server.stop() }
        let pipeline = Forge.pipeline(server.url, levels: 3)
            .replacing("  Repo: {", with: "  Label: {table: labels, primary_key: [id], fields: {id: int}}\n  Repo: {")
            .replacing("streams:\n", with: "streams:\n  - {name: labels, entity: Label, path: /labels}\n")
        let scene = try Scene(forge: pipeline)
        let run = try scene.forge("run", "--log-level", "debug")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT count(*) FROM labels") == ["1"])
        let merged = ["labels", "comments", "issues", "repos"].map { stream in
            run.errors.split(separator: "\n").count { $0.contains("forge/\(stream): merging") }
        }
        #expect(merged == [1, 1, 2, 3], "\(run.errors)")
    }

    @Test(
        arguments: [
            ("{stream: repos}", "{stream: issues, only: changed}"),
            ("{stream: repos, only: changed}", "{stream: issues}"),
            ("{stream: repos, only: changed}", "{stream: issues, only: changed}"),
        ])
    func whatIsBelowAParentThatGoesGoesWhereOnlyChangesAreAsked(parent: String, below: String) throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, levels: 3, parent: parent, below: below))
        forge["/repos/2/issues/1/comments"] = #"[{"id":20}]"#
        #expect(try scene.forge().code == 0)
        forge["/repos"] = #"[{"id":2,"name":"b c"}]"#
        #expect(try scene.forge().code == 0)
        #expect(try scene.query("SELECT id FROM comments") == ["20"])
        // One that cannot be read keeps what is below it.
        forge["/repos"] = #"[{"id":2,"name":"d"}]"#
        forge["/repos/d/issues"] = .status(500)
        #expect(try scene.forge().code == 5)
        #expect(try scene.query("SELECT id FROM comments") == ["20"])
    }

    @Test func eachParentIsAskedForWithEachText() throws {
        let forge = Forge([
            "/repos": #"[{"id":1,"name":"a"},{"id":2,"name":"b c"}]"#,
            "/repos/a/open": #"[{"number":1,"title":"x"}]"#, "/repos/a/closed": #"[{"number":2,"title":"y"}]"#,
            "/repos/b%20c/open": "[]", "/repos/b%20c/closed": #"[{"number":1,"title":"z"}]"#,
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let pipeline = Forge.pipeline(server.url, parent: "{stream: repos}, for_each: [open, closed]")
            .replacing("/issues\"", with: "/{{ item }}\"")
            .replacing("number: int,", with: "number: int, state: {value: \"{{ item }}\"},")
        let scene = try Scene(forge: pipeline)
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""partitions":{"count":4,"asked":4,"failed":0}"#), "\(run.output)")
        let states = "SELECT repo, number, state FROM issues ORDER BY 1, 2"
        #expect(try scene.query(states) == ["1|1|open", "1|2|closed", "2|1|closed"])
        #expect(try scene.forge("plan", "--detailed-exitcode").code == 0)
        // Issue 2 may be open by now, so nothing is gone until that list can be read.
        forge["/repos/a/open"] = .status(500)
        forge["/repos/a/closed"] = "[]"
        forge["/repos/b%20c/closed"] = "[]"
        let partial = try scene.forge()
        #expect(partial.code == 5 && partial.output.contains("Repo 1, open: "), "\(partial.output)")
        #expect(try scene.query(states) == ["1|1|open", "1|2|closed", "2|1|closed"])
        forge["/repos/a/open"] = #"[{"number":1,"title":"x"}]"#
        #expect(try scene.forge().code == 0)
        #expect(try scene.query(states) == ["1|1|open"])
        // All of a parent's go with it.
        forge["/repos"] = #"[{"id":2,"name":"b c"}]"#
        let gone = try scene.forge()
        #expect(gone.code == 0, "\(gone.output)\(gone.errors)")
        #expect(try scene.issues() == [])
    }

    /// What becomes of the issues of two repositories.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        var isMarked = true
        var parent = "{stream: repos}"
        /// What people do before the second run.
        var edit = ""
        let answers: [String: Forge.Answer]
        var code: Int32 = 0
        /// The titles that are left.
        let titles: [String]
        var words: [String] = []
        var unasked: [String] = []
        var testDescription: String { name }
    }

    static let changes = [
        Change(
            name: "an issue is gone", answers: ["/repos/a/issues": #"[{"number":2,"title":"y"}]"#],
            titles: ["y", "z"]),
        Change(
            name: "an issue is gone, and no field tells its partition", isMarked: false,
            answers: ["/repos/a/issues": #"[{"number":2,"title":"y"}]"#], titles: ["y", "z"]),
        Change(
            name: "an issue is gone, another repository fails",
            answers: ["/repos/a/issues": #"[{"number":2,"title":"y"}]"#, "/repos/b%20c/issues": .status(500)], code: 5,
            titles: ["y", "z"],
            words: ["partition_failed", "1 of 2 partitions of `issues`", "Repo 2: ", "500", #""status":"partial""#]),
        Change(
            name: "a repository answers 404", answers: ["/repos/a/issues": .status(404)], code: 5,
            titles: ["x", "y", "z"],
            words: [
                "partition_failed", "Repo 1: ", "404", "A request is made for each stored record of `repos`",
                "give it a `delete_missing`", "on_response: [{status: [404, 410], action: empty}]` under `source`",
            ]),
        Change(
            name: "a repository that was edited here is gone, and its list as well",
            edit: "UPDATE repos SET name = 'mine' WHERE id = 1",
            answers: ["/repos": #"[{"id":2,"name":"b c"}]"#, "/repos/a/issues": .status(404)], titles: ["z"],
            words: [
                "partition_absent", "no longer has a list of `issues` for Repo 1, nor that record of", "edit_delete",
            ]),
        Change(
            name: "a repository that was edited here is gone, and its list fails",
            edit: "UPDATE repos SET name = 'mine' WHERE id = 1",
            answers: ["/repos": #"[{"id":2,"name":"b c"}]"#, "/repos/a/issues": .status(500)], code: 5,
            titles: ["x", "y", "z"], words: ["partition_failed", "Repo 1: "]),
        Change(
            name: "an answer is no JSON", answers: ["/repos/a/issues": "<html>"], code: 5, titles: ["x", "y", "z"],
            words: ["partition_failed", "Repo 1: ", "/repos/a/issues"]),
        Change(
            name: "an answer breaks off",
            answers: ["/repos/a/issues": #"[{"number":1,"title":"new"},{"number":"#], code: 5,
            titles: ["x", "y", "z"], words: ["partition_failed", "Repo 1: "]),
        Change(
            name: "one fails, and no field tells its partition", isMarked: false,
            answers: ["/repos/a/issues": #"[{"number":2,"title":"y"}]"#, "/repos/b%20c/issues": .status(500)], code: 5,
            titles: ["x", "y", "z"],
            words: ["Nothing of `issues` counts as gone", "no field of `Issue` says which one"]),
        Change(
            name: "all fail", answers: ["/repos/a/issues": .status(500), "/repos/b%20c/issues": .status(500)], code: 5,
            titles: ["x", "y", "z"], words: ["2 of 2 partitions"]),
        Change(name: "a repository is gone", answers: ["/repos": #"[{"id":2,"name":"b c"}]"#], titles: ["z"]),
        Change(
            name: "a repository is gone, and no field tells", isMarked: false,
            answers: ["/repos": #"[{"id":2,"name":"b c"}]"#], titles: ["z"]),
        Change(
            name: "a repository is gone, another fails",
            answers: ["/repos": #"[{"id":2,"name":"b c"}]"#, "/repos/b%20c/issues": .status(500)], code: 5,
            titles: ["z"]),
        Change(
            name: "a repository has another name",
            answers: ["/repos": #"[{"id":1,"name":"n"},{"id":2,"name":"b c"}]"#, "/repos/n/issues": "[]"],
            titles: ["z"]),
        Change(
            name: "a login is refused", answers: ["/repos/a/issues": .status(401)], code: 1, titles: ["x", "y", "z"],
            words: ["401"]),
        Change(
            name: "only what changed, and nothing did", parent: "{stream: repos, only: changed}",
            answers: ["/repos/a/issues": "[]"], titles: ["x", "y", "z"],
            unasked: ["/repos/a/issues", "/repos/b%20c/issues"]),
        Change(
            name: "only what changed", parent: "{stream: repos, only: changed}",
            answers: [
                "/repos": #"[{"id":1,"name":"n"},{"id":2,"name":"b c"},{"id":3,"name":"c"}]"#, "/repos/n/issues": "[]",
                "/repos/b%20c/issues": "[]", "/repos/c/issues": #"[{"number":1,"title":"new"}]"#,
            ], titles: ["new", "z"], unasked: ["/repos/b%20c/issues"]),
        Change(
            name: "only what changed, and one is gone", parent: "{stream: repos, only: changed}",
            answers: ["/repos": #"[{"id":2,"name":"b c"}]"#], titles: ["z"], unasked: ["/repos/b%20c/issues"]),
        Change(
            name: "a name that cannot stand in a path",
            answers: ["/repos": #"[{"id":1,"name":".."},{"id":2,"name":"b c"}]"#], titles: ["x", "y", "z"],
            words: ["partition_skipped", "cannot stand in a path"]),
        Change(
            name: "no name", answers: ["/repos": #"[{"id":1,"name":null},{"id":2,"name":"b c"}]"#],
            titles: ["x", "y", "z"], words: ["partition_skipped", "has no `name`"]),
        Change(
            name: "a repository is in conflict over its name", edit: "UPDATE repos SET name = 'mine' WHERE id = 1",
            answers: [
                "/repos": #"[{"id":1,"name":"n"},{"id":2,"name":"b c"}]"#, "/repos/a/issues": "[]",
                "/repos/n/issues": #"[{"number":1,"title":"new"}]"#,
            ], titles: ["new", "z"], unasked: ["/repos/a/issues"]),
        Change(
            name: "only what changed, and a repository is in conflict", parent: "{stream: repos, only: changed}",
            edit: "UPDATE repos SET name = 'mine' WHERE id = 1",
            answers: [
                "/repos": #"[{"id":1,"name":"n"},{"id":2,"name":"b c"}]"#, "/repos/a/issues": "[]",
                "/repos/n/issues": #"[{"number":1,"title":"new"}]"#,
            ], titles: ["new", "z"], unasked: ["/repos/a/issues", "/repos/b%20c/issues"]),
        Change(
            name: "a repository was deleted here and has another name now", edit: "DELETE FROM repos WHERE id = 1",
            answers: [
                "/repos": #"[{"id":1,"name":"n"},{"id":2,"name":"b c"}]"#, "/repos/a/issues": "[]",
                "/repos/n/issues": #"[{"number":1,"title":"new"}]"#,
            ], titles: ["new", "z"], unasked: ["/repos/a/issues"]),
        Change(
            name: "a repository is in quarantine",
            answers: ["/repos": #"[{"id":1,"name":{}},{"id":2,"name":"b c"}]"#, "/repos/a/issues": "[]"],
            titles: ["x", "y", "z"],
            words: ["partition_skipped", "is in quarantine, so that its `name` of now is not known"],
            unasked: ["/repos/a/issues"]),
    ]

    @Test(arguments: changes)
    func change(change: Change) throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Forge.pipeline(server.url, parent: change.parent, isMarked: change.isMarked))
        #expect(try scene.forge().code == 0)
        if !change.edit.isEmpty { try scene.execute(change.edit) }
        for (target, answer) in change.answers { forge[target] = answer }
        let before = server.requests.count
        let plan = try scene.forge("plan")
        let planned = server.requests.dropFirst(before).map(\.target)
        let run = try scene.forge()
        let ran = server.requests.dropFirst(before + planned.count).map(\.target)
        // What was under way when a run fails is a matter of chance.
        if change.code != 1 { #expect(planned.sorted() == ran.sorted()) }
        for (name, result) in [("plan", plan), ("run", run)] {
            let told = Comment(rawValue: "\(name): \(result.output)\(result.errors)")
            #expect(result.code == change.code, told)
            for word in change.words { #expect((result.output + result.errors).contains(word), told) }
        }
        #expect(try scene.query("SELECT title FROM issues ORDER BY title") == change.titles)
        for target in change.unasked { #expect(!ran.contains(target), "\(ran)") }
        // Whatever happened, the next run comes to what the source says.
        for (target, answer) in Forge.small { forge[target] = answer }
        let later = try scene.forge("run", "--full")
        #expect(later.code == 0, "\(later.output)\(later.errors)")
        #expect(try scene.query("SELECT title FROM issues ORDER BY title") == ["x", "y", "z"])
    }

    /// Its repository waits for another scan without it, and its issues for one of their own. Both go together.
    @Test func whatIsBelowAParentThatWaitsForItsConfirmationGoesWithIt() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Forge.pipeline(server.url).replacing("min_records: 0", with: "min_records: 0, confirm: 1"))
        #expect(try scene.forge().code == 0)
        forge["/repos"] = #"[{"id":2,"name":"b c"}]"#
        forge["/repos/a/issues"] = nil
        for (titles, repos) in [(["x", "y", "z"], "2"), (["z"], "1")] {
            let run = try scene.forge()
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("partition_absent") == (repos == "2"), "\(run.output)")
            #expect(try scene.query("SELECT title FROM issues ORDER BY title") == titles)
            #expect(try scene.query("SELECT count(*) FROM repos") == [repos])
        }
    }

    @Test func aPartitionThatFailedIsAskedForAgainWhereOnlyChangesAre() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, parent: "{stream: repos, only: changed}"))
        forge["/repos/a/issues"] = .status(500)
        #expect(try scene.forge().code == 5)
        #expect(try scene.issues() == ["2|1|z"])
        forge["/repos/a/issues"] = Forge.small["/repos/a/issues"]
        #expect(try scene.forge().code == 0)
        #expect(server.requests.dropFirst(3).map(\.target) == ["/repos", "/repos/a/issues"])
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|1|z"])
        let before = try StoreDump(scene.store)
        #expect(try scene.forge().code == 0)
        #expect(server.requests.dropFirst(5).map(\.target) == ["/repos"])
        #expect(try StoreDump(scene.store).differences(from: before).isEmpty)
    }

    @Test func aStreamAloneTakesTheParentsThatAreStored() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url))
        let never = try scene.forge("run", "--stream", "issues")
        #expect(never.code == 1 && never.output.contains("which was never read"), "\(never.output)\(never.errors)")
        #expect(try scene.forge("run", "--stream", "repos").code == 0)
        let run = try scene.forge("run", "--stream", "issues")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.map(\.target).count { $0 == "/repos" } == 1)
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|1|z"])
        #expect(try scene.query("SELECT count(*) FROM repos") == ["2"])
    }

    @Test func changesOfParentsThatWereReadAloneAreNotMissed() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, parent: "{stream: repos, only: changed}"))
        #expect(try scene.forge().code == 0)
        forge["/repos"] = #"[{"id":1,"name":"a"},{"id":2,"name":"n"}]"#
        forge["/repos/n/issues"] = #"[{"number":7,"title":"w"}]"#
        #expect(try scene.forge("run", "--stream", "repos").code == 0)
        #expect(try scene.forge("run", "--stream", "issues").code == 0)
        #expect(server.requests.last?.target == "/repos/n/issues")
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|7|w"])
    }

    @Test func itIsRecordedAndReplayed() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, levels: 3))
        forge["/repos/2/issues/1/comments"] = .status(404)
        let recorded = try Program.run("record", "forge.yaml", "--to", "kept", in: scene.path)
        #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
        #expect(server.requests.count == 6)
        server.stop()
        let run = try scene.forge("run", "--replay", "kept")
        #expect(run.code == 5, "\(run.output)\(run.errors)")
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|1|z"])
        #expect(try scene.query("SELECT id, at FROM comments") == ["10|1#1"])
    }

    @Test func whatThePartitionGaveIsKnownWhereItIsTheKey() throws {
        let forge = Forge()
        forge["/repos/a/issues"] = #"[{"number":1,"title":"x"},{"number":2}]"#
        let server = try forge.serve()
        defer { server.stop() }
        let strict = Forge.pipeline(server.url).replacing(
            "title: string", with: "title: {type: string, required: true}")
        let scene = try Scene(forge: strict)
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains(#""quarantined":1"#), "\(run.output)\(run.errors)")
        try scene.write("forge.yaml", Forge.pipeline(server.url))
        let retry = try Program.run("quarantine", "retry", "--all", "forge.yaml", in: scene.path)
        #expect(
            retry.code == 0 && retry.output.contains("1 record left the quarantine"), "\(retry.output)\(retry.errors)")
        #expect(try scene.issues() == ["1|1|x", "1|2|null", "2|1|z"])
    }

    @Test func undoLetsItBeAskedForAgain() throws {
        let forge = Forge()
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Forge.pipeline(server.url, parent: "{stream: repos, only: changed}"))
        #expect(try scene.forge().code == 0)
        forge["/repos"] = #"[{"id":1,"name":"n"},{"id":2,"name":"b c"}]"#
        forge["/repos/n/issues"] = "[]"
        #expect(try scene.forge().code == 0)
        #expect(try scene.issues() == ["2|1|z"])
        #expect(try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|1|z"])
        #expect(try scene.forge().code == 0)
        #expect(server.requests.suffix(2).map(\.target) == ["/repos", "/repos/n/issues"])
        #expect(try scene.issues() == ["2|1|z"])
    }

    @Test func nothingIsHeldWhileTheSourceIsAsked() throws {
        let scene = try Scene(forge: "")
        let forge = Forge()
        let isWritable = Mutex(false)
        let server = try LoopbackServer { request in
            if request.target != "/repos", (try? scene.execute("CREATE TABLE IF NOT EXISTS notes (text TEXT)")) != nil {
                isWritable.withLock { $0 = true }
            }
            guard case .body(let text)? = forge[request.target] else { return .text("", status: 404) }
            return .text(text)
        }
        defer { server.stop() }
        try scene.write("forge.yaml", Forge.pipeline(server.url))
        #expect(try scene.forge("run", "--stream", "repos").code == 0)
        #expect(try scene.forge().code == 0)
        #expect(isWritable.withLock { $0 })
        #expect(try scene.issues() == ["1|1|x", "1|2|y", "2|1|z"])
    }

    @Test func filesAreFoundInTheSameWay() throws {
        let scene = try Scene(forge: "")
        try scene.write(
            "forge.yaml",
            Forge.pipeline("file:.").replacing("/repos/{{ parent.name }}/issues", with: "issues-{{ parent.id }}.json")
                .replacing("path: /repos,", with: "path: repos.json,"))
        try scene.write("repos.json", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)
        try scene.write("issues-1.json", #"[{"number":1,"title":"x"}]"#)
        try scene.write("issues-2.json", #"[{"number":1,"title":"z"}]"#)
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.issues() == ["1|1|x", "2|1|z"])
        try scene.write("issues-1.json", "[")
        try scene.write("issues-2.json", "[]")
        let broken = try scene.forge()
        #expect(broken.code == 5 && broken.output.contains("issues-1.json"), "\(broken.output)\(broken.errors)")
        #expect(try scene.issues() == ["1|1|x"])
    }
}
