package import SluiceReport
internal import SluiceStore

/// How many records of a sync had which outcome; the words are those of `sluice run`.
public struct SyncSummary: Sendable, Hashable {
    /// Records that are new in the store.
    public var insert: Int
    /// Records of whose row something was written.
    public var update: Int
    /// Rows that were deleted or marked as deleted.
    public var delete: Int
    /// Records about which the source says what it said before, or what the store holds already.
    public var unchanged: Int
    /// Records whose change was not taken, because the store's value stands.
    public var keptLocal: Int
    /// Records that have an open conflict.
    public var conflict: Int
    /// Records that could not be taken.
    public var quarantined: Int
    /// Rows that are gone from the source and stay, since a limit refused to delete them.
    public var deleteRefused: Int

    /// Makes counts.
    public init(
        insert: Int = 0, update: Int = 0, delete: Int = 0, unchanged: Int = 0, keptLocal: Int = 0, conflict: Int = 0,
        quarantined: Int = 0, deleteRefused: Int = 0
    ) {
        self.insert = insert
        self.update = update
        self.delete = delete
        self.unchanged = unchanged
        self.keptLocal = keptLocal
        self.conflict = conflict
        self.quarantined = quarantined
        self.deleteRefused = deleteRefused
    }

    /// The counts of both.
    static func + (left: SyncSummary, right: SyncSummary) -> SyncSummary {
        SyncSummary(
            insert: left.insert + right.insert, update: left.update + right.update, delete: left.delete + right.delete,
            unchanged: left.unchanged + right.unchanged, keptLocal: left.keptLocal + right.keptLocal,
            conflict: left.conflict + right.conflict, quarantined: left.quarantined + right.quarantined,
            deleteRefused: left.deleteRefused + right.deleteRefused)
    }

    package init(_ summary: RunSummary) {
        self.init(
            insert: summary.insert, update: summary.update, delete: summary.delete, unchanged: summary.unchanged,
            keptLocal: summary.keptLocal, conflict: summary.conflict, quarantined: summary.quarantined,
            deleteRefused: summary.deleteRefused)
    }
}

/// What a sync came to.
public struct SyncResult<M: PersistentModel>: Sendable {
    /// A record that could not be taken.
    public struct Quarantined: Sendable {
        /// Why, in snake_case.
        public let reason: String
        /// What is wrong, as a sentence.
        public let message: String
        /// The JSON pointer to the value within the record; empty for the record itself.
        public let pointer: String
        /// The record's JSON.
        public let json: String
        /// The record's identifier; nil where it has none that can be read.
        public let identifier: M.Identifier?
        /// The number, by which `sluice quarantine` names it as well; nil in a plan.
        public let id: Int?

        init(_ entry: QuarantineEntry) {
            id = entry.id.map { Int($0) }
            identifier = M.model.description.identifier(entry.key, as: M.Identifier.self)
            reason = entry.reason
            message = ProgramWording.of(entry.message)
            pointer = entry.pointer
            json = String(decoding: entry.record, as: UTF8.self)
        }
    }

    /// What people should know.
    public struct Problem: Sendable {
        /// The kind, in snake_case.
        public let code: String
        /// What is wrong and what to do.
        public let message: String
    }

    /// The number of the run, by which it can be taken back; nil for a plan.
    public let run: Int?
    /// The counts.
    public let summary: SyncSummary
    /// The counts of the records by value that stand within these, by their entities.
    public let nested: [String: SyncSummary]
    /// How many records the filter of a typed stage left out.
    public let skipped: Int
    /// The conflicts of the source that are open after it.
    public let conflicts: [Conflict<M>]
    /// The records that could not be taken.
    public let quarantined: [Quarantined]
    /// What people should know.
    public let problems: [Problem]
}

extension SyncResult.Quarantined: CustomStringConvertible {
    /// The record, the JSON pointer to the value within it, and what is wrong: one line for people.
    public var description: String {
        let record = identifier.map { "\(M.self) \($0)" } ?? "A record of \(M.self)"
        return "\(record)\(pointer.isEmpty ? "" : ", `\(pointer)`"): \(message)"
    }
}
