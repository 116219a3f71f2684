import Foundation
import Synchronization
import TestSupport
import Testing

/// Streams that ask for each of some texts.
@Suite struct ForEachTests {
    private static func pipeline(_ url: String, _ stream: String, fields: String, source: String = "") -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "\(url)", retry: {max_attempts: 1}\(source)}
        entities:
          Item: {table: items, primary_key: [id], fields: {id: string, \(fields)}}
        streams:
          - {name: items, entity: Item, delete_missing: {mode: hard, max_delete: 100%}, \(stream)}
        """
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let stream: String
        let fields: String
        let targets: [String]
        /// What the rows say of their partition.
        let rows: [String]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "a list", stream: "path: \"/{{ item }}\", for_each: [b, \"a/c\"]",
            fields: "at: {value: \"{{ item }}\"}",
            targets: ["/a%2Fc", "/b"], rows: ["a/c", "b"]),
        Case(
            name: "a product",
            stream: "path: \"/{{ item.x }}\", params: {y: \"{{ item.y }}\"}, for_each: {x: [a, b], y: [1, 2]}",
            fields: "at: {value: \"{{ item.x }}-{{ item.y }}\"}",
            targets: ["/a?y=1", "/a?y=2", "/b?y=1", "/b?y=2"], rows: ["a-1", "a-2", "b-1", "b-2"]),
        Case(
            name: "in a body",
            stream: "path: /all, body: {json: {kind: \"{{ item }}\"}}, for_each: [a, b]",
            fields: "at: {value: \"{{ item }}\"}", targets: ["/all", "/all"], rows: ["a", "b"]),
    ]

    /// A record whose key is what was asked for.
    private static func record(_ request: ServerRequest) -> ServerResponse {
        let body = String(decoding: request.body, as: UTF8.self).replacing("\"", with: "'")
        return .text(#"[{"id":"\#(request.target)\#(body)"}]"#)
    }

    @Test(arguments: cases)
    func partitions(test: Case) throws {
        let server = try LoopbackServer { Self.record($0) }
        defer { server.stop() }
        let scene = try Scene(forge: Self.pipeline(server.url, test.stream, fields: test.fields))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.map(\.target).sorted() == test.targets)
        #expect(try scene.query("SELECT at FROM items ORDER BY at") == test.rows)
        #expect(try scene.forge("plan", "--detailed-exitcode").code == 0)
    }

    @Test func asManyAsArePermittedAreUnderWayAndTheirOrderIsKept() throws {
        let meeting = Mutex(0)
        let gate = Gate()
        let haveMet = Mutex(true)
        let server = try LoopbackServer { request in
            // The first request of all goes alone; two others answer only once both are here.
            if request.number > 0, ["/d", "/c", "/a"].contains(request.target) {
                let isLast = meeting.withLock { count in
                    count += 1
                    return count == 2
                }
                if isLast { gate.open() }
                if !gate.wait() { haveMet.withLock { $0 = false } }
            }
            return Self.record(request)
        }
        defer { server.stop() }
        let scene = try Scene(
            forge: Self.pipeline(
                server.url, "path: \"/{{ item }}\", for_each: [d, c, a, e, b]", fields: "at: {value: \"{{ item }}\"}",
                source: ", rate_limit: {concurrency: 3}"))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(haveMet.withLock { $0 } && meeting.withLock { $0 } == 2)
        #expect(try scene.query("SELECT id FROM items ORDER BY rowid") == ["/d", "/c", "/a", "/e", "/b"])
    }

    @Test func pagesOfPartitionsAreTheirOwn() throws {
        let server = try LoopbackServer { request in
            let isFirst = request.query == nil
            let link = isFirst ? [("Link", "<\(request.path)?page=2>; rel=\"next\"")] : []
            // The second pages are alike, and lead nowhere.
            let id = isFirst ? request.path : "shared"
            return .text(#"[{"id":"\#(id)"}]"#, headers: link)
        }
        defer { server.stop() }
        let scene = try Scene(
            forge: Self.pipeline(
                server.url, "path: \"/{{ item }}\", for_each: [a, b], paginator: {type: header_link}",
                fields: "at: {value: \"{{ item }}\"}"))
        let run = try scene.forge()
        #expect(run.code == 0 && run.output.contains(#""duplicates":1"#), "\(run.output)\(run.errors)")
        #expect(server.requests.map(\.target).sorted() == ["/a", "/a?page=2", "/b", "/b?page=2"])
        #expect(try scene.query("SELECT id, at FROM items ORDER BY id") == ["/a|a", "/b|b", "shared|b"])
    }

    /// A record that another list may have by now is not gone, unless it would have another key there.
    @Test(arguments: [(key: "id, at", left: ["/a/c", "/a/d"]), (key: "id", left: ["/a/c", "/a/d", "/b/c", "/b/d"])])
    func onlyWhatWasReadIsGone(key: String, left: [String]) throws {
        let failing = Mutex(Set<String>())
        let server = try LoopbackServer { request in
            failing.withLock { $0.contains(request.target) } ? .text("", status: 500) : .text("[]")
        }
        defer { server.stop() }
        let full = try LoopbackServer { Self.record($0) }
        defer { full.stop() }
        let scene = try Scene(forge: "")
        let stream = "path: \"/{{ item.x }}/{{ item.y }}\", for_each: {x: [a, b], y: [c, d]}"
        // Of the two lists only one can be told from a row.
        let fields = "at: {value: \"{{ item.x }}\"}"
        func pipeline(_ url: String) -> String {
            Self.pipeline(url, stream, fields: fields).replacing("primary_key: [id]", with: "primary_key: [\(key)]")
        }
        try scene.write("forge.yaml", pipeline(full.url))
        #expect(try scene.forge().code == 0)
        failing.withLock { $0 = ["/a/c"] }
        try scene.write(
            "forge.yaml", pipeline(server.url).replacing("max_delete", with: "min_records: 0, max_delete"))
        let run = try scene.forge()
        #expect(run.code == 5 && run.output.contains("x=a, y=c"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == left)
        let words = "a record may have moved into it, since `at` is not in the primary key of `Item`"
        #expect(run.output.contains(words) == (key == "id"), "\(run.output)")
    }

    @Test func aSourceThatIsDownIsNotAskedForAllTheRest() throws {
        let server = try LoopbackServer { _ in .text("", status: 503) }
        defer { server.stop() }
        let list = (1...20).map(String.init).joined(separator: ", ")
        let scene = try Scene(
            forge: Self.pipeline(
                server.url, "path: \"/{{ item }}\", for_each: [\(list)]", fields: "at: {value: \"{{ item }}\"}"))
        let run = try scene.forge()
        #expect(run.code == 1 && run.output.contains("20 of 20 partitions"), "\(run.output)\(run.errors)")
        #expect(server.requests.count < 10)
    }
}
