import Foundation
import Synchronization
import TestSupport
import Testing

/// An answer without a body for a page that the one before led to: whether it is the end.
@Suite struct BodilessPageTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let paginator: String
        /// What the pages before the last say of another one; NEXT is its number.
        var member = ""
        var headers: [(name: String, value: String)] = []
        /// Whether what is missing behind it stays.
        let stays: Bool
        var rules = ""
        var testDescription: String { name }

        /// Two things on each of three pages; the third is empty where it is told so.
        func respond(_ request: ServerRequest, isCut: Bool) -> ServerResponse {
            let digits = request.query?.filter(\.isWholeNumber) ?? ""
            let number = Int(digits) ?? 0
            // Records, pages and offsets are told apart by their size.
            let page = digits.isEmpty || number == 0 ? 1 : number >= 10 ? number / 10 + 1 : number
            if page > 3 || isCut && page == 3 { return ServerResponse(status: 204) }
            let things = (0..<2).map { #"{"id":\#(page * 10 + $0)}"# }.joined(separator: ",")
            let isLast = page == 3
            let more = isLast || member.isEmpty ? "" : "," + member.replacing("NEXT", with: "\(page + 1)")
            let links = isLast ? [] : headers.map { ($0.name, $0.value.replacing("NEXT", with: "\(page + 1)")) }
            return .text(#"{"data":[\#(things)]\#(more)}"#, headers: links)
        }
    }

    private static let sources = [
        Source(
            name: "a URL in the body", paginator: "{type: json_link, path: next}", member: #""next":"/things?p=NEXT""#,
            stays: true),
        Source(
            name: "a Link header", paginator: "{type: header_link}",
            headers: [("Link", "</things?p=NEXT>; rel=\"next\"")], stays: true),
        Source(
            name: "a cursor in the body", paginator: "{type: cursor, cursor_path: next, cursor_param: at}",
            member: #""next":"cNEXT""#, stays: true),
        Source(
            name: "a cursor in a header",
            paginator: "{type: cursor, cursor_from: header, cursor_path: X-Next, cursor_param: at}",
            headers: [("X-Next", "cNEXT")], stays: true),
        Source(
            name: "the last record and a flag",
            paginator:
                "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: at, has_more_path: has_more}",
            member: #""has_more":true"#, stays: true),
        Source(
            name: "the last record alone",
            paginator: "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: at}", stays: false),
        Source(name: "numbers of pages", paginator: "{type: page_number}", stays: false),
        Source(
            name: "numbers of pages and a flag", paginator: "{type: page_number}", member: #""has_more":true"#,
            stays: true),
        Source(
            name: "a cursor, and a rule that knows it",
            paginator: "{type: cursor, cursor_path: next, cursor_param: at}", member: #""next":"cNEXT""#, stays: false,
            rules: ", on_response: [{status: 204, action: empty}]"),
    ]

    @Test(arguments: sources, ["run", "page"])
    func aStatementOfMoreWhichNothingCameOfProvesNothingGone(source: Source, commit: String) throws {
        let isCut = Mutex(false)
        let server = try LoopbackServer { request in source.respond(request, isCut: isCut.withLock { $0 }) }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            commit: \(commit)
            source: {base_url: "\(server.url)"\(source.rules)}
            entities: {Thing: {table: things, primary_key: id, fields: {id: int}}}
            streams:
              - name: books
                entity: Thing
                path: /things
                records: data[*]
                paginator: \(source.paginator)
                delete_missing: {mode: hard, max_delete: 100%, confirm: 0}
            """)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0 && first.output.contains("6 inserted"), "\(first.output)\(first.errors)")
        isCut.withLock { $0 = true }
        let second = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(second.code == 0, "\(second.errors)")
        #expect(try scene.query("SELECT count(*) FROM things") == [source.stays ? "6" : "4"], "\(second.output)")
        #expect(second.output.contains(#""complete":\#(!source.stays)"#), "\(second.output)")
        #expect(
            second.output.contains("though the page before says that there is more") == source.stays, "\(second.output)"
        )
    }
}
