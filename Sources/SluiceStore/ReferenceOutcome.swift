/// What became of references whose records are not there, or came. Each is counted by `<table>.<field>`, stubs by table.
package struct ReferenceOutcome: Sendable, Equatable {
    /// Those that wait for their records.
    package var deferred: [String: Int] = [:]
    /// Those that are null for good.
    package var cleared: [String: Int] = [:]
    /// Those that had waited and lead to their records now.
    package var linked: [String: Int] = [:]
    /// The rows that were made for records that are not there.
    package var stubs: [String: Int] = [:]
    /// The rows that foreign keys and triggers of the database deleted along with others, by table.
    package var cascaded: [String: Int] = [:]
    /// Whether anything was written.
    package var hasWritten = false

    /// Makes the outcome of a run in which nothing dangles.
    package init() {}

    /// Without what began to wait and was linked again.
    package var remaining: ReferenceOutcome {
        var rest = self
        for (name, count) in linked {
            let settled = min(count, deferred[name] ?? 0)
            rest.linked[name] = count - settled
            rest.deferred[name] = (deferred[name] ?? 0) - settled
        }
        return rest
    }

    /// Adds what a later look found.
    package mutating func add(_ other: ReferenceOutcome) {
        deferred.merge(other.deferred, uniquingKeysWith: +)
        cleared.merge(other.cleared, uniquingKeysWith: +)
        linked.merge(other.linked, uniquingKeysWith: +)
        stubs.merge(other.stubs, uniquingKeysWith: +)
        cascaded.merge(other.cascaded, uniquingKeysWith: +)
        hasWritten = hasWritten || other.hasWritten
    }
}
