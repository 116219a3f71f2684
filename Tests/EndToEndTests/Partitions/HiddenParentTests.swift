import SluicePostgres
import TestSupport
import Testing

/// Records that a run could not read are not known as they are now, so that what they are asked by may be another record's:
/// through every stream below them.
@Suite struct HiddenParentTests {
    /// What keeps the issues of a repository from being read.
    enum Trouble: String, CaseIterable, Sendable { case failure, quarantine }

    /// How the streams are asked.
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var commit = "run"
        /// Whether a field says which repository an issue is of.
        var isMarked = true
        var hasItems = false
        /// What asks for changed parents alone.
        var changed: Set<String> = []
        var isIncremental = false
        var troubles = Trouble.allCases
    }

    static let forms = [
        Form(testDescription: "all"),
        Form(testDescription: "all, page by page", commit: "page"),
        Form(testDescription: "no field tells the repository", isMarked: false),
        Form(testDescription: "no field tells the repository, page by page", commit: "page", isMarked: false),
        Form(testDescription: "issues of changed repositories", changed: ["issues"], troubles: [.quarantine]),
        Form(testDescription: "notes of changed issues", changed: ["notes"]),
        Form(testDescription: "comments on changed notes", changed: ["comments"]),
        Form(testDescription: "what changed alone", changed: ["notes", "comments"]),
        Form(testDescription: "what changed alone, page by page", commit: "page", changed: ["notes", "comments"]),
        Form(testDescription: "items", hasItems: true, troubles: [.failure]),
        Form(testDescription: "items that no field tells", isMarked: false, hasItems: true, troubles: [.failure]),
        Form(testDescription: "changes of issues", isIncremental: true),
    ]

    private static let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"

    private func pipeline(_ base: String, _ form: Form) -> String {
        let mark = form.isMarked ? ", repo: {value: \"{{ \(form.hasItems ? "item" : "parent.id") }}\"}" : ""
        let issues =
            form.hasItems
            ? "path: \"/repos/{{ item }}\", for_each: [a, b]" : stream("issues", of: "repos", "/repos/", "name", form)
        let cursor =
            form.isIncremental
            ? ", params: {since: \"{{ cursor.start | date }}\"}, incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}"
            : ""
        return """
            version: 1
            name: forge
            store: sqlite:shop.db
            source: {base_url: "\(base)", retry: {max_attempts: 1}}
            commit: \(form.commit)
            entities:
              Repo: {table: repos, primary_key: [id], fields: {id: int, name: string, n: int}}
              Issue: {table: issues, primary_key: [id], fields: {id: int, code: string, at: datetime\(mark)}}
              Note: {table: notes, primary_key: [id], fields: {id: int, code: string, issue: {value: "{{ parent.id }}", type: int}}}
              Comment: {table: comments, primary_key: [id], fields: {id: int}}
            streams:
              - {name: repos, entity: Repo, path: /repos, \(Self.deletes)}
              - {name: issues, entity: Issue, \(issues)\(cursor), \(Self.deletes)}
              - {name: notes, entity: Note, \(stream("notes", of: "issues", "/notes/", "code", form)), \(Self.deletes)}
              - {name: comments, entity: Comment, \(stream("comments", of: "notes", "/comments/", "code", form)), \(Self.deletes)}
            """
    }

    private func stream(_ name: String, of parent: String, _ path: String, _ field: String, _ form: Form) -> String {
        let only = form.changed.contains(name) ? ", only: changed" : ""
        return "path: \"\(path){{ parent.\(field) }}\", parent: {stream: \(parent)\(only)}"
    }

    /// The source: an unknown address has nothing.
    private func serve(_ forge: Forge) throws -> LoopbackServer {
        try LoopbackServer { request in
            switch forge[request.path] {
            case .body(let text)?: .text(text)
            case .status(let status)?: .text("", status: status)
            case nil: .text("[]")
            }
        }
    }

    private static func issue(_ id: Int, _ code: String, day: Int = 1) -> String {
        #"[{"id":\#(id),"code":"\#(code)","at":"2021-01-0\#(day)T00:00:00Z"}]"#
    }

    private static let answers: [String: Forge.Answer] = [
        "/repos": #"[{"id":1,"name":"a","n":1},{"id":2,"name":"b","n":1}]"#,
        "/repos/a": .body(issue(10, "k1")), "/repos/b": .body(issue(20, "k2")),
        "/notes/k1": #"[{"id":101,"code":"m1"},{"id":102,"code":"m3"}]"#,
        "/notes/k2": #"[{"id":201,"code":"m2"},{"id":202,"code":"m4"}]"#,
        "/comments/m1": #"[{"id":1001}]"#, "/comments/m2": #"[{"id":2001}]"#,
    ]

    @Test(arguments: forms)
    func theirOwnRecordsStay(form: Form) throws {
        for trouble in form.troubles { try check(form, trouble, nil) }
    }

    @Test(arguments: [forms[0], forms[5], forms[10], forms[11]])
    func theirOwnRecordsStayOnPostgreSQL(form: Form) throws {
        for trouble in form.troubles { try check(form, trouble, StoreSchema()) }
    }

    private func check(_ form: Form, _ trouble: Trouble, _ schema: StoreSchema?) throws {
        let forge = Forge(Self.answers)
        let server = try serve(forge)
        defer { server.stop() }
        let scene = try Scene(forge: "")
        let store = schema?.store ?? "sqlite:shop.db"
        func run() throws -> Program.Result { try scene.forge("run", "--store", store) }
        func ids() throws -> [String] {
            let sql =
                "SELECT CAST(id AS TEXT) AS id FROM notes UNION ALL SELECT CAST(id AS TEXT) FROM comments ORDER BY 1"
            guard let schema else { return try scene.query(sql).sorted() }
            return try schema.connection.run(sql).values.compactMap { row -> String? in
                guard case .text(let text)? = row.first else { return nil }
                return String(decoding: text, as: UTF8.self)
            }.sorted()
        }
        try scene.write("forge.yaml", pipeline(server.url, form))
        let first = try run()
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        let all = ["101", "102", "1001", "2001", "201", "202"].sorted()
        #expect(try ids() == all)
        // The codes that an issue and its notes had are others' now, or nobody's, where nobody could read it.
        (forge["/notes/k9"], forge["/notes/k2"]) = (#"[{"id":201,"code":"m9"},{"id":202,"code":"m8"}]"#, "[]")
        (forge["/comments/m9"], forge["/comments/m2"]) = (forge["/comments/m2"], "[]")
        switch trouble {
        case .failure: forge["/repos/b"] = .status(500)
        case .quarantine:
            forge["/repos"] = #"[{"id":1,"name":"a","n":1},{"id":2,"name":"b","n":"bad"}]"#
            forge["/repos/b"] = .body(Self.issue(20, "k9", day: 2))
        }
        for _ in 1...2 {
            let before = server.requests.count
            let partial = try run()
            let asked = server.requests.dropFirst(before).map(\.path)
            let told = Comment(rawValue: "\(form), \(trouble): \(asked)\n\(partial.output)\(partial.errors)")
            #expect(partial.code == (trouble == .failure ? 5 : 0), told)
            #expect(!asked.contains("/notes/k2") && !asked.contains("/comments/m2"), told)
            for stream in ["notes", "comments"] {
                #expect(
                    partial.output.contains("No request was made for")
                        && partial.output.contains("of `\(stream)`, which may stand in"),
                    told)
            }
            #expect(try ids() == all, told)
        }
        forge["/repos"] = #"[{"id":1,"name":"a","n":2},{"id":2,"name":"b","n":2}]"#
        forge["/repos/b"] = .body(Self.issue(20, "k9", day: 2))
        forge["/notes/k9"] = #"[{"id":201,"code":"m9"}]"#
        let later = try run()
        #expect(later.code == 0, "\(later.output)\(later.errors)")
        #expect(try ids() == all.filter { $0 != "202" }, "\(form), \(trouble): \(later.output)")
    }

    /// Of the issues whose changes were asked for all is known, so that what belongs to them is asked for in every run.
    @Test func changesTellAllOfWhatDidNotChange() throws {
        let forge = Forge(Self.answers)
        let server = try serve(forge)
        defer { server.stop() }
        let scene = try Scene(forge: "")
        let form = Form(testDescription: "", isIncremental: true)
        try scene.write("forge.yaml", pipeline(server.url, form))
        #expect(try scene.forge().code == 0)
        (forge["/repos/a"], forge["/repos/b"]) = ("[]", "[]")
        forge["/notes/k1"] = #"[{"id":101,"code":"m1"},{"id":103,"code":"m5"}]"#
        let before = server.requests.count
        let run = try scene.forge()
        let asked = server.requests.dropFirst(before).map(\.path)
        #expect(run.code == 0 && !run.output.contains("partition_skipped"), "\(run.output)\(run.errors)")
        #expect(asked.contains("/notes/k1") && asked.contains("/notes/k2"), "\(asked)")
        #expect(try scene.query("SELECT id FROM notes ORDER BY id") == ["101", "103", "201", "202"])
    }

    /// What was to be asked for and could not be is asked for later, although nothing changes in its parent.
    @Test(arguments: Trouble.allCases)
    func whatIsDueIsAskedForLater(trouble: Trouble) throws {
        let forge = Forge(Self.answers)
        let server = try serve(forge)
        defer { server.stop() }
        let scene = try Scene(forge: "")
        let form = Form(testDescription: "", changed: ["notes"])
        try scene.write("forge.yaml", pipeline(server.url, form))
        forge["/notes/k2"] = .status(500)
        #expect(try scene.forge().code == 5)
        // It failed, then its issue cannot be read, and then that is there again as it was.
        forge["/notes/k2"] = Self.answers["/notes/k2"]
        switch trouble {
        case .failure: forge["/repos/b"] = .status(500)
        case .quarantine: forge["/repos/b"] = #"[{"id":20,"code":"k2","at":"never"}]"#
        }
        _ = try scene.forge()
        #expect(try scene.query("SELECT id FROM notes ORDER BY id") == ["101", "102"])
        forge["/repos/b"] = Self.answers["/repos/b"]
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id FROM notes ORDER BY id") == ["101", "102", "201", "202"])
    }

    /// A new repository in quarantine, or one without an identifier, may be where an issue has gone that another one does not list any more.
    @Test(arguments: [#"{"id":3,"name":"c","n":"bad"}"#, #"{"name":"c","n":1}"#])
    func recordsMayHaveMovedToParentsThatAreNotStored(parent: String) throws {
        let forge = Forge(Self.answers)
        let server = try serve(forge)
        defer { server.stop() }
        let scene = try Scene(forge: "")
        try scene.write("forge.yaml", pipeline(server.url, Form(testDescription: "")))
        #expect(try scene.forge().code == 0)
        forge["/repos"] = .body(#"[{"id":1,"name":"a","n":1},{"id":2,"name":"b","n":1},\#(parent)]"#)
        (forge["/repos/c"], forge["/repos/b"]) = (forge["/repos/b"], "[]")
        let run = try scene.forge()
        let words = "not all records of `repos` could be read, and a record may have moved to one of those"
        #expect(run.code == 0 && run.output.contains(words), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id FROM issues ORDER BY id") == ["10", "20"])
        #expect(try scene.query("SELECT id FROM notes ORDER BY id") == ["101", "102", "201", "202"])
        forge["/repos"] = Self.answers["/repos"]
        #expect(try scene.forge().code == 0)
        #expect(try scene.query("SELECT id FROM issues") == ["10"])
    }
}
