import Foundation
import Synchronization
import TestSupport
import Testing

/// A run that read counted pages to their end has read all there is, whatever becomes of what is missing.
@Suite struct CountedEndTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let paginator: String
        /// The requests of a run over five records in pages of two; nil where the end is an empty page.
        var requests: Int?
        /// A further key of the stream.
        var more = ""
        /// A further key of the pipeline.
        var commit = ""
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "page numbers", paginator: "{type: page_number}"),
        Case(name: "a short page", paginator: "{type: page_number, page_size: 2, page_size_param: size}"),
        Case(name: "offsets", paginator: "{type: offset, page_size: 2}"),
        Case(name: "a total", paginator: "{type: offset, page_size: 2, total_path: total}", requests: 3),
        Case(
            name: "ignored by name", paginator: "{type: offset, page_size: 2, total_path: total}", requests: 3,
            more: "delete_missing: ignore"),
        Case(name: "page by page", paginator: "{type: offset, page_size: 2}", commit: "commit: page"),
    ]

    /// A source of so many records, in pages of two.
    private static func answer(_ request: ServerRequest, of count: Int) -> ServerResponse {
        let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        let query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        let start = query["offset"].flatMap { Int($0) } ?? ((query["page"].flatMap { Int($0) } ?? 1) - 1) * 2
        let records = (1...count).dropFirst(start).prefix(2).map { #"{"id":\#($0),"title":"t\#($0)"}"# }
        return .text(#"{"total":\#(count),"data":[\#(records.joined(separator: ","))]}"#)
    }

    @Test("Without `delete_missing`, a run is complete, and far fewer records are marked", arguments: cases)
    func complete(_ example: Case) throws {
        let count = Mutex(5)
        let server = try LoopbackServer { request in Self.answer(request, of: count.withLock { $0 }) }
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
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: "data[*]"
                paginator: \(example.paginator)
                \(example.more)
            \(example.commit)
            """)
        for _ in 1...5 {
            let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
            #expect(run.code == 0 && run.output.contains(#""complete":true"#), "\(run.output)\(run.errors)")
            if let requests = example.requests {
                #expect(run.output.contains(#""requests":\#(requests),"#), "\(run.output)")
            }
        }
        count.withLock { $0 = 2 }
        let short = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(short.code == 0 && short.output.contains(#""complete":true"#), "\(short.output)\(short.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["5"])
        let status = try Program.run("status", "--store", "sqlite:shop.db", in: scene.path)
        #expect(
            status.output.contains("few records: run 6 read 2, and 5 are usual"), "\(status.output)\(status.errors)")
    }
}
