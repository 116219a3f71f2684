internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// What becomes of one record as its conflicts are decided, one after the other. It reads and writes nothing.
struct RecordSettlement {
    private let key: RecordKey
    private let json: StoredJSON
    private let canonical: CanonicalRecord
    private var schema: RecordSchema { canonical.schema }
    /// The run that decides.
    private let run: Int64
    /// What the store holds, nil where there is no row.
    private let local: [FieldValue]?
    private let oldBase: BaseRow
    private var entries: [BaseEntry]
    private var state: BaseState
    private var updates: [Int: FieldValue] = [:]
    /// What a decision about the whole record does to the row.
    private var wholeRow: RecordWrite.Row?
    /// How the row is deleted.
    private let deletion: RecordWrite.Row

    init(
        key: RecordKey, canonical: CanonicalRecord, base: BaseRow, local: [FieldValue]?, json: StoredJSON, time: String,
        run: Int64
    ) {
        (self.key, self.canonical, self.json, self.run) = (key, canonical, json, run)
        deletion = canonical.schema.deletesSoftly ? .markDeleted(at: time, run: run) : .delete
        oldBase = base
        entries = base.entries
        state = base.state
        self.local = local
    }

    /// What becomes of the record.
    ///
    /// - Parameter remainsOpen: Whether a conflict of it waits for another decision.
    /// - Returns: The plan, without what becomes of its conflicts.
    func plan(remainsOpen: Bool) -> RecordPlan {
        var base = base
        if !remainsOpen && base.state == .statedTombstone { base.endStatement() }
        (base.isOpen, base.lastRun) = (remainsOpen, run)
        var plan = RecordPlan(writing: RecordWrite(key: key, row: row, base: base))
        if row.deletes { plan.below = .go }
        return plan
    }

    /// The base that goes with ``row``.
    private var base: BaseRow {
        var base = oldBase
        base.entries = entries
        base.state = state
        // The hash is a sum over what the pipeline maps, which may be less than the store remembers: what is not decided
        // stays in it, or out of it.
        base.rowHash &+= canonical.rowHash(of: entries) &- canonical.rowHash(of: oldBase.entries)
        return base
    }

    /// The row as a conflict over a deletion shows it.
    ///
    /// - Parameter within: What people did below the record.
    /// - Returns: Nil where there is no row.
    func shown(within: String?) -> String? { local.map { canonical.object($0, within: within) } }

    /// What people had done below the record, as a conflict showed it.
    func editsWithin(_ shown: String?) -> String? {
        let member = shown.flatMap { json.members($0) }?.first { $0.name == RecordSchema.withinName }
        guard case .text(let bytes)? = member.flatMap({ json.value($0.json, type: .string) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is to be written to the row.
    var row: RecordWrite.Row {
        if let wholeRow { return wholeRow }
        let fields = updates.keys.sorted()
        return fields.isEmpty ? .none : .update(fields: fields, values: fields.compactMap { updates[$0] })
    }

    /// Whether a closed conflict was decided so already: the same side was taken, or the row holds the value that was given.
    func isStanding(_ resolution: Resolution, _ conflict: ConflictEntry) -> Bool {
        guard conflict.wasDecided(as: resolution) else { return false }
        guard case .value(let text, let name) = resolution else { return true }
        guard name == conflict.field, let field = schema.fields.firstIndex(where: { $0.name == name }),
            let held = local?[field], let value = json.value(typed: text, type: schema.fields[field].type)
        else { return false }
        return canonical.same(value, held, field: field)
    }

    /// Whether the store holds what a conflict over a field shows.
    func shows(_ conflict: ConflictEntry) -> Bool {
        guard let field = schema.fields.firstIndex(where: { $0.name == conflict.field }) else { return true }
        return holds(conflict.local, field: field)
    }

    /// Lets a conflict over a field show what the store holds.
    func bringUpToDate(_ conflict: inout ConflictEntry) {
        guard let field = schema.fields.firstIndex(where: { $0.name == conflict.field }) else { return }
        conflict.local = local.map { canonical.text($0[field], field: field) }
    }

    /// Decides one open conflict of the record; its local side is brought up to date where that is not what it shows.
    mutating func apply(_ resolution: Resolution, to conflict: inout ConflictEntry) -> ResolutionOutcome {
        guard let name = conflict.field else { return applyToRecord(resolution, &conflict) }
        guard let field = schema.fields.firstIndex(where: { $0.name == name }) else {
            return .refused("The field `\(name)` is not known any more.")
        }
        return applyToField(field, resolution, &conflict)
    }

    // MARK: Fields

    private mutating func applyToField(
        _ field: Int, _ resolution: Resolution, _ conflict: inout ConflictEntry
    ) -> ResolutionOutcome {
        let (name, type) = (schema.fields[field].name, schema.fields[field].type)
        guard holds(conflict.local, field: field) else {
            bringUpToDate(&conflict)
            return .reopened
        }
        if local == nil { return .refused("Its row was deleted here; the next run settles that.") }
        guard let said = conflict.remote else {
            return .refused("The source's value is not kept; run the pipeline again.")
        }
        let sides = WritableSides(schema.fields[field])
        let remote = json.value(said, type: type).map { schema.stored($0, field: field) }
        switch resolution {
        case .local: break
        case .remote:
            guard let value = sides.value(said) else { return .refused(misfit(said, field)) }
            updates[field] = schema.stored(value, field: field)
        case .base:
            switch entries[field] {
            case .value(let value):
                guard let value = sides.value(value) else {
                    return .refused(misfit(FieldJSON.text(value, type: type), field))
                }
                updates[field] = schema.stored(value, field: field)
            case .null: updates[field] = .null
            case .none:
                // What the store forgot of the source since, as an undo of the run that took the row over has it, the conflict shows.
                guard let shown = conflict.base else {
                    return .refused("It has no base: the source never gave a value before.")
                }
                guard let value = sides.value(shown) else { return .refused(misfit(shown, field)) }
                updates[field] = schema.stored(value, field: field)
            case .digest:
                return .refused(
                    "Its base is not stored, only a digest is. Give the value with `--set`; `keep_base: full` keeps it from now on."
                )
            }
        case .value(_, let other) where other != name:
            return .refused("It is about `\(name)`, and the value is for `\(other)`.")
        case .value where schema.fields[field].redaction != nil:
            return .refused("The values of `\(name)` are redacted, so none can be given. Take one of the sides.")
        case .value(let text, _):
            guard let value = json.value(typed: text, type: type, isKey: schema.identifies(field)) else {
                return .refused("`\(text)` is not a valid \(type.rawValue), which `\(name)` needs\(type.exampleWords).")
            }
            if schema.fields[field].isLink, !text.drop(while: \.isWhitespace).hasPrefix("[") {
                return .refused("`\(name)` takes an array of keys such as `[1,5]`.")
            }
            if let reason = refusal(of: value, field: field) { return .refused(reason) }
            updates[field] = value
        }
        entries[field] = remote.map { canonical.entry($0, field: field) } ?? sides.earlier(said)
        return .resolved
    }

    /// Says that a side is no value that the field can have since its type changed.
    private func misfit(_ text: String, _ field: Int) -> String {
        let name = schema.fields[field].name
        return
            "\(text) is no value of `\(name)`, which is \(schema.fields[field].type.rawValue) now. Keep the table's value with `--take local`, or give one with `--set \(name)=VALUE`."
    }

    /// Why an `enum` cannot have a value; nil where it can, and for other types.
    private func refusal(of value: FieldValue, field: Int) -> String? {
        let (name, allowed) = (schema.fields[field].name, schema.fields[field].allowed)
        guard !allowed.isEmpty, case .text(let bytes) = value, !allowed.contains(bytes) else { return nil }
        let values = allowed.map { "`\(String(decoding: $0, as: UTF8.self))`" }.sorted().joined(separator: ", ")
        return "`\(String(decoding: bytes, as: UTF8.self))` is none of the values of `\(name)`: \(values)."
    }

    // MARK: Records

    private mutating func applyToRecord(
        _ resolution: Resolution, _ conflict: inout ConflictEntry
    ) -> ResolutionOutcome {
        // To look at it once more would settle nothing.
        if conflict.kind == RowKind.deleteEdit.rawValue, local != nil {
            return .refused("A row with its key is there again; the next run settles that.")
        }
        guard holds(conflict.local) else {
            conflict.local = local.map { canonical.object($0) }
            return .reopened
        }
        guard resolution == .local || resolution == .remote else {
            return .refused("It is about the whole record, which takes `--take local` or `--take remote`.")
        }
        // The base advances with the decision, and what was decided is to be seen later as well.
        let said = conflict.base ?? canonical.said(by: oldBase, of: key)
        switch RowKind(rawValue: conflict.kind) {
        case .editDelete:
            conflict.base = said
            // What a source stated and what it no longer lists are remembered apart.
            if state != .statedTombstone { state = .remoteTombstone }
            if resolution == .remote && local != nil { wholeRow = deletion }
            return .resolved
        case .deleteEdit:
            guard let remote = conflict.remote.flatMap(record) else {
                return .refused("The source's record is not kept; run the pipeline again.")
            }
            conflict.base = said
            state = .localTombstone
            if resolution == .remote {
                // A row that comes back knows of its source what that says now, and nothing else.
                entries = [BaseEntry](repeating: .none, count: schema.fields.count)
                state = .live
                wholeRow = .insert(schema.fields.indices.map { remote[$0]?.value ?? .null })
            }
            for (field, side) in remote { entries[field] = side.entry }
            return .resolved
        default: return .refused("Conflicts of the kind `\(conflict.kind)` are not known.")
        }
    }

    /// A record that a conflict shows, by the fields' positions: the values that its row can have, nil where the type of a field
    /// has changed since, and what the base keeps of each.
    ///
    /// - Returns: Nil where it is none of the schema's records.
    private func record(_ shown: String) -> [Int: (value: FieldValue?, entry: BaseEntry)]? {
        guard let members = json.members(shown) else { return nil }
        var sides: [Int: (value: FieldValue?, entry: BaseEntry)] = [:]
        for member in members {
            guard let index = schema.fields.firstIndex(where: { $0.name == member.name }) else { return nil }
            let field = schema.fields[index]
            let isFixed = schema.identifies(index) || field.redaction != nil || field.isLink
            let value =
                isFixed
                ? json.value(member.json, type: field.type, isKey: schema.identifies(index))
                : WritableSides(field).value(member.json)
            if value == nil && isFixed { return nil }
            sides[index] = (
                value, value.map { canonical.entry($0, field: index) } ?? WritableSides(field).earlier(member.json)
            )
        }
        return sides
    }

    /// Whether the store holds the record that a conflict shows; a field that the conflict does not name is no matter.
    private func holds(_ shown: String?) -> Bool {
        guard let shown, local != nil else { return shown == nil && local == nil }
        guard let members = json.members(shown) else { return false }
        return members.allSatisfy { member in
            guard let field = schema.fields.firstIndex(where: { $0.name == member.name }) else { return true }
            return holds(member.json, field: field)
        }
    }

    /// Whether the store holds the value that a conflict shows, nil for no row.
    private func holds(_ shown: String?, field: Int) -> Bool {
        guard let shown, let held = local?[field] else { return shown == nil && local == nil }
        let type = schema.fields[field].type
        if json.same(shown, canonical.text(held, field: field)) { return true }
        return json.value(shown, type: type).map { canonical.same($0, held, field: field) } ?? false
    }
}
