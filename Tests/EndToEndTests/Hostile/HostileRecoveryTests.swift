import Foundation
import TestSupport
import Testing

/// Servers that are hard to read from and yet say something: what they say is taken, and nothing else is lost.
@Suite struct HostileRecoveryTests {
    struct Trick: Sendable, CustomTestStringConvertible {
        let name: String
        /// Further keys of the source.
        var source = ""
        /// Further keys of the stream.
        var stream = "paginator: {type: header_link}"
        var code: Int32 = 0
        /// What the store holds afterwards; it held 1 to 3 before.
        let ids: [Int]
        /// What the run says.
        var words: [String] = []
        let respond: @Sendable (ServerRequest) -> ServerResponse
        var testDescription: String { name }
    }

    private static func records(_ ids: Int...) -> String {
        "[" + ids.map { #"{"id": \#($0), "title": "new"}"# }.joined(separator: ",") + "]"
    }

    /// The number in a request's parameter, 0 where it has none.
    private static func number(_ name: String, _ request: ServerRequest) -> Int {
        let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        return items.first { $0.count == 2 && $0[0] == name }.flatMap { Int($0[1]) } ?? 0
    }

    private static let next = [(name: "Link", value: "</books?page=2>; rel=\"next\"")]
    private static let rate = "rate_limit: {remaining_header: X-Left, reset_header: X-Reset, reset_unit: epoch}"

    static let failures: [Trick] = [
        Trick(name: "busy, then fine", ids: [1, 2, 3, 4]) { request in
            request.number == 0 ? .text("", status: 503) : .text(records(1, 2, 3, 4))
        },
        Trick(name: "too many requests, then fine", ids: [1, 2, 3, 4]) { request in
            request.number == 0
                ? ServerResponse(status: 429, headers: [("Retry-After", "0")]) : .text(records(1, 2, 3, 4))
        },
        Trick(name: "too many requests, come back in the past", ids: [1, 2, 3, 4]) { request in
            request.number == 0
                ? ServerResponse(status: 429, headers: [("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")])
                : .text(records(1, 2, 3, 4))
        },
        Trick(name: "half a body and a reset, then all of it", ids: [1, 2, 3, 4]) { request in
            let body = Array(records(1, 2, 3, 4).utf8)
            if request.number > 0 { return ServerResponse(body: .bytes(body)) }
            return ServerResponse(body: .bytes(Array(body.prefix(60)), announcing: body.count), ending: .reset)
        },
        Trick(name: "chunks that are cut off, then all of them", ids: [1, 2, 3, 4]) { request in
            let body = Array(records(1, 2, 3, 4).utf8)
            return ServerResponse(
                body: .chunks([Array(body.prefix(50)), Array(body.dropFirst(50))], isCutOff: request.number == 0),
                ending: request.number == 0 ? .close : .keepAlive)
        },
        Trick(name: "a kept connection that dies under the second request", ids: [1, 2, 3, 4]) { request in
            if request.query == nil { return .text(records(1, 2), headers: next) }
            return request.number == 1 ? .reset : .text(records(3, 4))
        },
        Trick(name: "a kept connection that is closed under the second request", ids: [1, 2, 3, 4]) { request in
            if request.query == nil { return .text(records(1, 2), headers: next) }
            return request.number == 1 ? .hangUp : .text(records(3, 4))
        },
    ]

    static let clocks: [Trick] = [
        Trick(name: "a clock of another age", source: rate, ids: [1, 2, 3, 4]) { request in
            let date = [(name: "Date", value: "Thu, 01 Jan 1970 00:00:01 GMT")]
            if request.query != nil { return .text(records(3, 4), headers: date) }
            return .text(records(1, 2), headers: next + date + [("X-Left", "0"), ("X-Reset", "1000000001")])
        },
        Trick(name: "a reset that is no number", source: rate, ids: [1, 2, 3, 4]) { request in
            if request.query != nil { return .text(records(3, 4)) }
            return .text(records(1, 2), headers: next + [("X-Left", "-7"), ("X-Reset", "soon")])
        },
    ]

    static let lies: [Trick] = [
        Trick(
            name: "a total that is too large",
            stream: "paginator: {type: offset, page_size: 1, total_path: n}\n    records: \"d[*]\"",
            ids: [1, 2, 3], words: ["a page was empty before the total was reached"]
        ) { request in
            let offset = number("offset", request)
            return .text(#"{"n": 10, "d": \#(offset < 2 ? records(offset + 1) : "[]")}"#)
        },
        Trick(
            name: "a total that is too small",
            stream: "paginator: {type: offset, page_size: 1, total_path: n}\n    records: \"d[*]\"",
            code: 4, ids: [1, 2, 3], words: ["2 deletes refused"]
        ) { _ in .text(#"{"n": 1, "d": \#(records(1))}"#) },
        Trick(
            name: "too few pages", stream: "paginator: {type: page_number, total_pages_path: n}\n    records: \"d[*]\"",
            ids: [1, 2, 3], words: ["1 missing"]
        ) { request in .text(#"{"n": 2, "d": \#(records(number("page", request)))}"#) },
        Trick(
            name: "a total below zero",
            stream: "paginator: {type: offset, page_size: 1, total_path: n}\n    records: \"d[*]\"",
            code: 4, ids: [1, 2, 3], words: ["2 deletes refused"]
        ) { _ in .text(#"{"n": -5, "d": \#(records(1))}"#) },
        Trick(
            name: "pages without end", stream: "paginator: {type: page_number, max_pages: 5}", ids: [1, 2, 3, 4, 5],
            words: ["`max_pages`", "counts as gone"]
        ) { request in .text(records(number("page", request))) },
        Trick(name: "an empty list", code: 4, ids: [1, 2, 3], words: ["3 deletes refused"]) { _ in .text("[]") },
        Trick(name: "a mark of the byte order", ids: [1, 2, 3, 4]) { _ in .text("\u{FEFF}" + records(1, 2, 3, 4)) },
        Trick(name: "one record over and over", ids: [1, 2, 3]) { _ in
            .text(records(1, 2, 3, 1, 1))
        },
        Trick(name: "a record that is none among others", ids: [1, 2, 3], words: ["not written"]) { _ in
            .text(#"[{"id": 1, "title": "new"}, 7, {"id": 2, "title": {"not": "text"}}, null]"#)
        },
    ]

    @Test(arguments: failures + clocks + lies)
    func whatIsSaidIsTakenAndNothingIsLost(trick: Trick) throws {
        let server = try LoopbackServer(handler: trick.respond)
        defer { server.stop() }
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write(
            "books.yaml",
            HostileSource.pipeline(server.url, source: trick.source, stream: trick.stream, deletes: "10%"))
        let result = try Program.run("run", "books.yaml", in: scene.path, environment: ["KEY": "x"])
        let told = Comment(rawValue: "\(result.output)\(result.errors)")
        #expect(result.code == trick.code, told)
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == trick.ids.map { "\($0)" }, told)
        for word in trick.words { #expect((result.output + result.errors).contains(word), "`\(word)` in \(told)") }
        // What was read was taken.
        if trick.code == 0 { #expect(try scene.query("SELECT title FROM books WHERE id = 1") == ["new"], told) }
    }
}
