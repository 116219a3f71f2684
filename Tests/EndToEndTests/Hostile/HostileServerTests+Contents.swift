import TestSupport

/// Answers that ask for too long a wait, that are framed wrongly, or whose contents are not what JSON may be.
extension HostileServerTests {
    static let waits: [Fault] = [
        Fault(
            name: "no requests left until the next century",
            source: "rate_limit: {remaining_header: X-Left, reset_header: X-Reset, reset_unit: epoch}",
            words: ["`retry.max_wait`"]
        ) { _ in
            .text(good, headers: link("/books?page=2") + [("X-Left", "0"), ("X-Reset", "4102444800")])
        },
        Fault(name: "an error that repeats what was sent", words: ["403 (Forbidden)", "***"]) { request in
            .text("you sent \(request.header("X-Key") ?? "nothing")", status: 403)
        },
    ]

    static let framing: [Fault] = [
        Fault(name: "half a body, then a reset", words: ["127.0.0.1", "Run again", "tried 2 times"]) { _ in
            ServerResponse(body: .bytes(Array(good.utf8.prefix(20)), announcing: good.utf8.count), ending: .reset)
        },
        Fault(name: "a packed body that is cut off", words: ["/books", "cut off"]) { _ in
            ServerResponse(headers: gzip, body: .bytes(Gzip.stored(Array(good.utf8)).dropLast(20)))
        },
        Fault(name: "a chunk beyond all bounds", words: ["broke off", "chunked"]) { _ in
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n[]\r\n0\r\n\r\n")
        },
        Fault(name: "a chunk below zero", words: ["broke off", "chunked"]) { _ in
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n[]\r\n0\r\n\r\n")
        },
        Fault(name: "a chunk longer than it says", words: ["broke off", "chunked"]) { _ in
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1,2,3]\r\n0\r\n\r\n")
        },
        Fault(name: "a length below zero", words: ["Content-Length", "`base_url`"]) { _ in
            raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n[]")
        },
        Fault(name: "a status line of garbage", words: ["127.0.0.1", "`base_url`"]) { _ in
            raw("HTTP/9.9 fine \u{7} thanks\r\n\r\n")
        },
        Fault(name: "a flood of headers", words: ["headers are", "large", "`base_url`"]) { _ in
            ServerResponse(headers: (1...20_000).map { ("X-\($0)", "some words") }, body: .bytes(Array(good.utf8)))
        },
    ]

    static let contents: [Fault] = [
        Fault(name: "text that is no UTF-8", words: ["/books", "UTF-8"]) { _ in
            ServerResponse(body: .bytes(Array(#"[{"id": 1, "title": ""#.utf8) + [0xFF, 0xFE] + Array("\"}]".utf8)))
        },
        Fault(name: "a zero byte in a text", words: ["/books", "line 1"]) { _ in
            .text("[{\"id\": 1, \"title\": \"a\0b\"}]")
        },
        Fault(name: "zero bytes behind the end", words: ["/books"]) { _ in .text(good + "\0\0") },
        Fault(name: "a record without end", source: "max_record: 1KiB", words: ["/books", "`max_record`"]) { _ in
            .text(#"[{"id": 1, "title": ""# + String(repeating: "x", count: 5000) + "\"}]")
        },
        Fault(name: "two documents", words: ["/books", "line 1"]) { _ in .text(good + good) },
    ]
}
