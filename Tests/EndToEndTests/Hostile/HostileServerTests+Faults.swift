import TestSupport

/// What servers do wrong.
extension HostileServerTests {
    static let good = #"[{"id": 1, "title": "changed", "price": 1}]"#
    static let gzip = [(name: "Content-Encoding", value: "gzip")]

    static func link(_ target: String) -> [(name: String, value: String)] {
        [("Link", "<\(target)>; rel=\"next\"")]
    }

    static func page(_ request: ServerRequest) -> Int {
        Int(request.target.split(separator: "=").last ?? "") ?? 1
    }

    private static func redirect(_ target: String) -> ServerResponse {
        ServerResponse(status: 302, headers: [("Location", target)])
    }

    static func raw(_ text: String) -> ServerResponse {
        ServerResponse(body: .raw(Array(text.utf8)), ending: .close)
    }

    private static func status(_ status: Int, _ words: [String], says text: String = "", after: String? = nil) -> Fault
    {
        Fault(name: after.map { "\(status), come back \($0)" } ?? "\(status)", words: words) { _ in
            .text(text, status: status, headers: after.map { [("Retry-After", $0)] } ?? [])
        }
    }

    static let statuses: [Fault] = [
        status(404, ["GET http://127.0.0.1", "/books", "404 (Not Found)", "`path`"], says: "{}"),
        status(401, ["401 (Unauthorized)", "It said: \"who?\".", "Check `auth`"], says: "who?"),
        status(403, ["403 (Forbidden)", "Check `auth`"]),
        status(410, ["410 (Gone)", "check the stream's `path`"]),
        status(400, ["400 (Bad Request)", "`params`"]),
        status(500, ["500 (Internal Server Error)", "run again later", "It was tried 2 times."], says: "oops"),
        status(503, ["503 (Service Unavailable)", "run again later", "tried 2 times"], after: "0"),
        status(429, ["429 (Too Many Requests)", "/books", "tried 2 times"], says: "slow down"),
        status(
            429, ["429 (Too Many Requests)", "`retry.max_wait`", "wait 3600 s", "leaves 900 s"], after: "3600"),
        status(429, ["429", "`retry.max_wait`"], after: "Fri, 31 Dec 2100 23:59:59 GMT"),
        status(429, ["429", "tried 2 times"], after: "Sun, 06 Nov 1994 08:49:37 GMT"),
        status(999, ["999", "/books"]),
        status(304, ["/books answered 304 without a body"]),
    ]

    static let bodies: [Fault] = [
        Fault(name: "an empty body", words: ["answered 200 without a body", "`[]`"]) { _ in .text("") },
        Fault(name: "HTML in place of JSON", words: ["line 1, column 1", "HTML", "a login page or an error page"]) {
            _ in
            .text("<!doctype html><p>Log in</p>")
        },
        Fault(name: "half a document", words: ["line 1, column 24", "/books", "cut off: fetch it again"]) { _ in
            .text(#"[{"id": 1, "title": "a""#)
        },
        Fault(
            name: "an object where a list should be", stream: "records: data",
            words: ["/books", "`data`", "Its `error` says \"no such list\".", "Check `records`"]
        ) {
            _ in .text(#"{"error": "no such list"}"#)
        },
        Fault(
            name: "errors as GraphQL answers them", stream: "records: data.books.nodes[*]",
            words: ["/books", "Its `errors` says \"too many  points (and 1 more)\".", "Check `records`"]
        ) {
            _ in .text(#"{"data": null, "errors": [{"message": "too many\n points"}, {"message": "and late"}]}"#)
        },
        Fault(name: "a body that is cut off", words: ["/books", "ended before its announced length", "Run again"]) {
            _ in
            ServerResponse(body: .bytes(Array(good.utf8), announcing: 5000), ending: .close)
        },
        Fault(name: "chunks that are cut off", words: ["ended before its announced length", "Run again"]) { _ in
            ServerResponse(body: .chunks([Array(good.utf8)], isCutOff: true), ending: .close)
        },
        Fault(name: "chunks that are none", words: ["broke off", "chunked", "Run again"]) { _ in
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n")
        },
        Fault(name: "a length that is too small", words: ["line 1, column 11", "cut off: fetch it again"]) { _ in
            ServerResponse(body: .bytes(Array(good.utf8), announcing: 10), ending: .close)
        },
        Fault(name: "a length that is none", words: ["Content-Length", "`base_url`"]) { _ in
            raw("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n[]")
        },
        Fault(name: "gzip that is none", words: ["cannot be unpacked", "`Content-Encoding`", "run again later"]) { _ in
            ServerResponse(headers: gzip, body: .bytes(Array(good.utf8)))
        },
        Fault(name: "gzip with a broken check sum", words: ["cannot be unpacked", "run again later"]) { _ in
            var body = Gzip.stored(Array(good.utf8))
            for index in body.indices.suffix(8) { body[index] = 0 }
            return ServerResponse(headers: gzip, body: .bytes(body))
        },
        Fault(name: "a coding that nobody knows", words: ["cannot be unpacked", "`Content-Encoding`"]) { _ in
            ServerResponse(headers: [("Content-Encoding", "lzma")], body: .bytes(Array(good.utf8)))
        },
        Fault(
            name: "a bomb of gzip", source: "max_response: 1MiB", words: ["larger than 1MiB", "raise `max_response`"]
        ) { _ in ServerResponse(headers: gzip, body: .bytes(Gzip.run(of: UInt8(ascii: " "), pieces: 10_000))) },
        Fault(
            name: "a bomb of gzip that says nothing of it", source: "max_response: 1MiB",
            words: ["larger than 1MiB once it is unpacked", "raise `max_response`"]
        ) { _ in ServerResponse(body: .bytes(Gzip.run(of: UInt8(ascii: " "), pieces: 10_000))) },
        Fault(
            name: "a body over the limit", source: "max_response: 1000",
            words: ["larger than 1000 bytes", "raise `max_response`"]
        ) { _ in ServerResponse(body: .chunks([[UInt8]](repeating: [UInt8](repeating: 0x20, count: 600), count: 3))) },
        Fault(
            name: "a length over the limit", source: "max_response: 1000",
            words: ["larger than 1000 bytes", "raise `max_response`"]
        ) { _ in ServerResponse(body: .bytes([UInt8](repeating: 0x20, count: 2000))) },
        Fault(name: "a header without end", words: ["headers are", "large", "`base_url`"]) { _ in
            ServerResponse(
                headers: [("X-Long", String(repeating: "x", count: 400_000))], body: .bytes(Array(good.utf8)))
        },
        Fault(name: "no HTTP at all", words: ["does not begin as HTTP does", "`base_url`", "`https`"]) { _ in
            raw("SSH-2.0-OpenSSH_9.2p1\r\n")
        },
        Fault(name: "no answer", words: ["closed the connection without an answer", "Run again", "tried 2 times"]) {
            _ in
            .hangUp
        },
        Fault(name: "a torn connection", words: ["127.0.0.1", "Run again", "tried 2 times"]) { _ in .reset },
    ]

    static let ways: [Fault] = [
        Fault(
            name: "a redirect to another host",
            words: ["/books", "other.example", "add other.example to `allow_hosts`"]
        ) {
            _ in redirect("https://other.example/books")
        },
        Fault(name: "a redirect that never ends", words: ["redirected more than 10 times", "Check `base_url`"]) {
            request in
            redirect(request.target + "x")
        },
        Fault(name: "a redirect to a file", words: ["cannot be followed", "file:///etc/passwd", "http or https URL"]) {
            _ in
            redirect("file:///etc/passwd")
        },
        Fault(name: "a redirect to nowhere", words: ["answered 302", "names no address", "`path`"]) { _ in
            ServerResponse(status: 302)
        },
        Fault(name: "a redirect that is no URL", words: ["cannot be followed", "http or https URL"]) { _ in
            redirect("http://[")
        },
        Fault(name: "a page links to itself", words: ["circle", "`paginator`"]) { _ in
            .text(good, headers: link("/books"))
        },
        Fault(name: "pages repeat under new addresses", words: ["repeat", "`paginator`"]) { request in
            page(request) > 3 ? .text(good) : .text(good, headers: link("/books?page=\(page(request) + 1)"))
        },
        Fault(name: "every page is the same and leads on", words: ["the same as a page before it", "`paginator`"]) {
            request in .text(good, headers: link("/books?page=\(page(request) + 1)"))
        },
        Fault(name: "every page is empty and leads on", words: ["the same as a page before it", "`paginator`"]) {
            request in
            .text("[]", headers: link("/books?page=\(page(request) + 1)"))
        },
        Fault(name: "a page links to another host", words: ["other.example", "allow_hosts"]) { _ in
            .text(good, headers: link("https://other.example/books"))
        },
        Fault(name: "a page links to a file", words: ["file:///etc/passwd", "http or https URL"]) { _ in
            .text(good, headers: link("file:///etc/passwd"))
        },
    ]

    static let times: [Fault] = [
        Fault(
            name: "a server that never answers", source: "timeout: {idle: 200ms}",
            words: ["no byte was received for 200 ms", "raise `timeout.idle`", "tried 2 times"]
        ) { _ in .hangUp },
        Fault(
            name: "a server that never agrees on TLS", source: "timeout: {connect: 200ms}",
            words: ["no connection to 127.0.0.1", "within 200 ms", "raise `timeout.connect`", "tried 2 times"]
        ) { _ in .hangUp },
    ]
}
