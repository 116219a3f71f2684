internal import SluiceMerge
internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// What a report tells of one record: the value that Markdown, HTML and CSV are made of. Values are JSON text.
struct ReportEntry {
    /// What happens to the record, as reports for programs name it.
    enum Action: String {
        case insert, update, delete, conflict
        case keptLocal = "kept_local"
        /// A conflict ended.
        case closed
        /// The record was not written.
        case quarantine
        /// The record's entry in quarantine ended.
        case released
    }

    /// A conflict that an entry is about.
    struct Conflict {
        /// Its number; nil in a plan that would open it.
        let id: Int64?
        let status: String
        /// What people should know of it; may be empty.
        let note: String
    }

    /// A field, or the whole record where it has no name.
    struct Field {
        let name: String?
        /// How the three sides relate.
        let fieldClass: String
        let base: String?
        /// What is said in the place of a base that is not stored; nil where there is one, and where there never was.
        var missingBase: String?
        let local: String?
        let remote: String?
        var result: String?
        var conflict: Conflict?

        /// Whether it is a list that is one value, and no record: where there is no field, its sides are arrays.
        var isList: Bool { name == nil && [base, local, remote].contains { $0?.hasPrefix("[") == true } }

        /// Whether the value that the store holds becomes another one.
        var isChange: Bool { result != nil && result != local }
    }

    let stream: String
    let entity: String
    let table: String
    /// The key as a JSON object; nil where it could not be read.
    let key: String?
    var action: Action
    /// How the sides of the record relate, or why it was not written.
    let kind: String
    var deletion: RecordChange.Deletion?
    var fields: [Field] = []
    /// The conflict over the record as a whole.
    var conflict: Conflict?
    /// What is wrong with a record that was not written, or how its time in quarantine ended; else empty.
    var message = ""
    /// What became of an entry in quarantine that ended: `closed` or `dropped`; nil of all else.
    var ended: String?
    /// The records that it belongs to, and itself; nil where it stands for itself.
    var path: [RecordName]?

    /// Whether the run wrote the record before.
    var isAgain = false
    /// Whether a run is taken back.
    var isUndo = false

    /// What its kind says besides what happens to it; nil where that is nothing.
    var kindWords: String? {
        // What an entry of conflicts alone is about is said by each of them.
        if action == .conflict || action == .closed, RowKind(rawValue: kind) == nil { return nil }
        guard isUndo, action == .conflict, conflict == nil, let row = RowKind(rawValue: kind) else {
            return KindWords.record(kind)
        }
        return UndoText.reason(row)
    }

    /// What it belongs together with.
    var group: ReportGroup {
        let kind: ReportGroup.Kind =
            switch action {
            case .insert: ReportGroup.Kind(.insert, isAgain: isAgain)
            case .update: ReportGroup.Kind(updating: RowKind(rawValue: self.kind) ?? .update, isAgain: isAgain)
            case .delete: ReportGroup.Kind(deletion)
            case .conflict: .conflict
            case .keptLocal: .kept
            case .closed: .over
            case .quarantine: .invalid
            case .released: .released
            }
        return ReportGroup(kind: kind, table: table)
    }
}

extension ReportEntry {
    /// A change, with the conflicts that were told of its record.
    init(_ change: RecordChange, schema: RecordSchema, conflicts: [ConflictEntry], families: EntityFamilies) {
        stream = schema.stream
        entity = schema.entity
        table = schema.table
        key = FieldJSON.object(key: change.key, schema: schema)
        action =
            switch change.action {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            case .conflict: .conflict
            case .keptLocal: .keptLocal
            }
        kind = change.kind.rawValue
        deletion = change.deletion
        isAgain = change.isAgain
        path = families.path(to: change.key, of: schema)
        conflict = conflicts.first { $0.field == nil }.map(Conflict.init)
        fields = change.fields.map { field in
            let described = schema.fields[field.index]
            func text(_ value: FieldValue?) -> String? { value.map { FieldJSON.text($0, type: described.type) } }
            return Field(
                name: described.name, fieldClass: field.fieldClass.rawValue, base: text(field.base),
                missingBase: field.base == nil ? FieldSides.words(field.baseAbsence) : nil, local: text(field.local),
                remote: text(field.remote), result: text(field.result),
                conflict: conflicts.first { $0.field == described.name }.map(Conflict.init))
        }
        let names = Set(fields.compactMap(\.name))
        fields += conflicts.filter { entry in entry.field.map { !names.contains($0) } ?? fields.isEmpty }.map(
            Field.init)
    }

    /// Conflicts of one record of which nothing else changes.
    init(_ conflicts: [ConflictEntry], first: ConflictEntry, families: EntityFamilies) {
        stream = first.stream
        entity = first.entity
        table = families.table(of: first.entity)
        key = first.key
        action = first.status == .open || first.status == .auto ? .conflict : .closed
        kind = first.kind
        path = families.path(to: first.entity, keyText: first.key)
        conflict = conflicts.first { $0.field == nil }.map(Conflict.init)
        fields = conflicts.map(Field.init)
    }

    /// A record that was not written.
    init(_ entry: QuarantineEntry, families: EntityFamilies) {
        stream = entry.stream
        entity = entry.entity
        table = families.table(of: entry.entity)
        key = entry.key
        action = .quarantine
        kind = entry.reason
        message = entry.message
        fields = [
            Field(
                name: entry.pointer.isEmpty ? nil : entry.pointer, fieldClass: "", base: nil, local: nil,
                remote: entry.value.map { JSONObject.kept($0) })
        ]
    }
}

extension ReportEntry.Conflict {
    fileprivate init(_ entry: ConflictEntry) {
        self.init(
            id: entry.id, status: entry.status.rawValue,
            note: ConflictText.obstacle(entry) ?? (entry.status == .obsolete ? entry.end?.words : nil) ?? "")
    }
}

extension ReportEntry.Field {
    fileprivate init(_ entry: ConflictEntry) {
        self.init(
            name: entry.field, fieldClass: entry.kind, base: entry.base.map { JSONObject.kept($0) },
            missingBase: entry.base == nil ? FieldSides.words(entry.baseAbsence) : nil,
            local: entry.local.map { JSONObject.kept(entry.field == nil ? ShownRecord.counted($0) : $0) },
            remote: entry.remote.map { JSONObject.kept($0) }, conflict: ReportEntry.Conflict(entry))
    }
}
