import Foundation
import TestSupport
import Testing

/// Records with something that RFC 8259 allows and that cannot be stored: only they are left out, wherever they stand.
@Suite struct BadRecordTests {
    /// A title that cannot be taken.
    struct Title: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
    }

    static let titles = [
        Title(testDescription: "half a surrogate", json: #""a\ud83d""#),
        Title(
            testDescription: "nested too deeply",
            json: String(repeating: #"{"a":["#, count: 2000) + String(repeating: "]}", count: 2000)),
    ]

    static func record(_ id: Int, _ title: String) -> String { #"{"id": \#(id), "title": \#(title)}"# }

    private func run(_ scene: Scene, _ more: String...) throws -> String {
        let run = try Program.start(["run", "books.yaml"] + more, in: scene.path).wait()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        return run.output
    }

    /// Its key says that it is not gone; what is gone is deleted all the same.
    @Test(arguments: titles, ["", "records: \"$.books[*]\"", "records: \"$..books[?@.id > 0]\"", "format: jsonl"])
    func onlyTheRecordIsLeftOut(title: Title, stream: String) throws {
        func document(_ records: [String]) -> String {
            if stream.hasPrefix("format") { return records.joined(separator: "\n") }
            let list = "[" + records.joined(separator: ",\n") + "]"
            return stream.isEmpty ? list : "{\"books\": \(list)}"
        }
        let scene = try Scene(document: document((1...4).map { Self.record($0, "\"old\"") }), stream: stream)
        _ = try run(scene)
        try scene.write(
            "books.json",
            document([Self.record(1, "\"new\""), Self.record(2, title.json), Self.record(4, "\"new\"")]))
        _ = try run(scene)
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|new", "2|old", "4|new"])
        #expect(try scene.query("SELECT reason, key FROM _sluice_quarantine") == [#"invalid_json|{"id":2}"#])
        let before = try StoreDump(scene.store)
        #expect(try run(scene).contains("nothing changed"))
        #expect(try StoreDump(scene.store).differences(from: before) == [])
        try scene.write("books.json", document((1...2).map { Self.record($0, "\"newer\"") }))
        _ = try run(scene)
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|newer", "2|newer"])
    }

    /// What a program yields is refused where it has the half still, and taken where it has not.
    @Test(arguments: titles, ["records: {jq: '.books[]'}", "records: {jq: '.books[] | {id, title}'}"])
    func aProgramLeavesOutOnlyTheRecord(title: Title, stream: String) throws {
        try onlyTheRecordIsLeftOut(title: title, stream: stream)
    }

    @Test(
        "What a program makes of a value that is nested too deeply costs one record",
        arguments: [
            "{id, title: (.title | tojson)}", "{id, title, (.title | tostring): 1}", "{id, title: \"\\(.title)\"}",
        ])
    func ofTheValue(output: String) throws {
        let scene = try Scene(
            document:
                "{\"books\": [\(Self.record(1, "\"a\"")),\(Self.record(2, Self.titles[1].json)),\(Self.record(3, "\"c\""))]}",
            stream: "records: {jq: '.books[] | \(output)'}")
        _ = try run(scene)
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "3"])
        #expect(try scene.query("SELECT reason FROM _sluice_quarantine") == ["invalid_json"])
    }

    /// Between what programs read as it is and what is too deep, and where the program leaves it out.
    @Test(arguments: [800, 950, 1000, 1015])
    func aProgramPassesDeepValuesOn(levels: Int) throws {
        let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let scene = try Scene(
            document: "{\"books\": [{\"id\": 1, \"title\": \"a\", \"other\": \(deep)}]}",
            stream: "records: {jq: '.books[]'}")
        #expect(!(try run(scene).contains("quarantine")))
        #expect(try scene.query("SELECT id, title FROM books") == ["1|a"])
    }

    @Test func aProgramYieldsHalvesAsTheyWere() throws {
        // U+FDD0, which no literal may hold.
        let mark = String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)
        let scene = try Scene(
            document: #"{"books": [{"id": 1, "title": "a\ud83d"}, {"id": 2, "title": "b\ufdd0"}]}"#,
            stream: "records: {jq: '.books[] | select(.id == 2)'}")
        #expect(!(try run(scene).contains("quarantine")))
        #expect(try scene.query("SELECT id, title FROM books") == ["2|b" + mark])
        try scene.write(
            "books.json", #"{"books": [{"id": 1, "title": "a\ud83d"}, {"id": 2, "title": "\udc00\ufdd0"}]}"#)
        _ = try run(scene)
        #expect(
            try scene.query("SELECT CAST(record AS TEXT) FROM _sluice_quarantine")
                == [#"{"id":2,"title":"\udc00"# + mark + "\"}"])
    }

    /// Pages whose end is told in their bodies are followed past it.
    @Test(
        arguments: titles,
        [
            "paginator: {type: cursor, cursor_path: next, cursor_param: after}",
            "paginator: {type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: after}",
            "paginator: {type: offset, offset_param: after, total_path: total}",
            "paginator: {type: offset, offset_param: after, stop_when: '.records | length < 2'}",
        ])
    func pagesAreFollowed(title: Title, paginator: String) throws {
        let server = try LoopbackServer { request in
            let after = (request.query ?? "").split(separator: "=").last.flatMap { Int($0) } ?? 0
            let records = (after + 1..<min(after + 3, 6)).map { Self.record($0, $0 == 2 ? title.json : "\"a\"") }
            let next = after < 4 ? #""next": \#(after + 2), "# : ""
            return .text(#"{\#(next)"total": 5, "books": [\#(records.joined(separator: ","))]}"#)
        }
        defer { server.stop() }
        for records in [#""books[*]""#, "{jq: '.books[]'}"] {
            let scene = try Scene(url: server.url, extra: "records: \(records)\n    \(paginator)")
            _ = try run(scene)
            #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "3", "4", "5"], "\(records)")
            #expect(try scene.query("SELECT count(*) FROM _sluice_quarantine") == ["1"], "\(records)")
        }
    }
}
