package import SluiceModel
package import SluiceStore

/// All that a store knows of one record. Values are JSON text in the field's type.
package struct RecordLife: Sendable {
    /// One field.
    package struct Field: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// What the table holds, nil where there is no row.
        package var value: String?
        /// The entry of the quarantine in which the value waits, while its column is null; nil where the column holds it.
        package var waitsIn: Int64?
        /// What the source said, nil where it never did or only a digest is kept.
        package var base: String?
        /// Whether people gave it another value than the source: in the table or, where ``run`` is known, by a decision.
        package var isEdited: Bool
        /// The run that wrote the value, nil where that is not known.
        package var run: Int64?
        /// The run that met the value in the table, which nobody knew before; nil where a run wrote it or that is not known.
        package var foundBy: Int64?
        /// The other source of the table whose value it is, where this one says something else; nil where none is.
        package var from: String?
        /// The records of another table that it refers to and that are not there yet, each key as a JSON array.
        package var waitsFor: [String] = []
        /// Those that it had led to and that are gone, so that it is null for good, likewise.
        package var emptied: [String] = []
        /// The table of these records; empty where there are none.
        package var target = ""

        /// Makes a value of its parts.
        package init(
            name: String, value: String? = nil, base: String? = nil, isEdited: Bool, run: Int64? = nil,
            foundBy: Int64? = nil, from: String? = nil, waitsFor: [String] = [], emptied: [String] = [],
            target: String = ""
        ) {
            self.name = name
            self.value = value
            self.base = base
            self.isEdited = isEdited
            self.run = run
            self.foundBy = foundBy
            self.from = from
            self.waitsFor = waitsFor
            self.emptied = emptied
            self.target = target
        }
    }

    /// That the source does not have the record, of a row that stays all the same.
    package struct Absence: Sendable, Equatable {
        /// What is known of it.
        package enum Kind: String, Sendable {
            /// A complete scan did not see it, and others are to confirm that it is gone.
            case missing
            /// It is gone, and edited here, so that somebody has to decide.
            case gone
        }

        /// What is known of it.
        package var kind: Kind
        /// The run that noted it first, nil where that is not known.
        package var since: Int64?
    }

    /// The records of one entity that stand within the record. Elements are JSON objects, without the key of the record.
    package struct List: Sendable, Equatable {
        /// What fills their table.
        package var mapping: RecordMapping
        /// Their table.
        package var table: String
        /// What the source gave, as far as its values are kept, as a JSON array in the order of the key.
        package var said: String
        /// What the table holds, likewise.
        package var held: String
        /// Whether people changed, added or deleted any.
        package var isEdited: Bool
        /// The open conflict over the list as a whole, which says also what the source gives now.
        package var conflict: ConflictEntry?
        /// The numbers of the open conflicts over single elements.
        package var elementConflicts: [Int64]
    }

    /// How far the source and the store manage the record.
    package enum State: String, Sendable {
        case live
        case remoteTombstone = "tomb_remote"
        case localTombstone = "tomb_local"
        /// The source said that it is deleted.
        case statedTombstone = "tomb_stated"
        /// Another source said that it is deleted.
        case overruled
        /// The row was never managed.
        case unmanaged
        /// There is neither row nor base any more.
        case forgotten
    }

    /// What fills the record's table.
    package var mapping: RecordMapping
    /// The table.
    package var table: String
    /// The record's key as a JSON object.
    package var key: String
    /// How far the source and the store manage it.
    package var state: State
    /// That the source does not have it any more, as far as runs noted it; nil where they did not.
    package var absence: Absence?
    /// Whether the table holds a row that is not marked as deleted.
    package var isThere: Bool
    /// Since when the row is marked as deleted, nil where it is not.
    package var markedAt: String?
    /// The run that wrote its base first.
    package var firstRun: Int64?
    /// The run that changed its base last.
    package var lastRun: Int64?
    /// Its fields in the order of the pipeline.
    package var fields: [Field]
    /// What runs did to it, the newest change first.
    package var changes: [HistoryChange]
    /// What sources said of its open conflicts in place of what they had said, the newest first.
    package var said: [RecordedEntry] = []
    /// Its conflicts, open and closed.
    package var conflicts: [ConflictEntry]
    /// What stands within it, by entity; those are left out of which there is nothing.
    package var lists: [List] = []
    /// What was put into quarantine under its key.
    package var quarantine: [QuarantineEntry]
    /// The references of other rows that wait for it.
    package var awaitedBy: [AwaitingReference] = []
    /// The runs that are named, by number.
    package var runs: [Int64: RunEntry]
    /// Whether runs that wrote it are so old that what they changed is not kept any more.
    package var isCut: Bool
    /// Whether no source has anything to do with it: it is what programs wrote of their own.
    package var isOfEdits = false

    /// Whether the source gave the record once, or something that was to become it.
    package var isGiven: Bool {
        let isKnown = state != .unmanaged && state != .forgotten
        if isOfEdits { return false }
        return isKnown || !conflicts.isEmpty || !quarantine.isEmpty || changes.contains { !$0.isOfLinks }
    }

    /// Whether it is a row of people's own: no source gave it, and no run wrote its values.
    package var isOwn: Bool { state == .unmanaged && !isGiven }

    /// Whether nothing is known of it but that others wait for it.
    package var isUnknown: Bool { state == .forgotten && changes.isEmpty && conflicts.isEmpty && quarantine.isEmpty }
}
