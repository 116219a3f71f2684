/// What became of references whose records are not there, or came. Each is told by `<table>.<field>`, stubs by table.
package struct ReferenceOutcome: Sendable, Equatable {
    /// Rows that something became of.
    package struct Rows: Sendable, Equatable {
        /// How many rows are named.
        package static let listed = 10
        /// How many there are.
        package var count: Int
        /// What they are records of; nil where that is not known.
        package var entity: String?
        /// The keys of the first of them, each a JSON object.
        package var keys: [String]
        /// Whether their references are links in a table of pairs: one that leads nowhere is left out there, and not null.
        package var areLinks: Bool
        /// What the first of them led to, each key as a JSON array; empty where nobody asked.
        package var targets: [String] = []

        /// Makes some rows.
        package init(count: Int, entity: String?, keys: [String], areLinks: Bool = false) {
            self.count = count
            self.entity = entity
            self.keys = keys
            self.areLinks = areLinks
        }

        /// No rows of the same kind.
        package var none: Rows { Rows(count: 0, entity: entity, keys: [], areLinks: areLinks) }

        /// Adds further ones.
        package mutating func add(_ other: Rows) {
            count += other.count
            keys = Array((keys + other.keys).prefix(Self.listed))
            targets += other.targets.filter { !targets.contains($0) }
            targets = Array(targets.prefix(Self.listed))
        }

        /// Takes some away of which it is not known which they are.
        fileprivate mutating func remove(_ count: Int) {
            if count == 0 { return }
            self.count -= count
            keys = []
        }
    }

    /// Those that wait for their records.
    package var deferred: [String: Rows] = [:]
    /// Those that are null for good.
    package var cleared: [String: Rows] = [:]
    /// Of ``deferred`` and ``cleared`` those that a row held until now; those besides are what a source says first.
    package var lost: [String: Rows] = [:]
    /// Those that had waited and lead to their records now.
    package var linked: [String: Rows] = [:]
    /// The rows that were made for records that are not there.
    package var stubs: [String: Rows] = [:]
    /// The rows that foreign keys and triggers of the database deleted along with others, by table.
    package var cascaded: [String: Int] = [:]
    /// Whether anything was written.
    package var hasWritten = false

    /// Makes the outcome of a run in which nothing dangles.
    package init() {}

    /// How many references had waited and lead to their records now.
    package var linkedCount: Int { linked.values.reduce(0) { $0 + $1.count } }

    /// Whether references were taken away, or rows made for what they lead to.
    package var unlinks: Bool { [deferred, cleared, stubs].contains { $0.values.contains { $0.count > 0 } } }

    /// Without what began to wait and was linked again.
    package var remaining: ReferenceOutcome {
        var rest = self
        for (name, rows) in linked {
            let settled = min(rows.count, deferred[name]?.count ?? 0)
            rest.linked[name]?.remove(settled)
            rest.takeBack(settled, of: name)
        }
        return rest
    }

    /// Tells fewer of those that wait, of which it is not known which were lost.
    private mutating func takeBack(_ count: Int, of name: String) {
        deferred[name]?.remove(count)
        if count > 0 { lost[name] = nil }
    }

    /// Adds what a later look found. What began to wait and is linked by it is told no longer.
    package mutating func add(_ later: ReferenceOutcome) {
        var other = later
        for (name, rows) in later.linked {
            let settled = min(rows.count, deferred[name]?.count ?? 0)
            other.linked[name]?.remove(settled)
            takeBack(settled, of: name)
        }
        for place in [\ReferenceOutcome.deferred, \.cleared, \.lost, \.linked, \.stubs] {
            for (name, rows) in other[keyPath: place] { self[keyPath: place][name, default: rows.none].add(rows) }
        }
        cascaded.merge(other.cascaded, uniquingKeysWith: +)
        hasWritten = hasWritten || other.hasWritten
    }
}
