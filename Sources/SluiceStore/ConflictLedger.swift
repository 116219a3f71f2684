internal import SluiceMerge
package import SluiceModel

/// One conflict, as it is kept. Values are JSON text in the field's type.
package struct ConflictEntry: Codable, Sendable, Equatable {
    /// The number by which a person names it; nil before it is written.
    package var id: Int64?
    /// The pipeline's name.
    package var pipeline: String
    /// The stream's name.
    package var stream: String
    /// The entity's name.
    package var entity: String
    /// The record's key as a JSON object; of a list that is one value the part that its elements share.
    package var key: String
    /// The field, or nil for a conflict of the whole record or list.
    package var field: String?
    /// How the sides relate, such as `edit_edit`.
    package var kind: String
    /// What the source said before; nil where it never gave a value, or only a digest is kept.
    package var base: String?
    /// Why ``base`` is nil; nil where that is not known. A ledger does not keep it.
    package var baseAbsence: BaseAbsence?
    /// What the store holds.
    package var local: String?
    /// What the source says.
    package var remote: String?
    /// The policy that applies.
    package var policy: String
    /// How far it has come.
    package var status: ConflictStatus
    /// The run that wrote it first.
    package var firstRun: Int64?
    /// The run that changed it last.
    package var lastRun: Int64?
    /// The number of distinct remote values that were in conflict.
    package var seen: Int
    /// Why it is over where nobody decided it (``ConflictStatus/obsolete``), or the conflict with which it waits
    /// (``ConflictStatus/within``); nil where that is not known.
    package var end: ConflictEnd?
    /// What a person decided: `local`, `remote`, `base` or `set`; of a disagreement that the order of the sources
    /// settled, `local` or `remote`.
    package var resolution: String?
    /// Who decided.
    package var who: String?
    /// Why, in that person's words; before that what stands in the way of the source's value.
    package var note: String?
    /// The other source of a disagreement as ``RecordMapping/path``: the one that gave the local value.
    package var otherSource: String?

    /// What ``policy`` may say: a policy, or that the order of the sources decided.
    package static let policies = ConflictPolicy.allCases.map(\.rawValue) + [precedence]
    /// The policy of a disagreement that the order of the sources decided.
    package static let precedence = "precedence"

    /// Makes an entry.
    package init(
        id: Int64? = nil, pipeline: String, stream: String, entity: String, key: String, field: String?, kind: String,
        base: String?, local: String?, remote: String?, policy: String, status: ConflictStatus, firstRun: Int64? = nil,
        lastRun: Int64? = nil, seen: Int = 1
    ) {
        self.id = id
        self.pipeline = pipeline
        self.stream = stream
        self.entity = entity
        self.key = key
        self.field = field
        self.kind = kind
        self.base = base
        self.local = local
        self.remote = remote
        self.policy = policy
        self.status = status
        self.firstRun = firstRun
        self.lastRun = lastRun
        self.seen = seen
    }
}

/// How far a conflict has come.
package enum ConflictStatus: String, Codable, Sendable, CaseIterable {
    /// Waits for a decision.
    case open
    /// Decided by the policy.
    case auto
    /// Decided by a person.
    case resolved
    /// Over without a decision; ``ConflictEntry/end`` says why.
    case obsolete
    /// Both sides came to say the same.
    case converged
    /// No question of its own: what the source says of a record without a row that is within one over which a conflict is open.
    /// ``ConflictEntry/end`` names that; whatever becomes of it becomes of this as well. ``ConflictEntry/remote`` is nil where the
    /// source has the record no longer. Its number is below zero.
    case within
}

/// What people must decide, and what was decided. Lists are in the order of the numbers.
///
/// It reads and writes in batches: a ledger on another machine answers each call after a while.
package protocol ConflictLedger: AnyObject {
    /// The open conflicts of all records of a mapping.
    func open(of mapping: RecordMapping) throws -> [ConflictEntry]
    /// How many records of some entities, which fill one table, have an open conflict with any of some streams.
    func openRecords(of entities: Set<String>, streams: Set<String>, pipeline: String) throws -> Int
    /// The open conflicts of records, or of the lists of the records whose keys they are, by their keys.
    func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [ConflictEntry]]
    /// Writes conflicts, one after the other: one without an id is new; of one with an id everything but its identity is
    /// written.
    ///
    /// - Returns: The id of each; that of a new one no other conflict ever had or gets, and is below zero for what waits with another
    ///   one.
    /// - Throws: ``StoreError``, also where another one over the same field of the record is open. Where there were several,
    ///   some may be written then.
    func write(_ entries: [ConflictEntry]) throws -> [Int64]
    /// What waits with open conflicts over records that those of a mapping are within (``ConflictStatus/within``).
    func within(_ mapping: RecordMapping) throws -> [ConflictEntry]
    /// Forgets what waits with conflicts (``ConflictStatus/within``).
    ///
    /// - Parameter ids: Its numbers.
    /// - Throws: ``StoreError``.
    func forgetWithin(_ ids: [Int64]) throws
    /// Forgets what waited with conflicts of a pipeline that are open no longer (``ConflictStatus/within``).
    func forgetEndedWithin(pipeline: String) throws
    /// Conflicts by id, the open ones alone or all; what waits with one of them is none.
    func list(includingClosed: Bool) throws -> [ConflictEntry]
    /// Conflicts by their ids; nil where there is none.
    func entries(ids: [Int64]) throws -> [ConflictEntry?]
    /// All conflicts of one record, open and closed, by id; what waits with one of another record is none.
    func entries(of mapping: RecordMapping, key: String) throws -> [ConflictEntry]
    /// Takes back what a run did to conflicts, one change after the other, where nothing happened to them since.
    ///
    /// - Returns: Whether the conflict of each change is as before it now.
    func revert(_ changes: [RecordedEntry]) throws -> [Bool]
}

/// Single conflicts.
extension ConflictLedger {
    /// The open conflicts of one record, or of the list of the record whose key it is.
    package func open(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        try open(of: mapping, keys: [key])[ExactText(key)] ?? []
    }

    /// Writes a new conflict.
    ///
    /// - Returns: Its id, which no other conflict ever had or gets.
    /// - Throws: ``StoreError``, also where another one over the same field of the record is open.
    package func insert(_ entry: ConflictEntry) throws -> Int64 {
        var entry = entry
        entry.id = nil
        return try write([entry])[0]
    }

    /// Writes everything but the identity of a conflict that has an id.
    package func update(_ entry: ConflictEntry) throws {
        if entry.id != nil { _ = try write([entry]) }
    }

    /// One conflict.
    package func entry(id: Int64) throws -> ConflictEntry? { try entries(ids: [id])[0] }

    /// Takes back what a run did to one conflict.
    ///
    /// - Returns: Whether it is as before now.
    package func revert(_ change: RecordedEntry) throws -> Bool { try revert([change])[0] }
}

extension ConflictEntry {
    /// Whether it is about a list that is one value: its sides are JSON arrays of elements.
    package var isOfList: Bool { field == nil && kind == FieldClass.editEdit.rawValue }

    /// Whether its source has left out, or deleted, a record that was edited here.
    package var isOfGoneRecord: Bool { field == nil && kind == RowKind.editDelete.rawValue }

    /// What fills the record's table.
    package var mapping: RecordMapping { RecordMapping(pipeline: pipeline, stream: stream, entity: entity) }

    /// The number of the conflict with which it waits, or that took its place.
    package var endingWith: Int64? { if case .record(let id) = end { id } else { nil } }
}
