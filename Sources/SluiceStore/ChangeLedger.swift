internal import SluiceMerge
package import SluiceModel

/// What runs changed: enough to show it and to take it back.
///
/// Records that a run inserted are not in it unless their entity asks for that: the base's first run tells them.
package protocol ChangeLedger: AnyObject {
    /// What a run did to records, some changes at a time.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - order: Whether the first or the last change comes first.
    ///   - last: The number of the change that came last, nil to start.
    ///   - limit: The most changes to give.
    /// - Returns: None where there are no more.
    /// - Throws: ``StoreError``.
    func records(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedChange]

    /// What all runs did to one record, the oldest change first.
    func records(_ mapping: RecordMapping, key: String) throws -> [RecordedChange]

    /// The records of which what runs did last is to make their rows for others that refer to them. No source has had such a record
    /// since, and a row that is not there people deleted.
    ///
    /// - Parameter mapping: What fills the records' table.
    /// - Returns: Their keys as JSON objects, each with the run that made the row, the oldest first.
    /// - Throws: ``StoreError``.
    func stubs(_ mapping: RecordMapping) throws -> [(key: String, run: Int64)]

    /// What runs did to the conflicts of one record, or of the list whose key it is, the oldest change first.
    ///
    /// - Parameters:
    ///   - mapping: What fills the record's table.
    ///   - key: Its key as a JSON object.
    ///   - run: The first run to look at.
    /// - Returns: Each change, whose subject is ``RecordedEntry/Subject/conflict``.
    /// - Throws: ``StoreError``.
    func conflicts(_ mapping: RecordMapping, key: String, since run: Int64) throws -> [RecordedEntry]

    /// What a run did to conflicts and to records in quarantine, some changes at a time.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - order: Whether the first or the last change comes first.
    ///   - last: The number of the change that came last, nil to start.
    ///   - limit: The most changes to give.
    /// - Returns: None where there are no more.
    /// - Throws: ``StoreError``.
    func entries(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedEntry]

    /// What runs after one changed of what the store remembers of streams, the first change of each thing alone: its old value
    /// is what the run left.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - pipeline: The pipeline's name.
    /// - Returns: The changes, in their order.
    /// - Throws: ``StoreError``.
    func stateChanges(since run: Int64, of pipeline: String) throws -> [RecordedEntry]

    /// What a run changed of tables that were there, the last change first.
    ///
    /// - Parameter run: The number of the run.
    /// - Returns: Each change, whose subject is ``RecordedEntry/Subject/schema``.
    /// - Throws: ``StoreError``.
    func schema(run: Int64) throws -> [RecordedEntry]

    /// The fields of which the history of a run may have values of an earlier type, or earlier values of an `enum`: those that
    /// got others in the run or after it, and those of which values went to the quarantine for that at any time.
    ///
    /// - Parameters:
    ///   - mapping: What fills the table.
    ///   - run: The number of the run.
    /// - Returns: Their names, as they are now.
    /// - Throws: ``StoreError``.
    func retypedFields(of mapping: RecordMapping, since run: Int64) throws -> Set<String>

    /// How tables followed the pipeline in a run, in words as reports have them: what ``schema(run:)`` keeps, the first
    /// change first.
    ///
    /// - Parameter run: The number of the run.
    /// - Returns: The changes, without the numbers of their rows.
    /// - Throws: ``StoreError``.
    func tableChanges(run: Int64) throws -> [SchemaChange]

    /// Forgets what runs changed that ended before a moment, the oldest first.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline whose runs are meant.
    ///   - moment: RFC 3339 in UTC.
    ///   - limit: About how many changes to forget at most; the others wait for the next time.
    /// - Throws: ``StoreError``.
    func prune(pipeline: String, endedBefore moment: String, limit: Int) throws

    /// Of some records those whose insert by a run is kept.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - mapping: What fills the records' table.
    ///   - keys: The records' keys as JSON objects.
    /// - Returns: Their keys.
    /// - Throws: ``StoreError``.
    func keptInserts(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> Set<ExactText>

    /// The changes by which a run wrote the rows of some records, without their values; links and unlinks do not count.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - mapping: What fills the records' table.
    ///   - keys: The records' keys as JSON objects.
    /// - Returns: The changes by key, the oldest first.
    /// - Throws: ``StoreError``.
    func writes(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [RowWrite]]
}

extension ChangeLedger {
    /// Of some records those whose insert by a run is kept.
    package func keptInserts(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> Set<ExactText> {
        Set(
            try keys.filter { key in
                try records(mapping, key: key).contains { $0.run == run && $0.baseBefore == nil && !$0.isOfLinks }
            }.map { ExactText($0) })
    }

    /// The changes by which a run wrote the rows of some records.
    package func writes(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [RowWrite]] {
        var found: [ExactText: [RowWrite]] = [:]
        for key in keys {
            found[ExactText(key)] = try records(mapping, key: key).filter { $0.run == run && $0.isWrite }
                .map { RowWrite(id: $0.id, action: $0.action) }
        }
        return found
    }
}

/// A change by which a run wrote a row, without its values.
package struct RowWrite: Sendable, Equatable {
    /// The number of the change.
    package let id: Int64
    /// What happened to the row.
    package let action: RecordedChange.Action

    /// Makes a value of its parts.
    package init(id: Int64, action: RecordedChange.Action) { (self.id, self.action) = (id, action) }
}

/// Which of several changes comes first.
package enum ChangeOrder: Sendable {
    case oldestFirst, newestFirst
}

/// What a run did to one record.
package struct RecordedChange: Sendable, Equatable {
    /// What happened to the row.
    package enum Action: String, Sendable, CaseIterable {
        case insert, update, delete
        /// Nothing: the base alone changed.
        case base
    }

    /// What a row of the history may be about: a record and its columns, a row that stands for one, or what ``RecordedEntry`` tells.
    package static let kinds = ["record", "field", "column", "stub"] + RecordedEntry.Subject.allCases.map(\.rawValue)

    /// A column whose value changed.
    package struct Column: Sendable, Equatable {
        /// The field's name, or the column's where no field fills it.
        package var name: String
        /// Whether a field fills it.
        package var isField: Bool
        /// How the sides of the field were related, such as `remote_update`; nil where that was not said.
        package var fieldClass: String?
        /// What it held before.
        package var old: FieldValue
        /// What the run wrote.
        package var new: FieldValue

        /// Makes a column.
        package init(name: String, isField: Bool, fieldClass: String?, old: FieldValue, new: FieldValue) {
            self.name = name
            self.isField = isField
            self.fieldClass = fieldClass
            self.old = old
            self.new = new
        }
    }

    /// The number of the change.
    package var id: Int64
    /// The number of the run.
    package var run: Int64
    /// What fills the record's table.
    package var mapping: RecordMapping
    /// The record's key as a JSON object.
    package var key: String
    /// What happened to the row.
    package var action: Action
    /// How the three sides of the record were related, such as `merge`; nil where that was not said.
    package var kind: String?
    /// The base before, nil where there was none.
    package var baseBefore: BaseImage?
    /// The base afterwards.
    package var baseAfter: BaseImage?
    /// The whole row: of a delete the one that went, of an insert the one that came, where the base does not say it.
    package var row: RowImage?
    /// What changed of a row that was there before and afterwards; of an insert what was written, where that is kept.
    package var columns: [Column] = []
    /// The page that says it, a path or URL without secrets; nil where no page does, or that is not known.
    package var page: String?
    /// The references that the run overwrote and that were null for good: `old` is what each had led to, of a set those
    /// members alone. The row counts as leading there, so neither row nor columns tell of it.
    package var emptied: [Column] = []

    /// The kind of a change that linked references which had waited for their records: they counted as linked before.
    package static let linkKind = "link"
    /// The kind of a change that took references away from a row that still counts as leading there: since their records
    /// went, or since such a link was taken back.
    package static let unlinkKind = "unlink"
    /// How the sides of a field were related that was linked.
    package static let linkClass = "linked"
    /// How those of a field are related whose reference is null until its record comes.
    package static let waitingClass = "waiting"
    /// How those of a field are related whose reference is null for good.
    package static let emptiedClass = "emptied"

    /// Whether it linked references that had waited; of a set `new` has those members alone.
    package var isLink: Bool { kind == Self.linkKind }
    /// Whether it took references away that the row still counts as having; of a set `old` has those members alone.
    package var isUnlink: Bool { kind == Self.unlinkKind }
    /// Whether it changed nothing but which references wait.
    package var isOfLinks: Bool { isLink || isUnlink }
    /// Whether it wrote the row by what a source, a decision or a program says.
    package var isWrite: Bool { action != .base && !isOfLinks }

    /// The kind of a change that a program made of its own, as people do, and had kept in the history.
    package static let editKind = "edit"
    /// Whether a program made it, and no source said it.
    package var isEdit: Bool { kind == Self.editKind }

    /// Whether it made a row with a key alone, for others that refer to the record: no source said it.
    package var makesStub: Bool { action == .insert && kind == nil && baseBefore == nil && baseAfter == nil }

    /// Whether an undo brought a row back that no run had made: it is people's.
    package var bringsBackUnmanaged: Bool { action == .insert && kind == RowKind.unmanaged.rawValue }

    /// Whether a source came to a row that was there already.
    package var isAdoption: Bool { baseBefore == nil && action != .insert && !isOfLinks && !isEdit }

    /// Makes a change of which only the row's fate is known.
    package init(id: Int64, run: Int64, mapping: RecordMapping, key: String, action: Action, kind: String?) {
        self.id = id
        self.run = run
        self.mapping = mapping
        self.key = key
        self.action = action
        self.kind = kind
    }
}

extension [RecordedChange] {
    /// The change by which a run put the row there that a record has after these changes, the oldest of which comes first; nil where
    /// people did, or where there is none. One that was filled and emptied again, as by an undo, is the same row.
    package var insertOfRow: RecordedChange? {
        guard let last = last(where: { !$0.isOfLinks && $0.action != .update }), last.action == .insert else {
            return nil
        }
        return last.bringsBackUnmanaged ? nil : last
    }
}

extension RecordStore {
    /// What runs changed of a record, as far as it tells whose row it has: an undo that was undone and the undo of that are as if
    /// neither had been.
    ///
    /// - Parameters:
    ///   - mapping: What fills the record's table.
    ///   - key: The record's key as a JSON object.
    /// - Returns: The changes, the oldest first.
    /// - Throws: ``StoreError``.
    package func changesOfRow(_ mapping: RecordMapping, key: String) throws -> [RecordedChange] {
        let all = try changes.records(mapping, key: key)
        let numbers = Set(all.map(\.run))
        // The undo of an undo is not alone.
        if numbers.count < 2 { return all }
        let void = try numbers.filter { number in
            guard let run = try runs.entry(id: number), let target = run.undoes else { return false }
            return try run.undoneBy != nil || runs.entry(id: target)?.undoes != nil
        }
        return void.isEmpty ? all : all.filter { !void.contains($0.run) }
    }
}

/// What a run did to one conflict or record in quarantine.
package struct RecordedEntry: Sendable, Equatable {
    /// What was changed.
    package enum Subject: String, Sendable, CaseIterable {
        case conflict, quarantine
        /// What is remembered of a stream, such as its cursor; `kind` is its name.
        case state
        /// A table that followed the pipeline; `kind` is that of the change. ``ChangeLedger/schema(run:)`` gives it.
        case schema
    }

    /// The number of the change.
    package var id: Int64
    /// The number of the run.
    package var run: Int64
    /// What was changed.
    package var subject: Subject
    /// The number of the conflict or record in quarantine; below zero for what waits with a conflict (``ConflictStatus/within``).
    package var entry: Int64
    /// What fills the record's table.
    package var mapping: RecordMapping
    /// The record's key as a JSON object, nil where it could not be read.
    package var key: String?
    /// The field, nil for a conflict of the whole record.
    package var field: String?
    /// The conflict's kind or the reason of the quarantine.
    package var kind: String
    /// `opened`, `changed`, `closed`, `reopened` or `withdrawn`.
    package var action: String
    /// The entry before, as its ledger wrote it; nil where there was none.
    package var old: String?
    /// The entry afterwards; nil where there is none.
    package var new: String?

    /// Whether it is about what waits with a conflict, which nobody is told.
    package var isWithin: Bool { subject == .conflict && entry < 0 }

    /// Makes an entry; one that is to be recorded gets its number and its run from the ledger.
    package init(
        id: Int64 = 0, run: Int64 = 0, subject: Subject, entry: Int64, mapping: RecordMapping, key: String?,
        field: String?, kind: String, action: String, old: String?, new: String?
    ) {
        self.id = id
        self.run = run
        self.subject = subject
        self.entry = entry
        self.mapping = mapping
        self.key = key
        self.field = field
        self.kind = kind
        self.action = action
        self.old = old
        self.new = new
    }
}

/// What became of links that were to be taken back.
package enum LinkUndoing: Sendable, Equatable {
    /// They wait for their records again: what the row no longer leads to.
    case back([RecordedChange.Column])
    /// There is nothing left of them, be it that the row is gone.
    case gone
    /// The row refers to something else now.
    case edited([FieldValue])
}
