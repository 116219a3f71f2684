import Foundation
import Synchronization
import TestSupport
import Testing

/// A list that grows behind pages of which the source says that they did not change.
@Suite struct GrownListTests {
    /// What a page says of its version.
    enum Version: String, CaseIterable, Sendable {
        /// The time of its newest record, which stays where an older one comes.
        case time
        /// The same as a weak tag.
        case weakTag
        /// A tag of each byte.
        case strongTag
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let version: Version
        let paginator: String
        /// How many pages there are before the list grows.
        let pages: Int
        var testDescription: String { "\(version.rawValue), \(pages) pages, \(paginator)" }
        /// Pages that are counted are always read, since a record that goes shifts the others.
        var isAskedForChanges: Bool { !paginator.contains("page_number") && !paginator.contains("offset") }
    }

    static let cases = [
        "{type: none}", "{type: header_link}", "{type: json_link, path: next}",
        "{type: cursor, cursor_path: token, cursor_param: page}",
        "{type: cursor, cursor_from: header, cursor_path: X-Token, cursor_param: page}",
        "{type: cursor, cursor_from: last_record, cursor_path: page, cursor_param: page, has_more_path: more}",
        "{type: cursor, cursor_from: last_record, cursor_path: page, cursor_param: page}", "{type: page_number}",
        "{type: page_number, total_pages_path: pages}", "{type: offset}", "{type: offset, total_path: total}",
    ].flatMap { paginator in
        Version.allCases.flatMap { version in
            (paginator.contains("none") ? [1] : [1, 2]).map { Case(version: version, paginator: paginator, pages: $0) }
        }
    }

    /// One record a page.
    private static func answer(_ request: ServerRequest, of count: Int, _ test: Case) -> ServerResponse {
        let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        func value(_ name: String) -> Int? { items.first { $0.first == name }.flatMap { Int($0.last ?? "") } }
        let number = value("offset").map { $0 + 1 } ?? value("page") ?? 1
        let isLast = number >= count
        // The last record holds the number of the page behind it.
        let record = number > count ? "" : #"{"id":\#(number),"title":"t","page":\#(number + 1)}"#
        let next = isLast ? "null" : #""/books?page=\#(number + 1)""#
        let token = isLast ? "null" : #""\#(number + 1)""#
        let counts =
            test.paginator.contains("pages}")
            ? #","pages":\#(count)"# : test.paginator.contains("total}") ? #","total":\#(count)"# : ""
        let lead =
            test.paginator.contains("json_link")
            ? #","next":\#(next)"#
            : test.paginator.contains("token")
                ? #","token":\#(token)"# : test.paginator.contains("more}") ? #","more":\#(!isLast)"# : ""
        let body = #"{"data":[\#(record)]\#(lead)\#(counts)}"#
        var headers: [(name: String, value: String)] = []
        switch test.version {
        case .time: headers.append(("Last-Modified", "Sat, 01 Nov 2025 00:00:00 GMT"))
        case .weakTag: headers.append(("ETag", #"W/"v1""#))
        case .strongTag: headers.append(("ETag", "\"\(body.filter { $0 != "\"" })\""))
        }
        if test.paginator.contains("header_link") {
            headers.append(("Link", isLast ? "</books>; rel=first" : "</books?page=\(number + 1)>; rel=next"))
        }
        if test.paginator.contains("X-Token"), !isLast { headers.append(("X-Token", "\(number + 1)")) }
        let isKnown =
            test.version == .time
            ? request.header("If-Modified-Since") == headers[0].value
            : request.header("If-None-Match") == headers[0].value
        return .text(isKnown ? "" : body, status: isKnown ? 304 : 200, headers: headers)
    }

    @Test(arguments: cases)
    func isReadAsAWholeOneWouldBe(test: Case) throws {
        let count = Atomic(test.pages)
        let server = try LoopbackServer { request in
            Self.answer(request, of: count.load(ordering: .sequentiallyConsistent), test)
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url, extra: "records: $.data[*]\n    paginator: \(test.paginator)")
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.errors)")
        let quiet = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(quiet.output.contains(#""read":0"#) == test.isAskedForChanges, "\(quiet.output)")
        #expect(!quiet.output.contains(#""not_modified":0"#) == test.isAskedForChanges, "\(quiet.output)")
        if test.paginator.contains("none") { return }
        count.store(test.pages + 1, ordering: .sequentiallyConsistent)
        let plan = try Program.run("plan", "books.yaml", "--detailed-exitcode", in: scene.path)
        #expect(plan.code == 2, "\(plan.output)\(plan.errors)")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == (1...(test.pages + 1)).map(String.init))
        let full = try Program.run("plan", "books.yaml", "--full", "--detailed-exitcode", in: scene.path)
        #expect(full.code == 0, "\(full.output)")
    }
}
