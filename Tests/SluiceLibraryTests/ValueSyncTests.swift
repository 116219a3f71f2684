import Sluice
import Testing

/// Syncs of values and not of JSON.
struct ValueSyncTests {
    private let text = String(repeating: "x", count: 4_000)

    /// Values are put together in a time that grows with their number, and not with its square.
    @Test(.timeLimit(.minutes(1))) func takesManyValues() async throws {
        let store = try Store.temporary(Reading.self)
        var values = (0..<20_000).map { Reading(id: $0, text: text, value: 0) }
        // The last one cannot be stored, so that nothing but this is looked at.
        values.append(Reading(id: 20_000, text: text, value: .nan))
        let error = await #expect(throws: SluiceError.self) { [values] in
            try await store.sync(values, SyncOptions(source: "s"))
        }
        #expect(error?.code == .box && error?.field == "value")
        #expect(try await store.count(Reading.all) == 0)
    }
}

@PersistentModel(table: "readings") private struct Reading {
    let id: Int
    var text: String
    var value: Double
}
