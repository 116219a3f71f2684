import Foundation
import TestSupport
import Testing

/// Where the rest of a list begins, and what comes of it.
@Suite struct RestStartTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var more = Invoices.more()
        var list = "path: lines, records: \"data[*]\", "
        var child = "children: {lines: {entity: Line, from: \"lines.data[*]\", key: id}}"
        var line = ""
        var stream = ""
        /// The list of the only invoice.
        let lines: String
        let answers: [String: Forge.Answer]
        var ids = ["a1", "a2", "a3"]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "the last record", lines: Invoices.lines("a1", more: true),
            answers: [
                "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", more: true)),
                "/invoices/i1/lines?after=a2": .body(Invoices.lines("a3")),
            ]),
        Case(
            name: "the stream's paginator",
            more: "more: {when: .lines.has_more, path: \"/invoices/{{ parent.id }}/lines\"}",
            stream: "paginator: \(Invoices.byLastRecord)", lines: Invoices.lines("a1", more: true),
            answers: ["/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a3")), "/invoices?after=i2": "[]"]),
        Case(
            name: "an empty list", lines: Invoices.lines(more: true),
            answers: ["/invoices/i1/lines": .body(Invoices.lines("a1", "a2", "a3"))]),
        Case(
            name: "a list that is null", lines: #"{"data": null, "has_more": true}"#,
            answers: ["/invoices/i1/lines": .body(Invoices.lines("a1", "a2", "a3"))]),
        Case(
            name: "records that come twice", lines: Invoices.lines("a1", "a2", more: true),
            answers: ["/invoices/i1/lines?after=a2": .body(Invoices.lines("a1", "a2", "a3", "a3"))]),
        Case(
            name: "an offset", more: Invoices.more("{type: offset, total_path: total}"),
            lines: Invoices.lines("a1", more: true),
            answers: [
                "/invoices/i1/lines?offset=1": #"{"data": [{"id": "a2"}], "total": 3}"#,
                "/invoices/i1/lines?offset=2": #"{"data": [{"id": "a3"}], "total": 3}"#,
            ]),
        Case(
            name: "the page behind full ones",
            more: Invoices.more("{type: page_number, page_size: 1, page_size_param: n, total_pages_path: pages}"),
            lines: Invoices.lines("a1", "a2", more: true),
            answers: ["/invoices/i1/lines?n=1&page=3": #"{"data": [{"id": "a3"}], "pages": 3}"#]),
        Case(
            name: "the page that the list has a part of",
            more: Invoices.more("{type: page_number, page_size: 2, page_size_param: n}"),
            lines: Invoices.lines("a1", more: true),
            answers: [
                "/invoices/i1/lines?n=2&page=1": .body(Invoices.lines("a1", "a2")),
                "/invoices/i1/lines?n=2&page=2": .body(Invoices.lines("a3")),
                "/invoices/i1/lines?n=2&page=3": .body(Invoices.lines()),
            ]),
        Case(
            name: "a link in the list", more: Invoices.more("{type: json_link, path: next}"),
            lines: #"{"data": [{"id": "a1"}], "has_more": true, "next": "/rest?at=1"}"#,
            answers: [
                "/rest?at=1": #"{"data": [{"id": "a2"}], "next": "/rest?at=2"}"#,
                "/rest?at=2": #"{"data": [{"id": "a3"}], "next": null}"#,
            ]),
        Case(
            name: "a cursor in the list, and another in a page",
            more: """
                more: {when: .lines.page.more, path: /graph, body: {json: {variables: {id: "{{ parent.id }}"}}},
                  records: "data.node.lines.data[*]", from: page.end,
                  paginator: {type: cursor, cursor_path: data.node.lines.page.end, cursor_param: variables.after, in: body}}
                """,
            lines: #"{"data": [{"id": "a1"}], "page": {"more": true, "end": "x"}}"#,
            answers: [
                "/graph":
                    #"{"data": {"node": {"lines": {"data": [{"id": "a2"}, {"id": "a3"}], "page": {"end": null}}}}}"#
            ]),
        Case(
            name: "one page", more: Invoices.more("{type: none}"), lines: Invoices.lines("a1", more: true),
            answers: ["/invoices/i1/lines": .body(Invoices.lines("a2", "a3"))]),
        Case(
            name: "records of another shape",
            more: Invoices.more("{type: none}", ", records: \"$[*]\", params: {x: 1}"),
            list: "path: lines.data, ", lines: Invoices.lines("a1", more: true),
            answers: ["/invoices/i1/lines?x=1": #"[{"id": "a2"}, {"id": "a3"}]"#]),
        Case(
            name: "a list that no entity has", child: "", line: "primary_key: id, ",
            lines: Invoices.lines("a1", more: true),
            answers: ["/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a3"))]),
        Case(
            name: "a list elsewhere than the entity has it",
            child: "children: {rows: {entity: Line, key: id}}", lines: Invoices.lines("a1", more: true),
            answers: ["/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a3"))]),
        Case(
            name: "a list in order", child: "children: {lines: {entity: Line, from: \"lines.data[*]\", ordered: true}}",
            lines: Invoices.lines("a1", more: true),
            answers: ["/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a3"))]),
        Case(
            name: "nothing more", lines: Invoices.lines("a1", "a2", "a3"), answers: [:]),
        Case(
            name: "brackets in texts", lines: #"{"data": [{"id": "]\"}", "x": [[]]}], "has_more": true}"#,
            answers: [
                "/invoices/i1/lines?after=%5D%22%7D": .body(Invoices.lines("a2"))
            ], ids: ["]\"}", "a2"]),
    ]

    @Test(arguments: cases)
    func theWholeListIsTaken(test: Case) throws {
        // What stands before the record is longer than what is read at once.
        let padding = String(repeating: " ", count: 300_000)
        let invoice = Invoices.invoice("i1", test.lines)
        let forge = Forge(test.answers)
        forge["/invoices"] = .body("\(padding)[\n\(invoice)\n, {\"id\": \"i2\", \"total\": 2}]")
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(
            forge: Invoices.pipeline(
                server.url, test.more, list: test.list, child: test.child, line: test.line, stream: test.stream))
        let plan = try scene.forge("plan")
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store))
        let asked = server.requests.map(\.target).sorted()
        #expect(asked == (["/invoices"] + test.answers.keys).sorted())
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id FROM line ORDER BY id") == test.ids)
        #expect(try scene.query("SELECT id, total FROM invoice ORDER BY 1") == ["i1|1", "i2|2"])
        let before = try scene.contents()
        let again = try scene.forge()
        #expect(again.code == 0, "\(again.output)")
        #expect(try scene.contents() == before)
        let quiet = try scene.forge("plan", "--detailed-exitcode")
        #expect(quiet.code == 0, "\(quiet.output)")
    }

    @Test func aRequestForTheRestTakesTheBodyOfItsOwn() throws {
        let test = try #require(Self.cases.first { $0.name.hasPrefix("a cursor in the list") })
        let forge = Forge(test.answers)
        forge["/invoices"] = .body("[\(Invoices.invoice("i1", test.lines))]")
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url, test.more))
        #expect(try scene.forge().code == 0)
        let request = try #require(server.requests.last)
        #expect(request.method == "POST")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"variables":{"id":"i1","after":"x"}}"#)
    }
}
