internal import Synchronization

/// The records that commits of this program changed, by table.
struct TouchedRecords: Sendable {
    /// Keys by table, in lower case; nil where they are not known.
    private(set) var tables: [String: Set<[BoxedValue]>?] = [:]
    /// Whether any table may have changed.
    private(set) var isEverything = false
    /// The runs of this program.
    private(set) var runs: Set<Int64> = []
    /// Those of them of which it is noted what became of references that no source fills.
    private(set) var settledRuns: Set<Int64> = []

    var isEmpty: Bool { tables.isEmpty && !isEverything && runs.isEmpty }

    /// The most keys that are kept of one table.
    static let most = 10_000

    /// Notes that a record changed.
    mutating func touch(_ table: String, _ key: [BoxedValue]) { touch(table, [key]) }

    /// Notes that records changed; nil where nobody knows which.
    mutating func touch(_ table: String, _ keys: Set<[BoxedValue]>?) {
        let name = table.lowercased()
        guard let keys else { return tables[name] = .some(nil) }
        if tables[name] == nil { tables[name] = .some([]) }
        // In its place: a transaction may write many records.
        tables[name]??.formUnion(keys)
        if let count = tables[name]??.count, count > Self.most { tables[name] = .some(nil) }
    }

    /// Notes that anything may have changed.
    mutating func touchEverything() { isEverything = true }

    /// Notes a run, of which the store says what it changed.
    ///
    /// - Parameters:
    ///   - run: Its number.
    ///   - isSettled: Whether it is noted besides what became of references that no source fills.
    mutating func add(run: Int64, isSettled: Bool) {
        runs.insert(run)
        if isSettled { settledRuns.insert(run) }
    }

    /// Notes all of another.
    mutating func add(_ other: TouchedRecords) {
        for (table, keys) in other.tables { touch(table, keys) }
        isEverything = isEverything || other.isEverything
        runs.formUnion(other.runs)
        settledRuns.formUnion(other.settledRuns)
    }
}

/// Keeps what this program's commits changed, for those who ask for it.
final class ChangeLog: Sendable {
    private struct State {
        var waiting: [Int: TouchedRecords] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Whether anybody asks for it.
    var isWanted: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Notes a commit.
    func add(_ touched: TouchedRecords) {
        if touched.isEmpty { return }
        state.withLock { state in
            for number in state.waiting.keys { state.waiting[number]?.add(touched) }
        }
    }

    /// Keeps what is committed from now on.
    ///
    /// - Returns: The number to ask for it by.
    func subscribe() -> Int {
        state.withLock { state in
            state.next += 1
            state.waiting[state.next] = TouchedRecords()
            return state.next
        }
    }

    /// What was committed since it was asked for last.
    func take(_ number: Int) -> TouchedRecords {
        state.withLock { state in
            guard let touched = state.waiting[number] else { return TouchedRecords() }
            state.waiting[number] = TouchedRecords()
            return touched
        }
    }

    /// Keeps nothing any more.
    func end(_ number: Int) { state.withLock { $0.waiting[number] = nil } }
}
