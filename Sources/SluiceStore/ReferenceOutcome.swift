package import SluiceModel

/// A row that loses a reference that it held.
package struct LostReference: Sendable {
    /// What fills the row's table.
    package let mapping: RecordMapping
    /// The row's key.
    package let key: RecordKey
    /// The columns of the reference, with what they held.
    package let columns: [(name: String, value: FieldValue)]
    /// Whether it is null when its record comes again.
    package let isForGood: Bool

    /// Makes a value of its parts.
    package init(
        mapping: RecordMapping, key: RecordKey, columns: [(name: String, value: FieldValue)], isForGood: Bool
    ) {
        (self.mapping, self.key, self.columns, self.isForGood) = (mapping, key, columns, isForGood)
    }
}

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

    /// Rows of which a table refuses something.
    package struct Refused: Sendable, Equatable {
        /// The rows.
        package var rows: Rows
        /// Why it refuses the first of them, and what to do, as sentences.
        package var reason: String

        /// Makes some.
        package init(rows: Rows, reason: String) { (self.rows, self.reason) = (rows, reason) }
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
    /// The rows that stood for records that are not there, and went since nothing refers to them any more.
    package var removedStubs: [String: Rows] = [:]
    /// Those whose records are there and that a table refuses to link: they go on waiting.
    package var unlinked: [String: Refused] = [:]
    /// Those whose records are not there and that a table does not let go of: they stay as they are.
    package var unmet: [UnmetReference] = []
    /// What the database says of rules that are checked as the transaction ends, where they do not hold: it cannot be
    /// committed as it is.
    package var broken: String?
    /// The rows that foreign keys and triggers of the database deleted along with others, by table.
    package var cascaded: [String: Int] = [:]
    /// The rows that went along in this way and that the history has, by table: an undo brings them back.
    package var cascadedKept: [String: Int] = [:]
    /// The values that foreign keys of the database made null, by where they stood.
    package var emptied: [EmptiedPlace: Int] = [:]
    /// Whether anything was written.
    package var hasWritten = false

    /// Makes the outcome of a run in which nothing dangles.
    package init() {}

    /// How many references had waited and lead to their records now.
    package var linkedCount: Int { linked.values.reduce(0) { $0 + $1.count } }

    /// Whether references were taken away, or rows made for what they lead to.
    package var unlinks: Bool { [deferred, cleared, stubs].contains { $0.values.contains { $0.count > 0 } } }

    /// Requires that the transaction can be committed as it is.
    ///
    /// - Returns: The outcome itself.
    /// - Throws: ``StoreError`` that names the first reference which stands against it.
    @discardableResult
    package func requireUnbroken() throws -> ReferenceOutcome {
        guard let broken else { return self }
        guard let first = unmet.first, let refusal = first.refusal else {
            throw StoreError(
                .rejected,
                "A rule of the database is checked as the transaction ends, and does not hold: \(broken). Change what it is about, or take the rule off the table.",
                // Somebody may have deleted a row since it was looked at.
                mayRepeat: true)
        }
        let more = unmet.count > 1 ? " The same is so of \(unmet.count - 1) more." : ""
        throw StoreError(
            .rejected,
            "`\(first.name)` of \(first.owner.words) of the table `\(first.table)` leads to \(first.targetKey.words) of `\(first.target)`, which would not be there. \(refusal)\(more)",
            mayRepeat: true)
    }

    /// Without what began to wait and was linked again.
    package var remaining: ReferenceOutcome {
        var rest = self
        for (name, rows) in linked {
            let settled = min(rows.count, deferred[name]?.count ?? 0)
            rest.linked[name]?.remove(settled)
            rest.revert(settled, of: name)
        }
        return rest
    }

    /// Tells fewer of those that wait, of which it is not known which were lost.
    private mutating func revert(_ count: Int, of name: String) {
        deferred[name]?.remove(count)
        if count > 0 { lost[name] = nil }
    }

    /// Adds rows that stood for records and are gone.
    ///
    /// - Parameter removed: The rows, by table.
    package mutating func add(removedStubs removed: [String: Rows]) {
        for (table, rows) in removed { removedStubs[table, default: rows.none].add(rows) }
        if !removed.isEmpty { hasWritten = true }
    }

    /// Adds what a later look found. What began to wait and is linked by it is told no longer.
    package mutating func add(_ later: ReferenceOutcome) {
        var other = later
        for (name, rows) in later.linked {
            let settled = min(rows.count, deferred[name]?.count ?? 0)
            other.linked[name]?.remove(settled)
            revert(settled, of: name)
        }
        for place in [\ReferenceOutcome.deferred, \.cleared, \.lost, \.linked, \.stubs, \.removedStubs] {
            for (name, rows) in other[keyPath: place] { self[keyPath: place][name, default: rows.none].add(rows) }
        }
        // What waits is looked at each time.
        unlinked = other.unlinked
        let known = Set(unmet)
        unmet += other.unmet.filter { !known.contains($0) }
        broken = other.broken
        cascaded.merge(other.cascaded, uniquingKeysWith: +)
        cascadedKept.merge(other.cascadedKept, uniquingKeysWith: +)
        emptied.merge(other.emptied, uniquingKeysWith: +)
        hasWritten = hasWritten || other.hasWritten
    }
}
