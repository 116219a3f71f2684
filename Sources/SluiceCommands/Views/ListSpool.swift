/// A list of a report: its first entries are kept, the others are counted.
final class ListSpool {
    let spool = TextSpool()
    private let limit: Int?
    /// How many entries there are, kept or not.
    private(set) var count = 0

    /// - Parameter limit: The most entries to keep, nil for all.
    init(limit: Int?) { self.limit = limit }

    /// Whether the next entry would only be counted.
    var isFull: Bool { limit.map { count >= $0 } ?? false }
    /// How many entries are not kept.
    var omitted: Int { limit.map { max(0, count - $0) } ?? 0 }
    var isEmpty: Bool { count == 0 }

    /// Adds an entry.
    func append(_ text: @autoclosure () -> String) {
        if !isFull { spool.append(text()) }
        count += 1
    }

    /// Counts an entry.
    func skip() { count += 1 }

    /// Forgets everything.
    func clear() {
        spool.clear()
        count = 0
    }
}
