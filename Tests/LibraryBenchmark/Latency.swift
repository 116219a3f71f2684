import Sluice

/// How long it takes from a commit to the value that tells of it.
struct Latency {
    let path: String

    /// Prints the medians in milliseconds: of commits of the store itself, and of another one on the same file.
    func measure() async throws {
        let store = try Store(path, models: BenchIssue.self)
        let other = try Store(path, models: BenchIssue.self)
        print("same \(try await median(of: store, by: store))")
        print("other \(try await median(of: store, by: other))")
    }

    private func median(of store: Store, by writer: Store) async throws -> Double {
        var seen = store.counts(BenchIssue.where { $0.comments == 7 }).makeAsyncIterator()
        _ = try await seen.next()
        try await writer.write { try $0.execute("DELETE FROM issues") }
        var times: [Double] = []
        let clock = ContinuousClock()
        for number in 1...51 {
            let start = clock.now
            try await writer.write { transaction in
                var issue = BenchIssue(made: number)
                issue.comments = 7
                try transaction.insert(&issue)
            }
            while let count = try await seen.next(), count != number {}
            times.append((clock.now - start) / .milliseconds(1))
        }
        return times.sorted()[times.count / 2]
    }
}
