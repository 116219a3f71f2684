import Foundation
import Synchronization
import TestSupport
import Testing

/// Lists of Stripe's published examples, served as Stripe serves long ones: the first record within its owner, the others
/// behind `starting_after`.
@Suite struct RealRestTests {
    private static let file = Program.project.deletingLastPathComponent()
        .appending(path: "shared/data/stripe-fixtures/2026-07-29/fixtures3.json")
    private static let isThere = FileManager.default.fileExists(atPath: file.path)

    struct Case: Sendable, CustomTestStringConvertible {
        /// The name of the example, and of its list.
        let resource: String
        let list: String
        let count: Int
        var testDescription: String { "\(resource).\(list)" }
    }

    @Test(
        .enabled(if: isThere, "the folder shared/data is not beside the project"),
        arguments: [
            Case(resource: "file", list: "links", count: 6), Case(resource: "credit_note", list: "lines", count: 2),
            Case(resource: "invoice", list: "lines", count: 1),
        ])
    func piecesGiveWhatTheWholeGives(test: Case) throws {
        let all = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file)) as? [String: Any])
        var owner = try #require((all["resources"] as? [String: Any])?[test.resource] as? [String: Any])
        var list = try #require(owner[test.list] as? [String: Any])
        let records = try #require(list["data"] as? [[String: Any]])
        #expect(records.count == test.count)
        let whole = try Self.text(["data": [owner], "has_more": false])
        list["data"] = Array(records.prefix(1))
        list["has_more"] = records.count > 1
        owner[test.list] = list
        let short = try Self.text(["data": [owner], "has_more": false])
        let pages = try records.enumerated().dropFirst().map { index, record in
            try Self.text(["data": [record], "has_more": index < records.count - 1])
        }
        let ids = records.compactMap { $0["id"] as? String }
        let isWhole = Mutex(false)
        let server = try LoopbackServer { request in
            guard request.path == "/owners" else {
                let after = request.query?.split(separator: "&").last { $0.hasPrefix("starting_after=") }?.dropFirst(15)
                guard let index = ids.firstIndex(where: { $0 == after.map(String.init) }), index < pages.count else {
                    return .text("", status: 404)
                }
                return .text(pages[index])
            }
            return .text(isWhole.withLock { $0 } ? whole : short)
        }
        defer { server.stop() }
        let scene = try Scene(forge: Self.pipeline(server.url, test.list))
        let run = try scene.forge()
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.count == test.count)
        #expect(try scene.query("SELECT id FROM part ORDER BY id") == ids.sorted())
        let contents = try scene.contents()
        isWhole.withLock { $0 = true }
        let plan = try scene.forge("plan", "--detailed-exitcode")
        #expect(plan.code == 0, "\(plan.output)")
        #expect(try scene.forge().code == 0)
        #expect(try scene.contents() == contents)
        #expect(server.requests.count == test.count + 2)
    }

    private static func text(_ value: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }

    private static func pipeline(_ base: String, _ list: String) -> String {
        """
        version: 1
        name: stripe
        store: sqlite:shop.db
        source: {base_url: "\(base)", retry: {max_attempts: 1}}
        entities:
          Owner: {primary_key: id, fields: {id: string, kind: {from: object}}}
          Part: {primary_key: id, fields: {id: string, kind: {from: object}, created: {type: datetime, format: unix}, whole: {from: $, type: json}}}
        streams:
          - name: owners
            entity: Owner
            path: /owners
            records: data[*]
            delete_missing: {mode: hard, max_delete: 100%}
            paginator: &pages {type: cursor, cursor_path: id, cursor_param: starting_after, cursor_from: last_record, has_more_path: has_more}
            nested:
              - path: \(list)
                records: data[*]
                entity: Part
                more: {when: .\(list).has_more, path: "/owners/{{ parent.id }}/parts", params: {limit: 1}, paginator: *pages}
        """
    }
}
