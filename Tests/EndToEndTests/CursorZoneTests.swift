import Foundation
import Synchronization
import TestSupport
import Testing

/// What a run asks for with a cursor: by the clocks of the source.
@Suite struct CursorZoneTests {
    private static func run(_ field: String, initial: String, records: [String]) throws -> [String] {
        let rounds = Mutex(records)
        let server = try LoopbackServer { _ in
            .text("[" + rounds.withLock { $0.isEmpty ? "" : $0.removeFirst() } + "]")
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", conditional: none}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, at: \(field)}}}
            streams:
              - name: items
                entity: Item
                path: /items
                params: {since: "{{ cursor.start }}"}
                incremental: {cursor_field: at, initial_value: "\(initial)"}
            """)
        for _ in 0...records.count { #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0) }
        return server.requests.map { $0.query?.removingPercentEncoding?.replacing("+", with: " ") ?? "" }
    }

    @Test(
        "What is read by a zone is written by it",
        arguments: [
            ("-05:00", "%Y-%m-%d %H:%M:%S", "2024-03-31 02:30:00"),
            ("+01:00", "%Y-%m-%d %H:%M:%S", "2024-03-31 02:30:00"),
            ("+01:00", "%Y-%m-%dT%H:%M", "2024-03-31T00:10"), ("UTC", "%Y-%m-%d %H:%M:%S", "2024-03-31 02:30:00"),
        ])
    func zones(zone: String, format: String, time: String) throws {
        let initial = format.contains("T") ? "2024-01-01T00:00" : "2024-01-01 00:00:00"
        let asked = try Self.run(
            #"{type: datetime, format: "\#(format)", timezone: "\#(zone)"}"#, initial: initial,
            records: [#"{"id":1,"at":"\#(time)"}"#])
        #expect(asked == ["since=\(initial)", "since=\(time)"])
    }

    @Test("A record from the future says nothing of the time until then")
    func future() throws {
        let asked = try Self.run(
            "datetime", initial: "2024-01-01T00:00:00Z",
            records: [#"{"id":1,"at":"2024-05-01T00:00:00Z"},{"id":2,"at":"2999-01-01T00:00:00Z"}"#])
        #expect(asked == ["since=2024-01-01T00:00:00Z", "since=2024-05-01T00:00:00Z"])
    }
}
