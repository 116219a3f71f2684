import Foundation
import Synchronization
import TestSupport
import Testing

/// A page that speaks of another one is not the whole, whatever the paginator makes of it.
@Suite struct FurtherPagesTests {
    /// A source whose first run is whole, and whose second one has two of three records and something to say of others.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Keys of the stream.
        var stream = "records: $.data[*]"
        /// What stands beside the records.
        var beside = ""
        var headers: [(name: String, value: String)] = []
        /// The whole page, where it is not an object with `data`; `RECORDS` are the records.
        var page: String?
        /// What the warning says; nil where nothing speaks of another page.
        var says: String?
        /// The paginator that it names; nil for none.
        var remedy: String?
        var testDescription: String { name }

        func answer(_ count: Int, isLast: Bool) -> ServerResponse {
            let records = (1...count).map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
            let rest = beside.isEmpty || isLast ? "" : ",\(beside)"
            let body = page?.filled(records) ?? #"{"data":[\#(records)]\#(rest)}"#
            return .text(body, headers: isLast ? [] : headers)
        }
    }

    private static func scene(_ test: Case, _ server: LoopbackServer, mode: String = "hard") throws -> Scene {
        let scene = try Scene(url: server.url)
        let path = test.stream.hasPrefix("path:") ? "" : "path: /books"
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                delete_missing: {mode: \(mode), max_delete: 100%}
                \(path)
                \(test.stream.replacing("; ", with: "\n    "))
            """)
        return scene
    }

    /// Runs a source that has three records and then shows two.
    private static func runs(_ test: Case, mode: String = "hard") throws -> (Program.Result, rows: [String]) {
        let isFirst = Atomic(true)
        let server = try LoopbackServer { _ in
            let first = isFirst.load(ordering: .sequentiallyConsistent)
            return test.answer(first && test.page?.contains("RECORD1") != true ? 3 : 2, isLast: first)
        }
        defer { server.stop() }
        let scene = try scene(test, server, mode: mode)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try scene.execute("INSERT INTO books (id, title) VALUES (4, 'mine')")
        isFirst.store(false, ordering: .sequentiallyConsistent)
        let run = try Program.run("run", "books.yaml", "--strict", "--format", "json", in: scene.path)
        return (run, try scene.query("SELECT id FROM books WHERE id < 4 ORDER BY id"))
    }

    @Test("A page with errors beside its data proves nothing gone")
    func errors() throws {
        let test = Case(
            name: "GraphQL", stream: "records: $.data.books[*]",
            page: #"{"data":{"books":[RECORD1]},"errors":[{"message":"timeout"}]}"#)
        let (run, rows) = try Self.runs(test)
        #expect(run.output.contains("has `errors` beside its `data`"), "\(run.output)")
        #expect(run.output.contains(#""complete":false"#) && rows == ["1"], "\(rows)")
    }

    @Test(arguments: signs + unseen)
    func provesNothing(test: Case) throws {
        let (run, rows) = try Self.runs(test)
        #expect(run.code == 3, "\(run.output)\(run.errors)")
        for word in [#""code":"more_pages""#, #""severity":"warning""#, #""complete":false"#, test.says ?? "?"] {
            #expect(run.output.contains(word.inJSON), "\(word) in \(run.output)")
        }
        if let remedy = test.remedy { #expect(run.output.contains(remedy.inJSON), "\(remedy) in \(run.output)") }
        #expect(!run.output.contains("incomplete_scan"), "said twice: \(run.output)")
        if test.page?.contains("RECORDS") ?? true { #expect(rows == ["1", "2", "3"]) }
    }

    @Test(arguments: ends)
    func provesTheEnd(test: Case) throws {
        let (run, rows) = try Self.runs(test)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""complete":true"#), "\(run.output)")
        #expect(!run.output.contains("more_pages"), "\(run.output)")
        #expect(rows == ["1", "2"])
    }

    @Test func isAWarningWhereNothingIsDeletedToo() throws {
        let (run, _) = try Self.runs(Self.signs[2], mode: "ignore")
        #expect(run.code == 3 && run.output.contains("more_pages"), "\(run.output)")
    }

    @Test("One part of a stream that has more keeps its own records alone")
    func partition() throws {
        let isFirst = Atomic(true)
        let server = try LoopbackServer { request in
            let name = request.path.dropFirst()
            let first = isFirst.load(ordering: .sequentiallyConsistent)
            let ids = first ? ["1", "2"] : ["1"]
            let records = ids.map { #"{"id":"\#(name)\#($0)"}"# }.joined(separator: ",")
            return .text(#"{"data":[\#(records)],"has_more":\#(!first && name == "a")}"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Item: {table: items, primary_key: [at, id], fields: {id: string, at: {value: "{{ item }}"}}}
            streams:
              - name: items
                entity: Item
                path: "/{{ item }}"
                for_each: [a, b]
                records: $.data[*]
                delete_missing: {mode: hard, max_delete: 100%}
            """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        isFirst.store(false, ordering: .sequentiallyConsistent)
        let run = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(run.code == 3 && run.errors.contains("has_more: true"), "\(run.errors)")
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == ["a1", "a2", "b1"])
    }

    @Test("A cursor does not pass what was not read")
    func cursor() throws {
        let isFirst = Atomic(true)
        let server = try LoopbackServer { _ in
            let first = isFirst.load(ordering: .sequentiallyConsistent)
            let day = first ? 1 : 9
            return .text(
                #"{"data":[{"id":\#(day),"title":"t","at":"2025-01-0\#(day)T00:00:00Z"}],"has_more":\#(!first)}"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string, at: datetime}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: $.data[*]
                params: {since: "{{ cursor.start }}"}
                incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}
            """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        isFirst.store(false, ordering: .sequentiallyConsistent)
        for _ in 1...2 { #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 3) }
        #expect(server.requests.last?.query?.contains("2025-01-01") == true, "\(server.requests.last?.query ?? "")")
    }
}

extension String {
    /// A page with records in their places.
    fileprivate func filled(_ records: String) -> String {
        replacing("RECORDS", with: records).replacing("RECORD1", with: #"{"id":1,"title":"t"}"#)
            .replacing("RECORD2", with: #"{"id":2,"title":"t"}"#)
    }

    /// As a JSON text has it.
    fileprivate var inJSON: String { hasPrefix("\"") ? self : replacing("\"", with: "\\\"") }
}
