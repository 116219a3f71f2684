import TestSupport
import Testing

/// Records that a run could not read are not known as they are now, so that what they are asked by may be another record's.
@Suite struct HiddenParentTests {
    /// What keeps the issues of a repository from being read.
    enum Trouble: String, CaseIterable, Sendable { case failure, quarantine }

    private func pipeline(_ base: String, isMarked: Bool, _ commit: String) -> String {
        let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        let mark = isMarked ? #", repo: {value: "{{ parent.id }}", type: int}"# : ""
        return """
            version: 1
            name: forge
            store: sqlite:shop.db
            source: {base_url: "\(base)", retry: {max_attempts: 1}}
            commit: \(commit)
            entities:
              Repo: {table: repos, primary_key: [id], fields: {id: int, name: string, n: int}}
              Issue: {table: issues, primary_key: [id], fields: {id: int, code: string\(mark)}}
              Note: {table: notes, primary_key: [id], fields: {id: int, issue: {value: "{{ parent.id }}", type: int}}}
            streams:
              - {name: repos, entity: Repo, path: /repos, \(deletes)}
              - {name: issues, entity: Issue, path: "/repos/{{ parent.name }}", parent: {stream: repos}, \(deletes)}
              - {name: notes, entity: Note, path: "/notes/{{ parent.code }}", parent: {stream: issues}, \(deletes)}
            """
    }

    @Test(arguments: Trouble.allCases, [true, false])
    func theirOwnRecordsStay(_ trouble: Trouble, isMarked: Bool) throws {
        for commit in ["run", "page"] {
            let forge = Forge([
                "/repos": #"[{"id":1,"name":"a","n":1},{"id":2,"name":"b","n":1}]"#,
                "/repos/a": #"[{"id":10,"code":"k1"}]"#, "/repos/b": #"[{"id":20,"code":"k2"}]"#,
                "/notes/k1": #"[{"id":101},{"id":102}]"#, "/notes/k2": #"[{"id":201},{"id":202}]"#,
            ])
            let server = try forge.serve()
            defer { server.stop() }
            let scene = try Scene(forge: pipeline(server.url, isMarked: isMarked, commit))
            #expect(try scene.forge().code == 0)
            // The code that an issue had is another one's now, or nobody's, where nobody could read it.
            forge["/notes/k9"] = forge["/notes/k2"]
            forge["/notes/k2"] = "[]"
            forge["/notes/k1"] = #"[{"id":101}]"#
            switch trouble {
            case .failure: forge["/repos/b"] = .status(500)
            case .quarantine:
                forge["/repos"] = #"[{"id":1,"name":"a","n":1},{"id":2,"name":"b","n":"bad"}]"#
                forge["/repos/b"] = #"[{"id":20,"code":"k9"}]"#
            }
            let before = server.requests.count
            let run = try scene.forge()
            let asked = server.requests.dropFirst(before).map(\.target)
            let told = Comment(rawValue: "\(commit): \(run.output)\(run.errors)")
            #expect(run.code == (trouble == .failure ? 5 : 0), told)
            #expect(asked.contains("/notes/k2") == !isMarked, "\(asked)")
            if isMarked {
                let words = "stands in what could not be read of `issues`, so that its `code` of now is not known"
                #expect((run.output + run.errors).contains(words), told)
            }
            // A note may have moved into what was not asked for.
            #expect(try scene.query("SELECT id FROM notes ORDER BY id") == ["101", "102", "201", "202"], told)
            forge["/repos"] = #"[{"id":1,"name":"a","n":1},{"id":2,"name":"b","n":1}]"#
            forge["/repos/b"] = #"[{"id":20,"code":"k9"}]"#
            let later = try scene.forge()
            #expect(later.code == 0, "\(later.output)\(later.errors)")
            #expect(try scene.query("SELECT id FROM notes ORDER BY id") == ["101", "201", "202"])
        }
    }
}
