import Foundation
import Sluice
import SluiceDecoding

/// How many records the library does in a second of the processor's time, where nothing does the same beside it.
struct Rates {
    let store: Store
    let other: Store
    /// The records as one array.
    let array: URL

    init(_ path: String, _ array: URL) throws {
        (store, other) = (try Store(path, models: BenchIssue.self), try Store(path, models: BenchIssue.self))
        self.array = array
    }

    struct Wrote: Error {}

    /// Prints records in a second: of values that are saved unchanged, and of those that are decoded and merged.
    func measure() async throws {
        let bytes = try [UInt8](Data(contentsOf: array))
        let merged = try await perSecond {
            let values = try TapeDecoder().decode(Upserts<BenchIssue>.self, from: bytes)
            try await store.sync(values, SyncOptions(source: "rates"))
            return values.values.count
        }
        print("upserts \(merged)")
        let before = try await version()
        let values = try await store.fetch(BenchIssue.all)
        let saved = try await perSecond {
            var copy = values
            try await store.save(&copy)
            return copy.count
        }
        if try await version() != before { throw Wrote() }
        print("save \(saved)")
    }

    /// Changes with each commit that writes.
    private func version() async throws -> [String?] { try await other.rows("PRAGMA data_version").flatMap(\.texts) }

    private func perSecond(_ body: () async throws -> Int) async throws -> Int {
        let start = clock()
        let count = try await body()
        return Int(Double(count) * Double(CLOCKS_PER_SEC) / Double(max(1, clock() - start)))
    }
}
