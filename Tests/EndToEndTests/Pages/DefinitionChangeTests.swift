import Foundation
import TestSupport
import Testing

/// Streams that ask for changes alone, whose pipeline comes to want other records or more of them.
@Suite struct DefinitionChangeTests {
    /// How changes are asked for.
    enum Kind: String, CaseIterable, Sendable {
        case cursor, token

        var yaml: String {
            switch self {
            case .cursor:
                "params: {since: \"{{ cursor.start }}\"}\n    incremental: {cursor_field: at, initial_value: 0}"
            case .token: "incremental: {token: next, token_param: since}"
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What of the pipeline becomes something else.
        let old: String
        let new: String
        /// The rows then, as `--full` would leave them.
        var rows = ["1|a|", "2|b|"]
        /// Whether everything is read for it.
        var isRead = true
    }

    static let cases = [
        Case(
            testDescription: "a field more", old: "title: string}", new: "title: string, by: string}",
            rows: ["1|a|x", "2|b|y"]),
        Case(
            testDescription: "a field from elsewhere", old: "title: string}", new: "title: {from: by, type: string}}",
            rows: ["1|x|", "2|y|"]),
        Case(
            testDescription: "a filter less", old: "    filter: .id != 3\n", new: "", rows: ["1|a|", "2|b|", "3|c|"]),
        Case(testDescription: "a parameter more", old: "params: {", new: "params: {all: 1, "),
        Case(
            testDescription: "fields in another order", old: "id: int, at: int", new: "at: int, id: int", isRead: false),
        Case(
            testDescription: "names", old: "name: books\n    entity: Book",
            new: "name: volumes\n    renamed_from: books\n    entity: Book", isRead: false),
        Case(testDescription: "nothing", old: "", new: "", isRead: false),
    ]

    @Test(arguments: cases, Kind.allCases)
    func itIsReadFromTheBeginning(_ test: Case, kind: Kind) throws {
        let server = try LoopbackServer { request in
            let since = (request.query ?? "").split(separator: "&").first { $0.hasPrefix("since=") }?.dropFirst(6) ?? ""
            let records = [("1", "a", "x"), ("2", "b", "y"), ("3", "c", "z")].filter { $0.0 > since }
            let items = records.map { #"{"id":\#($0.0),"at":\#($0.0),"title":"\#($0.1)","by":"\#($0.2)"}"# }
            let token = kind == .token ? #","next":"3""# : ""
            return .text(#"{"items":[\#(items.joined(separator: ","))]\#(token)}"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let pipeline = """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}, params: {n: 5}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, at: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: "items[*]"
                filter: .id != 3
                paginator: {type: none}
                \(kind.yaml)
            """
        try scene.write("books.yaml", pipeline)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(test.old.isEmpty || pipeline.contains(test.old))
        try scene.write("books.yaml", test.old.isEmpty ? pipeline : pipeline.replacing(test.old, with: test.new))
        let words = "All of `\(test.new.contains("volumes") ? "volumes" : "books")` was read"
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", in: scene.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect((result.output + result.errors).contains(words) == test.isRead, "\(result.output)\(result.errors)")
        }
        func rows() throws -> [String] {
            let hasBy = try scene.query("SELECT 1 FROM pragma_table_info('books') WHERE name = 'by'") == ["1"]
            return try scene.query("SELECT id, title, \(hasBy ? "\"by\"" : "''") FROM books ORDER BY id")
        }
        #expect(try rows() == test.rows)
        // What was taken back is read again, since it is as if the pipeline had just become another one.
        if test.isRead {
            #expect(try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path).code == 0)
            let again = try Program.run("run", "books.yaml", in: scene.path)
            #expect((again.output + again.errors).contains(words), "\(again.output)\(again.errors)")
            #expect(try rows() == test.rows)
        }
        let asked = server.requests.count
        let after = try Program.run("run", "books.yaml", in: scene.path)
        #expect(after.code == 0 && !(after.output + after.errors).contains(words), "\(after.output)")
        #expect(
            server.requests[asked...].allSatisfy {
                $0.query?.contains("since=0") == false && $0.query?.contains("since=") == true
            })
        #expect(try Program.run("run", "books.yaml", "--full", in: scene.path).code == 0)
        #expect(try rows() == test.rows)
    }

    /// What a source says of the author of its books.
    enum Author: String, CaseIterable, Sendable {
        case key = "7"
        case object = #"{"id":7,"name":"Ann","born":1900}"#
    }

    /// Fields of another entity matter to a stream that sends objects of it, and to none that sends keys. Names matter to none.
    @Test(arguments: Author.allCases, Kind.allCases)
    func recordsThatOthersReferTo(_ author: Author, kind: Kind) throws {
        let server = try LoopbackServer { request in
            let isFirst = request.query?.contains("since=0") == true || request.query?.contains("since") != true
            let items = isFirst ? #"{"id":1,"at":1,"title":"a","by":\#(author.rawValue)}"# : ""
            return .text(#"{"items":[\#(items)]\#(kind == .token ? #","next":"1""# : "")}"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        func run(_ author: String) throws -> Bool {
            try scene.write(
                "books.yaml",
                """
                version: 1
                name: books
                store: sqlite:shop.db
                source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
                entities:
                  \(author)
                  Book:
                    table: books
                    primary_key: [id]
                    fields: {id: int, at: int, title: string, by: {ref: \(author.prefix { $0 != ":" })}}
                streams:
                  - name: books
                    entity: Book
                    path: /books
                    records: "items[*]"
                    paginator: {type: none}
                    \(kind.yaml)
                """)
            let result = try Program.run("run", "books.yaml", in: scene.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            return (result.output + result.errors).contains("All of `books` was read")
        }
        let before = "Author: {table: authors, primary_key: [id], fields: {id: int, name: string}}"
        #expect(try !run(before))
        let more = "Author: {table: authors, primary_key: [id], fields: {id: int, name: string, born: int}}"
        #expect(try run(more) == (author == .object))
        let field =
            "Author: {table: authors, primary_key: [id], fields: {id: int, called: {from: name, renamed_from: name}, born: int}}"
        #expect(try !run(field))
        let entity =
            "Writer: {renamed_from: Author, table: authors, primary_key: [id], fields: {id: int, called: {from: name}, born: int}}"
        #expect(try !run(entity))
        if author == .object { #expect(try scene.query("SELECT called, born FROM authors") == ["Ann|1900"]) }
    }
}
