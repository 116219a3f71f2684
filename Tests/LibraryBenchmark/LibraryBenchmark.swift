import Foundation
import Sluice

/// One piece of work of the library, for the bench to measure the process.
@main
enum LibraryBenchmark {
    private static let usage =
        "usage: sluice-library-bench sync|decode|stage|rates FILE STORE | fetch|fetch-hand|fetch-origin|each|find|save STORE | insert|save-new|relate COUNT STORE | including|including-hand STORE | latency|commit STORE"

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard let path = arguments.last, let job = arguments.first, try await run(job, arguments, path) else {
                return fail(usage)
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) {
        print(message)
        exit(1)
    }

    private static func run(_ job: String, _ arguments: [String], _ path: String) async throws -> Bool {
        if job == "latency" {
            try await Latency(path: path).measure()
            return true
        }
        switch (job, arguments.count) {
        case ("commit", 2): try await Latency.commit(to: path)
        case ("rates", 3): try await Rates(path, URL(fileURLWithPath: arguments[1])).measure()
        case ("relate", 3): try await Related(path).fill(Int(arguments[1]) ?? 0)
        case ("including", 2): print(try await Related(path).including())
        case ("including-hand", 2): print(try await Related(path).byHand())
        case ("fetch-hand", 2): print(try HandLoop.fetch(path).count)
        default: return try await runOnIssues(job, arguments, path)
        }
        return true
    }

    private static func runOnIssues(_ job: String, _ arguments: [String], _ path: String) async throws -> Bool {
        let store = try Store(path, models: BenchIssue.self)
        switch (job, arguments.count) {
        case ("stage", 3): try await stage(URL(fileURLWithPath: arguments[1]), store)
        case ("sync", 3): try await sync(URL(fileURLWithPath: arguments[1]), store)
        case ("decode", 3): try await decode(URL(fileURLWithPath: arguments[1]), store)
        case ("insert", 3): try await insert(Int(arguments[1]) ?? 0, store)
        case ("save-new", 3): try await saveNew(Int(arguments[1]) ?? 0, store)
        case ("fetch", 2): print(try await store.fetch(BenchIssue.all.withoutOrigin()).count)
        case ("fetch-origin", 2): print(try await store.fetch(BenchIssue.all).count)
        case ("each", 2): try await each(store)
        case ("find", 2): try await find(store)
        case ("save", 2):
            var all = try await store.fetch(BenchIssue.all)
            try await store.save(&all)
            print(all.count)
        default: return false
        }
        await store.close()
        return true
    }

    private static var options: SyncOptions {
        var options = SyncOptions(source: "bench")
        options.format = .jsonLines
        options.missing = .hard(maximum: .percent(1))
        return options
    }

    /// Looks at each record as a value of the model.
    private static func stage(_ file: URL, _ store: Store) async throws {
        let json = try [UInt8](Data(contentsOf: file))
        print(try await store.sync(BenchIssue.self, from: json, options) { _ in .keep }.summary)
    }

    private static func sync(_ file: URL, _ store: Store) async throws {
        print(try await store.sync(BenchIssue.self, contentsOf: file, options).summary)
    }

    /// What people write without the library's merge: a decoder, and a save of each value.
    private static func decode(_ file: URL, _ store: Store) async throws {
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        var values = try lines.map { try decoder.decode(DecodedIssue.self, from: $0).model }
        try await store.save(&values)
        print(values.count)
    }

    private static func insert(_ count: Int, _ store: Store) async throws {
        try await store.write { transaction in
            for number in 1...count {
                var issue = BenchIssue(made: number)
                try transaction.insert(&issue)
            }
        }
        print(count)
    }

    /// The same by `save`, which finds out that there are none yet.
    private static func saveNew(_ count: Int, _ store: Store) async throws {
        var values = (1...count).map { BenchIssue(made: $0) }
        try await store.save(&values)
        print(count)
    }

    private static func each(_ store: Store) async throws {
        let length = try await store.read { reader in
            var length = 0
            try reader.each(BenchIssue.all.withoutOrigin()) { length += $0.title.utf8.count }
            return length
        }
        print(length)
    }

    /// Looks up two hundred thousand keys, far from each other.
    private static func find(_ store: Store) async throws {
        let found = try await store.read { reader in
            let keys = try reader.fetch(BenchIssue.select { ($0.id, $0.number) }).map(\.0)
            var comments = 0
            for index in 0..<min(200_000, keys.count * 2) {
                comments += try reader.find(BenchIssue.self, keys[(index &* 1_000_003) % keys.count]).comments
            }
            return comments
        }
        print(found)
    }
}
