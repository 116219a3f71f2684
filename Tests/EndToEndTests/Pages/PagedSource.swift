import Foundation
import Synchronization
import TestSupport

/// A source of several pages that breaks off where it is told to.
final class PagedSource: Sendable {
    /// How the pages hang together.
    enum Kind: String, CaseIterable, Sendable {
        case headerLink, jsonLink, cursor, bodyCursor, pageNumber, offset

        /// The stream's keys.
        var yaml: String {
            switch self {
            case .headerLink: "paginator: {type: header_link}"
            case .jsonLink: "{records: \"data[*]\", paginator: {type: json_link, path: next}}".inlined
            case .cursor:
                "{records: \"data[*]\", paginator: {type: cursor, cursor_path: next, cursor_param: after}}".inlined
            case .bodyCursor:
                "{records: \"data[*]\", method: POST, body: {json: {q: all}}, paginator: {type: cursor, cursor_path: next, cursor_param: vars.after, in: body}}"
                    .inlined
            case .pageNumber: "paginator: {type: page_number}"
            case .offset: "paginator: {type: offset}"
            }
        }

        /// Whether its end is certain, so that what was not seen is gone.
        var isComplete: Bool { self != .pageNumber && self != .offset }
    }

    /// What becomes of an answer.
    enum Fault: Sendable {
        /// So many bytes of the body come, then the connection is torn down.
        case cut(at: Double)
        /// So much of the body comes, then the program is killed.
        case kill(at: Double, Int32)
        case status(Int)
    }

    let kind: Kind
    private let state = Mutex(State())

    private struct State {
        var pages: [[String]] = []
        /// By the number of the page, from 1.
        var faults: [Int: Fault] = [:]
        var asked: [Int] = []
        var process: Int32 = 0
    }

    private let hasProcess = Gate()
    /// Opened when a process that was asked to stop has done so.
    let hasStopped = Gate()

    init(_ kind: Kind, pages: [[String]]) {
        self.kind = kind
        self.pages = pages
    }

    /// The records of the pages, as JSON.
    var pages: [[String]] {
        get { state.withLock { $0.pages } }
        set { state.withLock { $0.pages = newValue } }
    }

    /// What goes wrong, by the number of the page from 1.
    var faults: [Int: Fault] {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// The numbers of the pages in the order in which they were asked for.
    func takeAsked() -> [Int] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    /// Says which process is to be killed.
    func aim(at process: Int32) {
        state.withLock { $0.process = process }
        hasProcess.open()
    }

    func answer(_ request: ServerRequest) -> ServerResponse {
        let number = number(of: request)
        let (page, count, fault) = state.withLock { state in
            state.asked.append(number)
            let page = state.pages.indices.contains(number - 1) ? state.pages[number - 1] : []
            return (page, state.pages.count, state.faults[number])
        }
        let response = response(page, number: number, count: count)
        guard let fault, case .bytes(let body, _) = response.body else { return response }
        switch fault {
        case .status(let status): return .text("no", status: status)
        case .cut(let place):
            let part = Array(body.prefix(Int(place * Double(body.count))))
            return ServerResponse(
                headers: response.headers, body: .bytes(part, announcing: body.count + 1), ending: .reset)
        case .kill(let place, let signal):
            let part = Array(body.prefix(Int(place * Double(body.count))))
            return ServerResponse(
                headers: response.headers,
                body: .stream { [self] index in
                    if index == 0 && !part.isEmpty { return part }
                    hasProcess.wait()
                    kill(state.withLock { $0.process }, signal)
                    if signal != SIGKILL { hasStopped.wait() }
                    return nil
                }, ending: .close)
        }
    }

    private func response(_ page: [String], number: Int, count: Int) -> ServerResponse {
        let records = "[" + page.joined(separator: ",") + "]"
        let isLast = number >= count
        switch kind {
        case .headerLink:
            return .text(
                records, headers: isLast ? [] : [("Link", "</books?at=p\(number + 1)>; rel=\"next\"")])
        case .jsonLink:
            let next = isLast ? "null" : "\"/books?at=p\(number + 1)\""
            return .text("{\"next\": \(next), \"data\": \(records)}")
        case .cursor, .bodyCursor:
            let next = isLast ? "null" : "\"c\(number + 1)\""
            return .text("{\"next\": \(next), \"data\": \(records)}")
        case .pageNumber, .offset: return .text(records)
        }
    }

    private func number(of request: ServerRequest) -> Int {
        let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        let query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        switch kind {
        case .headerLink, .jsonLink: return query["at"].flatMap { Int($0.dropFirst()) } ?? 1
        case .pageNumber: return query["page"].flatMap { Int($0) } ?? 1
        case .cursor: return query["after"].flatMap { Int($0.dropFirst()) } ?? 1
        case .bodyCursor:
            let body = String(decoding: request.body, as: UTF8.self)
            return body.split(separator: "\"c").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 1
        case .offset:
            let offset = query["offset"].flatMap { Int($0) } ?? 0
            var (number, before) = (1, 0)
            for page in pages where before + page.count <= offset {
                before += page.count
                number += 1
            }
            return number
        }
    }

    /// Records with these numbers.
    static func records(_ numbers: some Sequence<Int>, edition: Int = 1) -> [String] {
        numbers.map { "{\"id\": \($0), \"title\": \"Book \($0), edition \(edition)\", \"price\": \"9.50\"}" }
    }

    /// Pages of records with these numbers.
    static func pages(_ numbers: [Int], size: Int, edition: Int = 1) -> [[String]] {
        stride(from: 0, to: numbers.count, by: size).map {
            records(numbers[$0..<min($0 + size, numbers.count)], edition: edition)
        }
    }
}

extension String {
    /// The members of a flow mapping as keys of the stream, one after the other.
    fileprivate var inlined: String {
        var (depth, parts, part) = (0, [String](), "")
        for character in dropFirst().dropLast() {
            if "{[".contains(character) { depth += 1 }
            if "}]".contains(character) { depth -= 1 }
            if character == "," && depth == 0 {
                parts.append(part)
                part = ""
            } else {
                part.append(character)
            }
        }
        return (parts + [part]).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n    ")
    }
}

extension Scene {
    /// A pipeline over a paged source that keeps each page.
    init(_ source: PagedSource, url: String, extra: String = "") throws {
        try self.init(url: url, extra: source.kind.yaml + (extra.isEmpty ? "" : "\n    " + extra))
        let pipeline = try String(contentsOfFile: folder.file("books.yaml"), encoding: .utf8)
        try write("books.yaml", pipeline + "\ncommit: page\n")
    }
}
