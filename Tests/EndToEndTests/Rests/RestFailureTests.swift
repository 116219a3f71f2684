import Foundation
import TestSupport
import Testing

/// Rests that cannot be read: their invoices are taken, none of their lines goes, and the others are not spoilt.
@Suite struct RestFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var more = Invoices.more()
        var source = ""
        /// The list of the first invoice, of which three lines are stored.
        var lines = Invoices.lines("a1", more: true)
        let answers: [String: Forge.Answer]
        var code: Int32 = 5
        let problem: String
        let words: [String]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "a status", answers: ["/invoices/i1/lines?after=a1": .status(500)], problem: "rest_failed",
            words: ["1 of 2 lists `lines` of `invoices`", "Invoice i1", "500", "the next run asks again"]),
        Case(
            name: "a status behind the first page",
            answers: [
                "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", more: true)),
                "/invoices/i1/lines?after=a2": .status(404),
            ], problem: "rest_failed", words: ["Invoice i1", "404"]),
        Case(
            name: "no JSON", answers: ["/invoices/i1/lines?after=a1": #"{"data": [{"id": "a2"}"#],
            problem: "rest_failed", words: ["cannot be read"]),
        Case(
            name: "records elsewhere", answers: ["/invoices/i1/lines?after=a1": #"{"items": []}"#],
            problem: "rest_failed", words: ["nothing at the path `data[*]`"]),
        Case(
            name: "a circle",
            answers: [
                "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", "a1", more: true))
            ], problem: "rest_failed", words: ["lead in a circle"]),
        Case(
            name: "pages without news",
            more: Invoices.more("{type: offset}"),
            answers: [
                "/invoices/i1/lines?offset=1": .body(Invoices.lines("a2")),
                "/invoices/i1/lines?offset=2": .body(Invoices.lines("a2", more: true)),
                "/invoices/i1/lines?offset=3": .body(Invoices.lines()),
                "/invoices/i2/lines?offset=1": .body(Invoices.lines()),
            ], problem: "rest_failed", words: ["repeat themselves", "`paginator` of `more`"]),
        Case(
            name: "a list that is too long", source: ", max_record: 500B",
            answers: [
                "/invoices/i1/lines?after=a1": .body(
                    #"{"data": [{"id": "a2", "text": "\#(String(repeating: "x", count: 450))"}], "has_more": false}"#)
            ], problem: "rest_failed", words: ["larger than 500 bytes", "`max_record`"]),
        Case(
            name: "fewer than the record says",
            lines: #"{"data": [{"id": "a1"}], "has_more": true, "total_count": 3}"#,
            answers: ["/invoices/i1/lines?after=a1": .body(Invoices.lines("a2"))], code: 0, problem: "rest_incomplete",
            words: ["Invoice i1", "there are 3 (`lines.total_count`), and 2 were read"]),
        Case(
            name: "fewer than a page of the rest says",
            answers: [
                "/invoices/i1/lines?after=a1": #"{"data": [{"id": "a2"}], "has_more": false, "total": 3}"#
            ], code: 0, problem: "rest_incomplete",
            words: ["Invoice i1", "says that there are 3 records (`total`), and 2 were read"]),
        Case(
            name: "fewer than a page before the last says",
            answers: [
                "/invoices/i1/lines?after=a1": #"{"data": [{"id": "a2"}], "has_more": true, "total": 4}"#,
                "/invoices/i1/lines?after=a2": .body(Invoices.lines()),
            ], code: 0, problem: "rest_incomplete", words: ["there are 4 records (`total`), and 2 were read"]),
        Case(
            name: "no list", lines: #"{"has_more": true}"#, answers: [:], problem: "rest_failed",
            words: ["Invoice i1 has no list at `lines.data[*]`"]),
        Case(
            name: "a condition that fails",
            more: Invoices.more().replacing(
                ".lines.has_more",
                with: "'.lines | if type == \"object\" and .oops then error(\"no\") else .has_more end'"),
            lines: #"{"data": [{"id": "a1"}], "oops": true}"#, answers: [:], problem: "rest_failed",
            words: ["cannot be judged by `when`"]),
        Case(
            name: "pages that are left unread",
            more: Invoices.more(
                "{type: cursor, cursor_path: id, cursor_param: after, cursor_from: last_record, has_more_path: has_more, max_pages: 1}"
            ),
            answers: [
                "/invoices/i1/lines?after=a1": .body(Invoices.lines("a2", more: true))
            ], code: 0, problem: "rest_incomplete", words: ["Invoice i1", "`max_pages`"]),
    ]

    @Test(arguments: cases)
    func nothingCountsAsGone(test: Case) throws {
        let forge = Forge([
            "/invoices": .body(
                "[" + Invoices.invoice("i1", Invoices.lines("a1", "a2", "a3")) + ","
                    + Invoices.invoice("i2", Invoices.lines("b1", "b2", "b3")) + "]")
        ])
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url, test.more, source: test.source))
        let first = try scene.forge()
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        // Both invoices change, and b3 goes.
        forge["/invoices"] = .body(
            "[" + Invoices.invoice("i1", test.lines, total: 7) + ","
                + Invoices.invoice("i2", Invoices.lines("b1", more: true), total: 8) + "]")
        forge["/invoices/i2/lines?after=b1"] = .body(Invoices.lines("b2"))
        for (target, answer) in test.answers { forge[target] = answer }
        let plan = try scene.forge("plan")
        let run = try scene.forge()
        #expect(run.code == test.code && plan.code == test.code, "\(run.output)\(run.errors)")
        #expect(run.output.contains(test.problem), "\(run.output)")
        for words in test.words { #expect(run.output.contains(words), "\(words): \(run.output)") }
        #expect(try scene.query("SELECT id, total FROM invoice ORDER BY 1") == ["i1|7", "i2|8"])
        let kept = try scene.lines().filter { $0.hasPrefix("i1") }
        #expect(kept == ["i1|a1", "i1|a2", "i1|a3"])
        if !test.answers.keys.contains("/invoices/i2/lines?offset=1") {
            #expect(try scene.lines().filter { $0.hasPrefix("i2") } == ["i2|b1", "i2|b2"])
        }
        // The next run asks again, and then the lines go.
        forge["/invoices"] = .body(
            "[" + Invoices.invoice("i1", Invoices.lines("a1"), total: 7) + ","
                + Invoices.invoice("i2", Invoices.lines("b1", "b2"), total: 8) + "]")
        let mended = try scene.forge()
        #expect(mended.code == 0, "\(mended.output)\(mended.errors)")
        #expect(try scene.lines() == ["i1|a1", "i2|b1", "i2|b2"])
    }

    @Test func aRunWhoseCredentialsAreRefusedFails() throws {
        let forge = Forge(Invoices.small)
        forge["/invoices/i1/lines?after=a2"] = .status(401)
        let server = try forge.serve()
        defer { server.stop() }
        let scene = try Scene(forge: Invoices.pipeline(server.url))
        let run = try scene.forge()
        #expect(run.code == 1, "\(run.output)")
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }
}
