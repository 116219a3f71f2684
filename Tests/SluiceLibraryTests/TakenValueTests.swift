import Sluice
import Testing

@PersistentModel private struct Badge: Codable, Equatable {
    let id: Int
    @Attribute(.unique) var code: String
    var owner: String?
    var origin = Origin()
}

/// Records of a source that need a value which another record has.
struct TakenValueTests {
    /// What cannot be without its value waits, and all that is there can be read.
    @Test(arguments: [false, true]) func aRecordThatNeedsATakenValueWaits(_ isJSON: Bool) async throws {
        let store = try Store.temporary(Badge.self)
        let options = SyncOptions(source: "desk")
        func sync(_ first: String, _ second: String) async throws -> SyncSummary {
            if isJSON {
                let json = #"[{"id":1,"code":"\#(first)"},{"id":2,"code":"\#(second)"}]"#
                return try await store.sync(Badge.self, from: json, options).summary
            }
            return try await store.sync([Badge(id: 1, code: first), Badge(id: 2, code: second)], options).summary
        }
        #expect(try await sync("x", "x") == SyncSummary(insert: 1, quarantined: 1))
        #expect(try await store.fetch(Badge.all).map(\.code) == ["x"])
        #expect(try await sync("x", "y") == SyncSummary(insert: 1, unchanged: 1))
        // A record that is there keeps the value that it has.
        #expect(try await sync("x", "x").conflict == 1)
        #expect(try await store.fetch(Badge.order(by: \.id)).map(\.code) == ["x", "y"])
    }
}
