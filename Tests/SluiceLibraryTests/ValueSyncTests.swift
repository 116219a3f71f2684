import Foundation
import Sluice
import Testing

/// Syncs of values and not of JSON.
struct ValueSyncTests {
    private let text = String(repeating: "x", count: 4_000)

    /// Values are put together in a time that grows with their number, and not with its square.
    @Test(.timeLimit(.minutes(1))) func takesManyValues() async throws {
        let store = try Store.temporary(SyncedReading.self)
        // The last one cannot be stored, so that nothing but this is looked at.
        let values: [SyncedReading] = (0...20_000).map {
            SyncedReading(id: $0, text: text, value: $0 < 20_000 ? 0 : .nan)
        }
        let error = await #expect(throws: SluiceError.self) {
            try await store.sync(values, SyncOptions(source: "s"))
        }
        #expect(error?.code == .box && error?.field == "value")
        #expect(try await store.count(SyncedReading.all) == 0)
    }

    /// Each way in plans and syncs alike.
    @Test func plansWhatItWouldSync() async throws {
        let store = try Store.temporary(SyncedReading.self)
        let options = SyncOptions(source: "s")
        let values = [SyncedReading(id: 1, text: "a", value: 1), SyncedReading(id: 2, text: "b", value: 2)]
        let json = Data(#"[{"id": 3, "text": " c ", "value": 3}]"#.utf8)
        #expect(try await store.plan(values, options).summary == SyncSummary(insert: 2))
        #expect(try await store.plan(SyncedReading.self, from: json, options).summary == SyncSummary(insert: 1))
        #expect(try await store.count(SyncedReading.all) == 0)
        #expect(try await store.sync(values, options).summary == SyncSummary(insert: 2))
        let result = try await store.sync(SyncedReading.self, from: json, options) { reading in
            reading.text = reading.text.trimmingCharacters(in: .whitespaces)
            return .keep
        }
        #expect(result.summary == SyncSummary(insert: 1))
        #expect(try await store.fetch(SyncedReading.order(by: \.id)).map(\.text) == ["a", "b", "c"])
        #expect(try await store.plan(values, options).summary == SyncSummary(unchanged: 2))
    }
}

@PersistentModel(table: "readings") private struct SyncedReading {
    let id: Int
    var text: String
    var value: Double
}
