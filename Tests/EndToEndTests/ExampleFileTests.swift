import Foundation
import SluiceYAML
import TestSupport
import Testing

/// The files of `docs/examples` do what they are for: their commands run as they stand.
@Suite struct ExampleFileTests {
    private static let git = ["/usr/bin/git", "/usr/local/bin/git"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The documents of a file.
    private func documents(_ name: String) throws -> [YAMLNode] {
        let path = Program.project.appending(path: "docs/examples/\(name)")
        return try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n---\n").map { text in
            let document = YAMLDocument(reading: Array(text.utf8))
            #expect(document.problems == [], "\(name)")
            return try #require(document.root)
        }
    }

    private func bash(_ script: String, in folder: String, _ environment: [String: String]) throws -> Program.Result {
        try Running(
            executable: URL(filePath: "/bin/bash"), arguments: ["-eo", "pipefail", "-c", script], folder: folder,
            environment: environment
        ).wait()
    }

    // MARK: Review in CI

    private static let pipeline = """
        version: 1
        name: books
        store: sqlite:../sluice.db
        source: {base_url: "https://api.example.com"}
        entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
        streams: [{name: books, entity: Book, path: /books, delete_missing: {mode: hard, max_delete: 1}}]
        """

    /// Writes what `sluice record` makes of an answer.
    private static func record(_ name: String, _ answer: String, in folder: String) throws {
        let place = "\(folder)/recordings/\(name)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try #"{"format":"sluice.recording/1","pipeline":"\#(name)","status":"complete"}"#
            .write(toFile: "\(place)/recording.json", atomically: true, encoding: .utf8)
        try """
        {"format":"sluice.recording/1","request":{"method":"GET","url":"https://api.example.com/\(name)"},
         "response":{"status":200,"json":\(answer)}}
        """.write(toFile: "\(place)/0001-GET-\(name).json", atomically: true, encoding: .utf8)
    }

    /// A pull request, and what the workflow makes of it.
    struct Change: CustomTestStringConvertible {
        let name: String
        var before = #"[{"id":1,"title":"One"},{"id":2},{"id":3}]"#
        let books: String
        /// The pipelines that it adds, by name.
        var added: [String: String] = [:]
        /// Whether the branch that it goes to has recordings.
        var hasRecordings = true
        let code: String
        let comment: [String]
        var testDescription: String { name }
    }

    /// Many books with long titles.
    private static func books(_ words: String) -> String {
        let title = String(repeating: words + " ", count: 12)
        return "[" + (1...3_000).map { #"{"id":\#($0),"title":"\#($0) \#(title)"}"# }.joined(separator: ",") + "]"
    }

    private static let authors = """
        version: 1
        name: authors
        source: {base_url: "https://api.example.com"}
        entities: {Author: {table: authors, primary_key: id, fields: {id: int}}}
        streams: [{name: authors, entity: Author, path: /authors}]
        """
    private static let notes = """
        version: 1
        name: notes
        source: {base_url: "file:."}
        entities: {Note: {table: notes, primary_key: id, fields: {id: int}}}
        streams: [{name: notes, entity: Note, path: notes.json}]
        """

    private static let vault = """
        version: 1
        name: vault
        source: {base_url: "https://api.example.com", auth: {type: bearer, token: "${env:VAULT_TOKEN}"}}
        entities: {Item: {table: items, primary_key: id, fields: {id: int}}}
        streams: [{name: vault, entity: Item, path: /vault}]
        """

    @Test(
        .enabled(if: git != nil, "git is not installed"),
        arguments: [
            Change(
                name: "a record would go to the quarantine",
                books: #"[{"id":1,"title":"One"},{"id":2},{"id":3},{"id":4,"title":[1]}]"#, code: "3",
                comment: ["### Plan for books: 1 not written"]),
            Change(
                name: "a pipeline with a secret is added", books: #"[{"id":1,"title":"One"},{"id":2},{"id":3}]"#,
                added: ["vault": vault], code: "2", comment: ["### Plan for vault: 1 to insert"]),
            Change(
                name: "nothing changes", books: #"[{"id":1,"title":"One"},{"id":2},{"id":3}]"#, code: "0", comment: []),
            Change(
                name: "a record changes", books: #"[{"id":1,"title":"Uno"},{"id":2},{"id":3}]"#, code: "2",
                comment: [
                    "### Plan for books: 1 to update", #"`"One"` | `"Uno"`"#,
                    "### Comparison with `base/recordings` of books: 1 to update",
                ]),
            Change(
                name: "more is gone than may be", books: #"[{"id":1,"title":"One"}]"#, code: "4",
                comment: ["--allow-deletes 2", "### Comparison with `base/recordings` of books: 2 to delete"]),
            Change(
                name: "a pipeline is added", books: #"[{"id":1,"title":"Uno"},{"id":2},{"id":3}]"#,
                added: ["authors": authors], code: "2",
                comment: [
                    "### Plan for authors: 1 to insert",
                    "### Comparison with `base/recordings` of authors: not compared",
                    "There is no recording of `authors` in `base/recordings`",
                    "### Comparison with `base/recordings` of books: 1 to update",
                ]),
            Change(
                name: "a pipeline of files is added", books: #"[{"id":1,"title":"Uno"},{"id":2},{"id":3}]"#,
                added: ["notes": notes], code: "2",
                comment: [
                    "### Plan for notes: 1 to insert", "### Comparison with `base/recordings` of notes: not compared",
                    "`notes` reads files", "### Comparison with `base/recordings` of books: 1 to update",
                ]),
            Change(
                name: "the first recordings are added", books: #"[{"id":1,"title":"Uno"},{"id":2},{"id":3}]"#,
                hasRecordings: false, code: "2", comment: ["### Plan for books: 1 to update"]),
            Change(
                name: "thousands of records change", before: books("before"), books: books("after"), code: "2",
                comment: [
                    "### Plan for books: 3,000 to update",
                    "### Comparison with `base/recordings` of books: 3,000 to update", "Not everything is listed",
                ]),
        ])
    func theReviewTellsThePullRequest(_ change: Change) throws {
        let folder = try TemporaryDirectory()
        let path = Program.products.path + ":" + folder.file("bin") + ":/usr/local/bin:/usr/bin:/bin"
        var environment = [
            "PATH": path, "HOME": folder.path, "GITHUB_BASE_REF": "main", "GITHUB_REF_NAME": "7/merge",
            "GITHUB_ENV": folder.file("env"), "GH_TOKEN": "x",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
        ]
        let origin = folder.file("origin")
        try FileManager.default.createDirectory(atPath: "\(origin)/pipelines", withIntermediateDirectories: true)
        try Self.pipeline.write(toFile: "\(origin)/pipelines/books.yaml", atomically: true, encoding: .utf8)
        try Self.record("books", change.before, in: origin)
        let prepared = try bash(
            """
            mkdir bin; : > env
            printf '#!/bin/sh\\nprintf "%%s\\\\n" "$@" > "$HOME/told"\\n' > bin/gh; chmod +x bin/gh
            cd origin; git init -q -b main
            git add \(change.hasRecordings ? "." : "pipelines"); git commit -qm first; cd ..
            git clone -q origin work 2>&1; cd work; git checkout -q -b change
            sluice run pipelines --replay ../origin/recordings --store sqlite:copy.db -q
            """, in: folder.path, environment)
        try #require(prepared.code == 0, "\(prepared.output)\(prepared.errors)")
        let work = folder.file("work")
        try Self.record("books", change.books, in: work)
        for (name, text) in change.added {
            try text.write(toFile: "\(work)/pipelines/\(name).yaml", atomically: true, encoding: .utf8)
            try #"[{"id":1}]"#.write(toFile: "\(work)/pipelines/\(name).json", atomically: true, encoding: .utf8)
            if !text.contains("file:") { try Self.record(name, #"[{"id":1}]"#, in: work) }
        }

        let workflow = try #require(try documents("review.yml").first)
        let steps = try #require(workflow.at("jobs", "plan", "steps")?.sequence)
        var codes: [Int32] = []
        for step in steps {
            guard let run = step.at("run")?.scalar?.text else { continue }
            let condition = step.at("if")?.scalar?.text
            let code = try String(contentsOfFile: folder.file("env"), encoding: .utf8)
                .split(separator: "\n").last?.split(separator: "=").last.map(String.init)
            if condition == "env.code != '0'", code == "0" { continue }
            if condition == "env.code == '4'", code != "4" { continue }
            #expect(condition == nil || condition?.hasPrefix("env.code ") == true, "\(condition ?? "")")
            let result = try bash(run, in: folder.file("work"), environment)
            codes.append(result.code)
            #expect(result.code == 0 || run == "exit 4", "\(run)\n\(result.output)\(result.errors)")
        }
        #expect(codes.last == (change.code == "4" ? 4 : 0))
        let env = try String(contentsOfFile: folder.file("env"), encoding: .utf8)
        #expect(env == "code=\(change.code)\n")
        environment.removeAll()
        let told = try? String(contentsOfFile: folder.file("told"), encoding: .utf8)
        #expect((told != nil) == (change.code != "0"))
        if let told {
            #expect(told == "pr\ncomment\n7\n--edit-last\n--create-if-none\n--body-file\nplan.md\n")
        }
        let comment = try String(contentsOfFile: folder.file("work/plan.md"), encoding: .utf8)
        for part in change.comment { #expect(comment.contains(part), "\(part)\n\(comment)") }
        // What GitHub takes. Long comments use it.
        #expect(comment.utf8.count <= 65_536 && (change.before.utf8.count < 60_000 || comment.utf8.count > 58_000))
    }

    /// The copy of the store has a cursor, by which it would ask for what no recording has.
    @Test func theReviewPlansStreamsThatAskForChangesAlone() throws {
        let folder = try TemporaryDirectory()
        let later = folder.file("later")
        let server = try LoopbackServer { request in
            guard request.target.contains("since=2020") else { return .text("[]") }
            let title = FileManager.default.fileExists(atPath: later) ? "Uno" : "One"
            return .text(#"[{"id": 1, "title": "\#(title)", "at": "2026-01-01T00:00:00Z"}]"#)
        }
        defer { server.stop() }
        try FileManager.default.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: true)
        try """
        version: 1
        name: books
        store: sqlite:../sluice.db
        source: {base_url: "\(server.url)"}
        entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, at: datetime}}}
        streams:
          - name: books
            entity: Book
            path: /books
            params: {since: "{{ cursor.start }}"}
            incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}
            delete_missing: {mode: hard, max_delete: 100%}
        """.write(toFile: folder.file("pipelines/books.yaml"), atomically: true, encoding: .utf8)
        let environment = [
            "PATH": Program.products.path + ":/usr/local/bin:/usr/bin:/bin", "HOME": folder.path,
            "GITHUB_ENV": folder.file("env"),
        ]
        let prepared = try bash(
            """
            sluice run pipelines --store sqlite:copy.db -q; touch later
            sluice record pipelines --full --to recordings -q
            """, in: folder.path, environment)
        try #require(prepared.code == 0, "\(prepared.output)\(prepared.errors)")
        server.stop()
        let steps = try #require(try documents("review.yml").first?.at("jobs", "plan", "steps")?.sequence)
        let plan = try #require(steps.first { $0.at("name")?.scalar?.text == "Plan" }?.at("run")?.scalar?.text)
        let result = try bash(plan, in: folder.path, environment)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try String(contentsOfFile: folder.file("env"), encoding: .utf8) == "code=2\n")
        let comment = try String(contentsOfFile: folder.file("plan.md"), encoding: .utf8)
        #expect(comment.contains(##"`"One"` | `"Uno"`"##), "\(comment)")
        // What a saved plan of such a recording holds is read from its beginning again.
        let saved = try bash(
            """
            sluice plan pipelines/books.yaml --store sqlite:copy.db --replay recordings --save books.plan -q
            sluice apply books.plan -q
            sqlite3 copy.db "SELECT title FROM books"
            """, in: folder.path, environment)
        #expect(saved.code == 0 && saved.output == "Uno\n", "\(saved.output)\(saved.errors)")
    }

    // MARK: Kubernetes

    @Test func theCronJobRuns() throws {
        let documents = try documents("kubernetes.yaml")
        #expect(documents.map { $0.at("kind")?.scalar?.text } == ["ConfigMap", "PersistentVolumeClaim", "CronJob"])
        let job = try #require(documents.last?.at("spec", "jobTemplate", "spec", "template", "spec"))
        let container = try #require(job.at("containers")?.sequence?.first)
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "Dune", "price": "9.50"}]"#) }
        defer { server.stop() }
        // What is mounted is a folder here.
        let mounts = try #require(container.at("volumeMounts")?.sequence).map { $0.at("mountPath")?.scalar?.text ?? "" }
        let volumes = try #require(job.at("volumes")?.sequence).compactMap { $0.at("name")?.scalar?.text }
        #expect(
            container.at("volumeMounts")?.sequence?.compactMap { $0.at("name")?.scalar?.text } == volumes)
        for mount in mounts {
            try FileManager.default.createDirectory(
                atPath: folder.path + mount, withIntermediateDirectories: true)
        }
        func placed(_ text: String) -> String {
            mounts.reduce(text) { $0.replacing($1 + "/", with: folder.path + $1 + "/") }
        }
        let pipeline = try #require(documents.first?.at("data", "books.yaml")?.scalar?.text)
        try placed(pipeline).write(toFile: folder.file("pipelines/books.yaml"), atomically: true, encoding: .utf8)
        try "hunter2".write(toFile: folder.file("secrets/token"), atomically: true, encoding: .utf8)
        var environment: [String: String] = [:]
        for variable in container.at("env")?.sequence ?? [] {
            environment[variable.at("name")?.scalar?.text ?? ""] = variable.at("value")?.scalar?.text
        }
        #expect(environment["BOOKS_URL"] == "https://api.example.com" && environment["TMPDIR"] == "/scratch")
        environment["BOOKS_URL"] = server.url
        environment["TMPDIR"] = folder.file("scratch")
        let arguments = try #require(container.at("args")?.sequence).map { placed($0.scalar?.text ?? "") }
        #expect(container.at("command")?.sequence?.compactMap { $0.scalar?.text } == ["sluice"])
        let result = try Program.start(arguments, in: folder.path, environment: environment).wait()
        #expect(result.code == 0 && result.output == "", "\(result.output)\(result.errors)")
        #expect(result.errors.contains(#""event":"run_finished""#), "\(result.errors)")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer hunter2"])
        #expect(FileManager.default.fileExists(atPath: folder.file("data/shop.db")))
    }
}

extension YAMLNode {
    /// What stands below keys.
    fileprivate func at(_ keys: String...) -> YAMLNode? {
        keys.reduce(self) { node, key in node?.mapping?.first { $0.name == key }?.value }
    }
}
