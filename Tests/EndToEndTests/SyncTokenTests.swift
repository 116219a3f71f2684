import Foundation
import Synchronization
import TestSupport
import Testing

/// Streams that ask for changes by a token that the source gave at the end of the last run.
@Suite struct SyncTokenTests {
    /// A source that keeps a log of changes; a token is a place in it.
    final class Source: Sendable {
        enum Kind: String, CaseIterable, Sendable {
            /// The token is a URL, and pages are led on by URLs: Microsoft Graph.
            case graph
            /// The token is a URL, the first request has a parameter of its own: Contentful.
            case contentful
            /// The token is a value that a parameter takes, beside those of the stream: Google Calendar.
            case google
            /// The token is a URL, and values lead on: they go along with it.
            case numbered, offset, cursor
        }

        let kind: Kind
        /// The changes, from the first on: an id with its title, nil where it was deleted.
        let log = Mutex<[(id: Int, title: String?)]>([])
        /// The status of a token that is no longer known; nil while all are.
        let expired = Mutex<Int?>(nil)
        /// The page that nobody gets, from 0; nil while all do.
        let broken = Mutex<Int?>(nil)

        init(_ kind: Kind) { self.kind = kind }

        func change(_ id: Int, _ title: String?) { log.withLock { $0.append((id, title)) } }

        private func records(since place: Int?) -> [String] {
            let log = log.withLock { $0 }
            var latest: [Int: String?] = [:]
            for (id, title) in log.dropFirst(place ?? 0) { latest.updateValue(title, forKey: id) }
            return latest.sorted { $0.key < $1.key }.compactMap { id, title in
                guard let title else { return place == nil ? nil : #"{"id":\#(id),"removed":true}"# }
                return #"{"id":\#(id),"title":"\#(title)"}"#
            }
        }

        func answer(_ request: ServerRequest) -> ServerResponse {
            func value(_ name: String) -> String? {
                (request.query ?? "").split(separator: "&").first { $0.hasPrefix("\(name)=") }
                    .map { String($0.dropFirst(name.count + 1)) }
            }
            let place = value("sync").flatMap { Int($0) }
            if place != nil, let status = expired.withLock({ $0 }) { return .text(#"{"error":"old"}"#, status: status) }
            if kind == .contentful, place == nil, value("initial") != "true" { return .text("{}", status: 400) }
            if kind == .google, value("single") != "yes" { return .text("{}", status: 400) }
            let all = records(since: place)
            let number = kind == .numbered ? value("page").flatMap { Int($0) }.map { $0 - 1 } : nil
            let offset = value("offset").flatMap { Int($0) }.map { $0 / 2 }
            let page = number ?? offset ?? value("page").flatMap { Int($0.dropFirst()) } ?? 0
            if broken.withLock({ $0 }) == page { return .text("{}", status: 403) }
            let items = all.dropFirst(page * 2).prefix(2).joined(separator: ",")
            let isLast = all.count <= page * 2 + 2
            let end = log.withLock { $0.count }
            let query =
                (place.map { "sync=\($0)&" } ?? "") + (kind == .contentful && place == nil ? "initial=true&" : "")
            let (next, token) =
                switch kind {
                case .graph:
                    (
                        #""@odata.nextLink":"/books?\#(query)page=p\#(page + 1)""#,
                        #""@odata.deltaLink":"/books?sync=\#(end)""#
                    )
                case .contentful:
                    (#""nextPageUrl":"/books?\#(query)page=p\#(page + 1)""#, #""nextSyncUrl":"/books?sync=\#(end)""#)
                case .numbered, .offset, .cursor:
                    (#""next":"p\#(page + 1)""#, #""delta":"/books?sync=\#(end)""#)
                case .google: (#""nextPageToken":"p\#(page + 1)""#, #""nextSyncToken":"\#(end)""#)
                }
            let counts =
                kind == .numbered
                ? #""pages":\#((all.count + 1) / 2),"# : kind == .offset ? #""total":\#(all.count),"# : ""
            let lead = isLast ? token : next
            return .text(
                #"{\#(counts)"items":[\#(items)],\#(isLast || kind != .offset && kind != .numbered ? lead : #""a":1"#)}"#
            )
        }

        var stream: String {
            switch kind {
            case .graph:
                """
                incremental: {token: "$['@odata.deltaLink']"}
                    paginator: {type: json_link, path: "$['@odata.nextLink']"}
                """
            case .contentful:
                """
                params: {initial: "true"}
                    incremental: {token: nextSyncUrl}
                    paginator: {type: json_link, path: nextPageUrl}
                """
            case .google:
                """
                params: {single: "yes"}
                    incremental: {token: nextSyncToken, token_param: sync}
                    paginator: {type: cursor, cursor_path: nextPageToken, cursor_param: page}
                """
            case .numbered:
                """
                incremental: {token: delta}
                    paginator: {type: page_number, total_pages_path: pages}
                """
            case .offset:
                """
                incremental: {token: delta}
                    paginator: {type: offset, page_size: 2, total_path: total}
                """
            case .cursor:
                """
                incremental: {token: delta}
                    paginator: {type: cursor, cursor_path: next, cursor_param: page}
                """
            }
        }
    }

    private static func scene(_ server: LoopbackServer, _ source: Source, more: String = "") throws -> Scene {
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source:
              base_url: "\(server.url)"
              retry: {max_attempts: 1}
              on_response: [{status: 400, action: restart, message: The token is too old.}]
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: "items[*]"
                deleted_when: .removed == true
                delete_missing: {mode: hard, max_delete: 100%}
                \(source.stream)
            \(more)
            """)
        return scene
    }

    @Test("A record that changes again while pages are read comes again", arguments: ["run", "page"])
    func changesTwice(commit: String) throws {
        let server = try LoopbackServer { request in
            let page = Int(request.query?.split(separator: "=").last ?? "") ?? 1
            let lead = page == 3 ? #""sync":"/books?page=1""# : #""next":"/books?page=\#(page + 1)""#
            return .text(#"{"items":[{"id":1,"title":"\#(page)"}],\#(lead)}"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            commit: \(commit)
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: items[*]
                deleted_when: .removed == true
                incremental: {token: sync}
                paginator: {type: json_link, path: next}
            """)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, title FROM books") == ["1|3"])
    }

    static let both = Source.Kind.allCases.flatMap { kind in ["run", "page"].map { (kind, $0) } }

    @Test(arguments: both)
    func changes(of kind: Source.Kind, commit: String) throws {
        let source = Source(kind)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source, more: "commit: \(commit)")
        for id in 1...5 { source.change(id, "one") }
        let first = try Program.run("run", "books.yaml", "--strict", "--format", "json", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        #expect(first.output.contains(#""complete":true"#) && first.output.contains(#""pages":3"#), "\(first.output)")
        // What is not among the changes is not gone.
        source.change(2, "two")
        source.change(3, nil)
        source.change(6, "one")
        let plan = try Program.run("plan", "books.yaml", "--detailed-exitcode", in: scene.path)
        #expect(plan.code == 2, "\(plan.output)\(plan.errors)")
        let second = try Program.run("run", "books.yaml", "--strict", "--format", "json", in: scene.path)
        #expect(second.code == 0, "\(second.output)\(second.errors)")
        #expect(
            second.output.contains(#""complete":false"#) && second.output.contains(#""read":3"#), "\(second.output)")
        #expect(!second.output.contains("incomplete_scan"), "\(second.output)")
        let rows = ["1|one", "2|two", "4|one", "5|one", "6|one"]
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == rows)
        // Nothing has changed since.
        let quiet = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(quiet.code == 0 && quiet.output.contains(#""read":0"#), "\(quiet.output)\(quiet.errors)")
        // All of it, whatever was read before.
        let full = try Program.run("run", "books.yaml", "--full", "--format", "json", in: scene.path)
        #expect(full.output.contains(#""complete":true"#) && full.output.contains(#""read":5"#), "\(full.output)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == rows)
    }

    @Test("What is open counts for `--strict`, also where the changes do not have it", arguments: ["run", "page"])
    func openBesides(commit: String) throws {
        let source = Source(.graph)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source, more: "commit: \(commit)")
        for id in 1...3 { source.change(id, "one") }
        #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 0)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id < 3")
        source.change(1, "two")
        #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 3)
        // No record comes, and the conflict is open all the same.
        for command in ["plan", "run"] {
            let quiet = try Program.run(command, "books.yaml", "--strict", in: scene.path)
            #expect(quiet.code == 3, "\(quiet.output)\(quiet.errors)")
            let words = "1 record that this \(command) leaves as it is has open conflicts:"
            #expect(quiet.output.contains(words), "\(quiet.output)")
        }
        let json = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(json.output.contains(#""open_besides":{"conflict":1,"quarantined":0}"#), "\(json.output)")
        let silent = try Program.run("run", "books.yaml", "--strict", "--quiet", in: scene.path)
        #expect(silent.code == 3 && silent.errors.contains("1 record in conflict"), "\(silent.errors)")
        // Another one comes, and the first is still there besides.
        source.change(2, "two")
        let second = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(second.code == 3 && second.output.contains("1 record is in conflict"), "\(second.output)")
        #expect(second.output.contains("1 record that this run leaves as it is"), "\(second.output)")
        #expect(
            try Program.run(
                "conflicts", "resolve", "--all", "--take", "local", "--store", "sqlite:shop.db", in: scene.path
            ).code == 0)
        let done = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(done.code == 0 && !done.output.contains("leaves as it is"), "\(done.output)\(done.errors)")
    }

    @Test("A token that the source has forgotten", arguments: both, [410, 400])
    func expired(test: (kind: Source.Kind, commit: String), status: Int) throws {
        let source = Source(test.kind)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source, more: "commit: \(test.commit)")
        for id in 1...3 { source.change(id, "one") }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        source.expired.withLock { $0 = status }
        source.change(1, nil)
        source.change(4, "one")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(#""code":"token_expired""#) && run.output.contains(#""complete":true"#), "\(run.output)"
        )
        // A scan of everything proves what is gone.
        // Where pages are counted, what is missing waits for a further scan.
        let isCounted = [.numbered, .offset].contains(test.kind)
        let rows = (isCounted ? ["1"] : []) + ["2", "3", "4"]
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == rows)
        source.expired.withLock { $0 = nil }
        let next = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(next.output.contains(#""read":0"#) && !next.output.contains("token_expired"), "\(next.output)")
    }

    @Test("A token that the source has forgotten, and a reading of everything that breaks off", arguments: 0...2)
    func expiredAndBrokenOff(page: Int) throws {
        let source = Source(.graph)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source, more: "commit: page")
        for id in 1...6 { source.change(id, "one") }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        source.expired.withLock { $0 = 410 }
        source.broken.withLock { $0 = page }
        source.change(1, nil)
        source.change(7, "one")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 1)
        source.broken.withLock { $0 = nil }
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.output.contains(#""code":"token_expired""#), "\(run.output)")
        #expect(page == 0 || run.output.contains(#""code":"resumed""#), "\(run.output)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["2", "3", "4", "5", "6", "7"])
    }

    @Test("A token does not pass what was not stored")
    func held() throws {
        let source = Source(.google)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source)
        for id in 1...2 { source.change(id, "one") }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml", text.replacing("title: string}", with: "title: {from: title, type: enum, values: [one]}}"))
        source.change(1, "three")
        for _ in 1...2 {
            let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
            #expect(
                run.output.contains(#""code":"token_held""#) && run.output.contains(#""quarantined":1"#),
                "\(run.output)")
        }
        source.change(1, "one")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0 && !run.output.contains("token_held"), "\(run.output)")
        let quiet = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(quiet.output.contains(#""read":0"#), "\(quiet.output)")
    }

    @Test("Undoing a run that changed nothing of a stream leaves its token", arguments: ["run", "page"])
    func undoOfOthers(commit: String) throws {
        let source = Source(.google)
        let authors = Mutex("[]")
        let server = try LoopbackServer { request in
            request.path == "/authors" ? .text(authors.withLock { $0 }) : source.answer(request)
        }
        defer { server.stop() }
        let scene = try Self.scene(
            server, source,
            more: """
                  - {name: authors, entity: Author, path: /authors, paginator: {type: none}}
                commit: \(commit)
                """)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            text.replacing(
                "entities:\n", with: "entities:\n  Author: {table: authors, primary_key: [id], fields: {id: int}}\n"
            ).replacing("    delete_missing: {mode: hard, max_delete: 100%}\n", with: ""))
        func run() throws {
            let run = try Program.run("run", "books.yaml", in: scene.path)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
        }
        func token() throws -> [String] {
            try scene.query("SELECT value FROM _sluice_state WHERE name = 'cursor_token'")
        }
        for id in 1...3 { source.change(id, "one") }
        try run()
        // Each of these runs moves the token, by records that are as before.
        authors.withLock { $0 = #"[{"id":1}]"# }
        source.change(1, "one")
        try run()
        source.change(2, "one")
        try run()
        let before = try token()
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0 && !undo.output.contains("from its beginning"), "\(undo.output)\(undo.errors)")
        #expect(try token() == before && before.count == 1)
        source.change(3, nil)
        try run()
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2"])
    }

    @Test("Where an undo gives the token up, the next run says what is lost", arguments: [false, true])
    func undoGivesTheTokenUp(deletesMissing: Bool) throws {
        let source = Source(.google)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source)
        if !deletesMissing {
            let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            try scene.write(
                "books.yaml", text.replacing("    delete_missing: {mode: hard, max_delete: 100%}\n", with: ""))
        }
        for id in 1...3 { source.change(id, "one") }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        for id in 1...2 {
            source.change(id, "two")
            #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        }
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        let words = (undo.output + undo.errors).contains("the next run reads the stream from its beginning")
        #expect(undo.code == 0 && words, "\(undo.output)\(undo.errors)")
        source.change(3, nil)
        // A plan says it and keeps nothing.
        for command in ["plan", "run"] {
            let next = try Program.run(command, "books.yaml", "--format", "json", in: scene.path)
            #expect(next.code == 0, "\(next.output)\(next.errors)")
            #expect(next.output.contains(#""code":"token_given_up""#) != deletesMissing, "\(next.output)")
            let told =
                "All of `books` was read, since the undoing of run 2 gave its token up. Rows that the source deleted since the last run stay"
            #expect(next.output.contains(told) != deletesMissing, "\(next.output)")
        }
        #expect(try scene.query("SELECT id, title FROM books WHERE id < 3 ORDER BY id") == ["1|two", "2|two"])
        #expect(try scene.query("SELECT id FROM books WHERE id = 3") == (deletesMissing ? [] : ["3"]))
        let quiet = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(quiet.output.contains(#""read":0"#) && !quiet.output.contains("token_given_up"), "\(quiet.output)")
    }

    @Test("Another definition of the requests reads everything, and so does a token that is missing")
    func other() throws {
        let source = Source(.graph)
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source)
        for id in 1...3 { source.change(id, "one") }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("path: /books", with: "path: /books\n    params: {top: x}"))
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.output.contains(#""read":3"#) && run.output.contains(#""complete":true"#), "\(run.output)")
        try scene.write("books.yaml", text.replacing("@odata.deltaLink", with: "delta"))
        let without = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(without.code == 0 && without.output.contains(#""code":"token_held""#), "\(without.output)")
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let incremental: String
        var stream = ""
        let says: String
    }

    @Test(arguments: [
        Fault(
            testDescription: "a cursor as well", incremental: "{token: a, cursor_field: id}",
            says: "`incremental` has both a `token` and a `cursor_field`"),
        Fault(
            testDescription: "what a cursor needs", incremental: "{token: a, lookback: 5m}",
            says: "`lookback` needs a `cursor_field`, but `incremental` has a `token`"),
        Fault(
            testDescription: "neither", incremental: "{lookback: 5m}",
            says: "needs the key `cursor_field`, or the key `token`"),
        Fault(
            testDescription: "a parameter alone", incremental: "{cursor_field: id, client_side: true, token_param: t}",
            says: "`token_param` needs the key `token`"),
        Fault(testDescription: "several values", incremental: "{token: \"a[*]\"}", says: "must lead to one value"),
        Fault(
            testDescription: "several lists", incremental: "{token: a}", stream: "for_each: [x, y]",
            says: "is the token of one list"),
        Fault(
            testDescription: "a variable", incremental: "{token: a}", stream: "params: {since: \"{{ cursor.start }}\"}",
            says: "`{{ cursor.start }}` needs a `cursor_field`"),
    ])
    func fault(test: Fault) throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            source: {base_url: "http://127.0.0.1:1"}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                incremental: \(test.incremental)
                \(test.stream)
            """)
        let run = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(run.code == 78 && run.output.contains(test.says), "\(run.output)\(run.errors)")
    }

    @Test(arguments: ["run", "plan"])
    func aTimeIsNoBoundForATokenAndNothingIsRun(command: String) throws {
        let source = Source(.graph)
        source.change(1, "a")
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(server, source)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let asked = server.requests.count
        let result = try Program.run(command, "books.yaml", "--from", "2024-01-01T00:00:00Z", in: scene.path)
        #expect(result.code == 64 && result.output.isEmpty, "\(result.output)\(result.errors)")
        #expect(
            result.errors.contains(
                "`books` of `books` asks for changes by a token, which stands for no time; `--full` reads everything. Nothing was run."
            ), "\(result.errors)")
        #expect(server.requests.count == asked)
        #expect(try scene.query("SELECT count(*) FROM _sluice_runs") == ["1"])
    }
}
