import Foundation
import TestSupport
import Testing

/// Lists that go on, wherever their records stand.
@Suite struct RestPlaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let stream: String
        /// A page, with `@` in the place of the list.
        let page: String
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "in an envelope", stream: "records: \"data.all[*]\"",
            page: #"{"data": {"all": [{"id": "i1", "lines": @}]}}"#),
        Case(name: "the page", stream: "records: $", page: #" {"lines": @, "id": "i1"} "#),
        Case(
            name: "members of an object", stream: "records: all\n    entries: id",
            page: #"{"all": {"i0": {"lines": null}, "i1": {"lines": @}}}"#),
        Case(
            name: "chosen ones", stream: "records: \"$.all[?@.kind == 'x']\"",
            page: #"{"all": [{"id": "i9", "kind": "y", "lines": @}, {"id": "i1", "kind": "x", "lines": @}]}"#),
        Case(
            name: "lines", stream: "format: jsonl",
            page: "{\"id\": \"i0\"}\n\n{\"id\": \"i1\", \"lines\": @}\n{\"id\": \"i2\"}\n"),
        Case(
            name: "lines with a path", stream: "format: jsonl\n    records: r",
            page: "{\"r\": {\"id\": \"i0\"}}\r\n{\"r\": {\"id\": \"i1\", \"lines\": @}}\r\n"),
        Case(
            name: "behind a byte order mark", stream: "filter: .id == \"i1\"",
            page: "\u{FEFF}[{\"id\": \"ü\"}, {\"id\": \"i1\", \"lines\": @}]"),
    ]

    @Test(arguments: cases)
    func theWholeListIsTaken(test: Case) throws {
        let forge = Forge([
            "/invoices": .body(test.page.replacing("@", with: Invoices.lines("a1", more: true))),
            "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a3")),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url, stream: test.stream))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines() == ["i1|a1", "i1|a2", "i1|a3"])
        #expect(server.requests.count == 2)
    }

    @Test func recordsInAnotherOrderThanTheirPage() throws {
        let (first, second) = (
            Invoices.invoice("i1", Invoices.lines("a1", more: true)),
            Invoices.invoice("i2", Invoices.lines("b1", more: true))
        )
        let forge = Forge([
            "/invoices": .body("{\"a\": [\(first)], \"b\": [\(second)]}"),
            "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2")),
            "/invoices/i2/lines?after=b1": .body(Invoices.lines("b2")),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url, stream: "records: \"$['b','a'][*]\""))
        let run = try scene.forge()
        #expect(run.code == 5 && run.output.contains("Invoice i1: It stands before"), "\(run.output)\(run.errors)")
        #expect(try scene.lines() == ["i1|a1", "i2|b1", "i2|b2"])
    }

    @Test func packedPagesAndSeveralOfThem() throws {
        let lines = Invoices.lines("a1", more: true)
        let texts = [
            "1": "[\(Invoices.invoice("i1", lines)), \(Invoices.invoice("i2", Invoices.lines("b1")))]",
            "2": "[\(Invoices.invoice("i3", lines))]", "3": "[]",
        ]
        let pages = texts.mapValues { Gzip.stored(Array($0.utf8)) }
        let server = try LoopbackServer { request in
            if let page = request.query.flatMap({ pages[String($0.dropFirst(5))] }) {
                return ServerResponse(headers: [("Content-Type", "application/gzip")], body: .bytes(page))
            }
            return .text(Invoices.lines("a2"))
        }
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(server.url, Invoices.more(), stream: "paginator: {type: page_number}"))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.lines() == ["i1|a1", "i1|a2", "i2|b1", "i3|a1", "i3|a2"])
    }

    @Test func severalListsOfARecord() throws {
        let forge = Forge([
            "/invoices":
                #"[{"id": "i1", "lines": {"data": [{"id": "a1"}], "has_more": true}, "notes": {"data": [], "next": "n1"}}]"#,
            "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2")),
            "/invoices/i1/notes?at=n1": #"{"data": [{"text": "x"}], "next": "n2"}"#,
            "/invoices/i1/notes?at=n2": #"{"data": [{"text": "y"}], "next": null}"#,
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let note = """
            {path: notes, records: "data[*]", entity: Note, more: {when: .notes.next, path: "/invoices/{{ parent.id }}/notes",
                paginator: {type: cursor, cursor_path: next, cursor_param: at}}}
            """
        let pipeline = Invoices.pipeline(server.url).replacing("nested: [", with: "nested: [\(note), ")
            .replacing("  Line: {", with: "  Note: {primary_key: text, fields: {text: string}}\n  Line: {")
        let scene = try Scene(forge: pipeline)
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(#""continued_lists":{"count":2,"failed":0},"rests":{"count":2,"failed":0}"#),
            "\(run.output)")
        #expect(try scene.lines() == ["i1|a1", "i1|a2"])
        #expect(try scene.query("SELECT invoice_id, text FROM note ORDER BY 2") == ["i1|x", "i1|y"])
        // One that fails leaves the other one alone.
        forge["/invoices/i1/notes?at=n1"] = .status(500)
        forge["/invoices/i1/lines?after=a1"] = .body(Invoices.lines())
        #expect(try scene.forge().code == 5)
        #expect(try scene.lines() == ["i1|a1"])
        #expect(try scene.query("SELECT text FROM note ORDER BY 1") == ["x", "y"])
    }

    @Test func childrenOfLinesComeWithThem() throws {
        let forge = Forge([
            "/invoices": .body(
                "[\(Invoices.invoice("i1", #"{"data": [{"id": "a1", "taxes": [1]}], "has_more": true}"#))]"),
            "/invoices/i1/lines?after=a1": #"{"data": [{"id": "a2", "taxes": [2, 3]}], "has_more": false}"#,
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let pipeline = Invoices.pipeline(server.url).replacing(
            "amount: int}}",
            with:
                "amount: int}, children: {taxes: {entity: Tax, ordered: true}}}\n  Tax: {fields: {rate: {from: $, type: int}}}"
        )
        let scene = try Scene(forge: pipeline)
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let taxes = "SELECT line_invoice_id, line_id, position, rate FROM tax ORDER BY 4"
        #expect(try scene.query(taxes) == ["i1|a1|0|1", "i1|a2|0|2", "i1|a2|1|3"])
    }

    @Test func invoicesOfEachOfSomeTexts() throws {
        let forge = Forge([
            "/eu": .body("[\(Invoices.invoice("i1", Invoices.lines("a1", more: true)))]"),
            "/us": .body("[\(Invoices.invoice("i2", Invoices.lines("b1", more: true)))]"),
            "/eu/i1?after=a1": .body(Invoices.lines("a2")),
            "/us/i2?after=b1": .status(500),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let pipeline = Invoices.pipeline(server.url, stream: "for_each: [eu, us]")
            .replacing("path: /invoices\n", with: "path: \"/{{ item }}\"\n")
            .replacing("/invoices/{{ parent.id }}/lines", with: "/{{ item }}/{{ parent.id }}")
        let scene = try Scene(forge: pipeline)
        let run = try scene.forge()
        #expect(run.code == 5 && run.output.contains("Invoice i2, us"), "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(
                #""partitions":{"count":2,"asked":2,"failed":0},"continued_lists":{"count":2,"failed":1},"rests":{"count":2,"failed":1}"#
            ))
        #expect(try scene.lines() == ["i1|a1", "i1|a2", "i2|b1"])
    }

    @Test func parentsWhoseRestsFailedAreAskedForAgain() throws {
        let forge = Forge([
            "/shops": #"[{"id": 1}, {"id": 2}]"#,
            "/shops/1": .body("[\(Invoices.invoice("i1", Invoices.lines("a1", more: true)))]"),
            "/shops/2": .body("[\(Invoices.invoice("i2", Invoices.lines("b1")))]"),
            "/invoices/i1/lines?after=a1": .status(500),
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let pipeline =
            Invoices.pipeline(server.url, stream: "parent: {stream: shops, only: changed}")
            .replacing("path: /invoices\n", with: "path: \"/shops/{{ parent.id }}\"\n")
            .replacing("  Line: {", with: "  Shop: {primary_key: id, fields: {id: int}}\n  Line: {")
            + "\n  - {name: shops, entity: Shop, path: /shops}\n"
        let scene = try Scene(forge: pipeline)
        #expect(try scene.forge().code == 5)
        #expect(try scene.lines() == ["i1|a1", "i2|b1"])
        forge["/invoices/i1/lines?after=a1"] = .body(Invoices.lines("a2"))
        let next = try scene.forge()
        #expect(next.code == 0, "\(next.output)\(next.errors)")
        #expect(server.requests.map(\.target).suffix(3) == ["/shops", "/shops/1", "/invoices/i1/lines?after=a1"])
        #expect(try scene.lines() == ["i1|a1", "i1|a2", "i2|b1"])
        #expect(try scene.forge().code == 0)
        #expect(server.requests.map(\.target).last == "/shops")
    }
}
