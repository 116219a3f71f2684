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
}

@PersistentModel(table: "readings") private struct SyncedReading {
    let id: Int
    var text: String
    var value: Double
}
