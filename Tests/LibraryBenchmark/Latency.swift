import Foundation
import Sluice

/// How long it takes from a commit to the value that tells of it.
struct Latency {
    let path: String

    /// Prints the medians in milliseconds: of commits of the store itself, of another one on the same file, and of another process.
    func measure() async throws {
        let store = try Store(path, models: BenchIssue.self)
        let other = try Store(path, models: BenchIssue.self)
        print("same \(try await median(of: store) { try await Self.commit($0, to: store) })")
        print("other \(try await median(of: store) { try await Self.commit($0, to: other) })")
        let writer = Process()
        let orders = Pipe()
        writer.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        writer.arguments = ["commit", path]
        writer.standardInput = orders
        try writer.run()
        print(
            "process \(try await median(of: store) { try orders.fileHandleForWriting.write(contentsOf: Data("\($0)\n".utf8)) })"
        )
        try orders.fileHandleForWriting.close()
        writer.waitUntilExit()
    }

    /// Commits a record for each number that comes in.
    static func commit(to path: String) async throws {
        let store = try Store(path, models: BenchIssue.self)
        while let line = readLine() { if let number = Int(line) { try await commit(number, to: store) } }
    }

    private static func commit(_ number: Int, to store: Store) async throws {
        try await store.write { transaction in
            var issue = BenchIssue(made: number)
            issue.comments = 7
            try transaction.insert(&issue)
        }
    }

    private func median(of store: Store, _ commit: (Int) async throws -> Void) async throws -> Double {
        var seen = store.counts(BenchIssue.where { $0.comments == 7 }).makeAsyncIterator()
        _ = try await seen.next()
        try await store.write { try $0.execute("DELETE FROM issues") }
        var times: [Double] = []
        let clock = ContinuousClock()
        for number in 1...51 {
            let start = clock.now
            try await commit(number)
            while let count = try await seen.next(), count != number {}
            times.append((clock.now - start) / .milliseconds(1))
        }
        return times.sorted()[times.count / 2]
    }
}
