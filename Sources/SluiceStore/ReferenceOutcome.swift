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
        }

        /// Takes some away of which it is not known which they are.
        fileprivate mutating func remove(_ count: Int) {
            if count == 0 { return }
            self.count -= count
            keys = []
        }
    }

    /// The records that are not there and that references of one name were to lead to.
    package struct Targets: Sendable, Equatable {
        /// How many of them are named.
        package static let listed = 5
        /// Their table.
        package var table: String
        /// The keys of the first of them, each a JSON array.
        package var keys: [String]

        /// Makes some records.
        package init(table: String, keys: [String]) { (self.table, self.keys) = (table, keys) }

        /// Adds further ones.
        mutating func add(_ other: Targets) {
            for key in other.keys where keys.count < Self.listed && !keys.contains(key) { keys.append(key) }
        }
    }

    /// What was missing, by the names of the references that wait or are null for good; nil where that is not known.
    package var missing: [String: Targets] = [:]
    /// Those that wait for their records.
    package var deferred: [String: Rows] = [:]
    /// Those that are null for good.
    package var cleared: [String: Rows] = [:]
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

    /// Adds records that are not there.
    ///
    /// - Parameters:
    ///   - targets: The records.
    ///   - name: The name of the references that were to lead to them.
    package mutating func note(missing targets: Targets, of name: String) {
        missing[name, default: Targets(table: targets.table, keys: [])].add(targets)
    }

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
            rest.deferred[name]?.remove(settled)
            if settled > 0 { rest.missing[name] = nil }
        }
        return rest
    }

    /// Adds what a later look found. What began to wait and is linked by it is told no longer.
    package mutating func add(_ later: ReferenceOutcome) {
        var other = later
        for (name, rows) in later.linked {
            let settled = min(rows.count, deferred[name]?.count ?? 0)
            other.linked[name]?.remove(settled)
            deferred[name]?.remove(settled)
            if settled > 0 { (missing[name], other.missing[name]) = (nil, nil) }
        }
        for (name, targets) in other.missing { note(missing: targets, of: name) }
        for place in [\ReferenceOutcome.deferred, \.cleared, \.linked, \.stubs] {
            for (name, rows) in other[keyPath: place] { self[keyPath: place][name, default: rows.none].add(rows) }
        }
        cascaded.merge(other.cascaded, uniquingKeysWith: +)
        hasWritten = hasWritten || other.hasWritten
    }
}
