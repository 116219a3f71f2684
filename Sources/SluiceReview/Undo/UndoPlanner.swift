internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Decides what becomes of records as a run's changes of them are taken back. It reads and writes nothing.
struct UndoPlanner {
    /// The fields of the records.
    let schema: RecordSchema
    let canonical: CanonicalRecord
    /// For each slot of a base the position of its field.
    let fieldOfSlot: [Int]
    /// The run that takes back, nil in a plan.
    let run: Int64?
    /// Whether a column marks rows as deleted.
    let marksDeletion: (_ column: String) -> Bool
    /// The fields of which the history may have values of an earlier type, see ``ChangeLedger/retypedFields(of:since:)``.
    var retyped: Set<String> = []
    /// Whether the run that is taken back took one back itself: the rows that it brought may hold what people wrote before.
    let isOfUndo: Bool
    /// Whether the fields of a row that goes are told.
    let isShown: (_ key: RecordKey) -> Bool

    // MARK: Plans

    /// Plans what becomes of a record.
    func plan(_ facts: UndoFacts) -> UndoPlan {
        let change = facts.change
        if change.action == .base { return basePlan(facts) }
        let local: LocalRow =
            facts.row.map { row in
                let isLost = change.action == .insert && facts.isEditedElsewhere
                return .present(isEdited: isLost || isTouched(change, row, facts.base))
            } ?? .absent
        let decision =
            facts.isWaiting
            ? .left(.merge)
            : UndoMerge.row(wasThere: change.action != .insert, wasLeft: change.action != .delete, now: local)
        switch decision {
        case .nothing:
            var plan = basePlan(facts)
            plan.forgetsDeletion =
                change.action == .insert && facts.row == nil && facts.base?.state == .live
                && plan.record.write?.keptBase != nil
            plan.isAsBefore = !plan.forgetsDeletion
            return plan
        case .mergeFields: return fieldsPlan(facts)
        case .delete where facts.isHeldSince: return left(facts.key, .heldElsewhere)
        case .delete:
            let base = newBase(change, now: facts.base)
            return UndoPlan(
                RecordWrite(undoing: facts.key, row: .delete, base), .removed(isInsert: false),
                change: deletion(of: facts.key, facts.row))
        // Before the run there was no such row either.
        case .restore where facts.wasMadeByRun: return basePlan(facts)
        case .restore where hasMoved(change, facts.base): return left(facts.key, .deleteEdit, touched(change, nil))
        case .restore where facts.lacksOwner: return left(facts.key, .ownerGone)
        case .restore: return restorePlan(facts)
        case .left(let kind): return left(facts.key, kind, touched(change, facts.row))
        }
    }

    /// Plans what becomes of a record that the run inserted, as its base tells.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - base: Its base.
    ///   - row: Its row, nil where there is none.
    ///   - target: The run that inserted it.
    ///   - isHeldSince: Whether another source of the table came to have it since.
    ///   - isEditedElsewhere: See ``UndoFacts/isEditedElsewhere``.
    /// - Returns: The plan; nil where nothing becomes of it.
    func plan(
        insert key: RecordKey, _ base: BaseImage, row: RowImage?, by target: Int64, isHeldSince: Bool,
        isEditedElsewhere: Bool
    ) -> UndoPlan? {
        let isUntouched = base.lastRun == target && base.state == .live && !base.isOpen
        guard let row else {
            // It was deleted since: where that was by hand, nothing of it is left but its base.
            guard isUntouched else { return nil }
            var plan = UndoPlan(RecordWrite(undoing: key, row: .none, .remove))
            plan.forgetsDeletion = true
            return plan
        }
        guard isUntouched, !isEditedElsewhere, !isEdited(row, base) else {
            var told = edited(row, entries(of: base))
            if base.lastRun != target {
                // What the base says since a later run, this one did not write.
                for field in told.indices { told[field].base = nil }
            }
            return left(key, .editDelete, told)
        }
        if isHeldSince { return left(key, .heldElsewhere) }
        return UndoPlan(
            RecordWrite(undoing: key, row: .delete, .remove), .removed(isInsert: true), change: deletion(of: key, row))
    }

    /// Leaves a record as it is.
    private func left(_ key: RecordKey, _ kind: RowKind, _ fields: [RecordChange.Field] = []) -> UndoPlan {
        UndoPlan(leaving: key, RecordChange(action: .conflict, kind: kind, key: key, fields: fields))
    }

    private func basePlan(_ facts: UndoFacts) -> UndoPlan {
        // A row that is there since was made in spite of the statement. Forgotten, that would be news to the next run.
        let isOverruled =
            facts.change.action == .base && facts.change.statesAbsence && facts.row != nil
            && facts.change.baseBefore?.state != facts.change.baseAfter?.state
        let base = isOverruled ? nil : newBase(facts.change, now: facts.base, left: facts.leftSlots)
        return UndoPlan(RecordWrite(undoing: facts.key, row: .none, base))
    }

    private func restorePlan(_ facts: UndoFacts) -> UndoPlan {
        let key = facts.key
        guard let row = facts.change.row else { return UndoPlan(leaving: key, nil) }
        let base = newBase(facts.change, now: facts.base).map { withoutLostLinks($0, of: row) }
        let fields = fields(of: held(row, facts.emptied)) { ($0.remote, $0.result) = ($1, $1) }
        var plan = UndoPlan(
            write(key, .restore(stored(row)), base),
            change: RecordChange(action: .insert, kind: .insert, key: key, fields: fields))
        plan.record.emptied = facts.emptied
        if facts.isUnmanaged { plan.record.write?.kind = .unmanaged }
        return plan
    }

    /// Sets the fields that the run changed back, one by one.
    private func fieldsPlan(_ facts: UndoFacts) -> UndoPlan {
        let (change, key, row) = (facts.change, facts.key, facts.row)
        // To mark a row again is to delete it, and one that was edited since stays.
        let isBack = change.columns.contains { column in
            marksDeletion(column.name) && !column.old.isNull && column.new.isNull && row?[column.name]?.isNull == true
        }
        if isBack, let row, let after = change.baseAfter, isEditedSince(change, row, after) {
            return left(key, .editDelete, edited(row, entries(of: after)))
        }
        var written: [RowImage.Column] = []
        var told: [RecordChange.Field] = []
        var left: Set<String> = []
        var leftSlots = facts.leftSlots
        var back: Set<String> = []
        var lost: [String] = []
        let torn = tornFields(change, row)
        // Of values that are kept no more, since their field is redacted, nothing can be taken back.
        for column in change.columns where column.old != column.new {
            let index = column.isField ? schema.fields.firstIndex { $0.name == column.name } : nil
            let place = index.map { schema.fields[$0].column } ?? column.name
            guard index != nil || !column.isField, let now = row?[place] else {
                left.insert(column.name)
                lost.append(column.name)
                continue
            }
            let decision = UndoMerge.field(
                wrote: side(column.new, place), now: side(now, place),
                before: before(column.old, index, place, now: now))
            let old = index.map { schema.stored(column.old, field: $0) } ?? column.old
            // A key of several fields is set back as a whole or not at all.
            if let index, torn.contains(index), decision.takesRemote {
                left.insert(column.name)
                if let slot = slot(of: index) { leftSlots.insert(slot) }
                continue
            }
            if decision.takesRemote {
                written.append(RowImage.Column(name: place, value: old))
            }
            if decision.settlement == .open {
                left.insert(column.name)
                if let slot = index.flatMap(slot) { leftSlots.insert(slot) }
            }
            guard let index, decision.fieldClass != .converged else { continue }
            if decision.takesRemote { back.insert(column.name) }
            // What was null for good is null again.
            let before = held(old, index, facts.emptied)
            told.append(
                RecordChange.Field(
                    index: index, fieldClass: decision.fieldClass, base: column.new, local: now, remote: before,
                    result: decision.takesRemote ? before : now))
        }
        // What the source says of a field stays with its value, wherever that is now.
        if !lost.isEmpty { leftSlots.formUnion(fieldOfSlot.indices.filter { fieldOfSlot[$0] < 0 }) }
        // A row that stays marked as deleted is one whose source, or somebody, deleted it since.
        let staysMarked = left.contains(where: marksDeletion)
        let base = staysMarked ? nil : newBase(change, now: facts.base, left: leftSlots)
        var plan = UndoPlan(write(key, written.isEmpty ? .none : .set(written), base))
        (plan.left, plan.lost) = (left, lost)
        plan.record.emptied = emptied(facts.emptied, writing: back)
        if told.isEmpty && written.isEmpty && left.isEmpty {
            plan.isAsBefore = !change.columns.isEmpty
            return plan
        }
        plan.record.change = news(of: key, row, written, told, isLeft: !left.isEmpty)
        return plan
    }

    /// What is written of a record of which something is put back: what its field can hold no longer is null, and waits.
    func write(_ key: RecordKey, _ row: RecordWrite.Row, _ base: RecordWrite.KeptBase?) -> RecordWrite {
        var write = RecordWrite(undoing: key, row: row, base)
        switch row {
        case .restore(let image):
            let (columns, waiting) = fitting(image.columns)
            (write.row, write.waiting) = (.restore(RowImage(columns)), waiting)
        case .set(let all):
            let (columns, waiting) = fitting(all)
            (write.row, write.waiting) = (.set(columns), waiting)
        case .none, .insert, .update, .delete, .markDeleted: break
        }
        return write
    }

    /// Columns as their fields can hold them by now, and what they cannot.
    private func fitting(
        _ columns: [RowImage.Column]
    ) -> (columns: [RowImage.Column], waiting: [(field: Int, value: FieldValue)]) {
        var columns = columns
        var waiting: [(field: Int, value: FieldValue)] = []
        for (place, column) in columns.enumerated() {
            guard let field = schema.field(ofColumn: column.name), isEarlier(column.value, field) else { continue }
            waiting.append((field, column.value))
            columns[place].value = .null
        }
        return (columns, waiting)
    }

    /// The side of what a column held before a run, which its field may be able to hold in another spelling alone.
    private func before(_ value: FieldValue, _ field: Int?, _ place: String, now: FieldValue) -> FieldSide {
        guard let field, value != now, isEarlier(value, field) else { return side(value, place) }
        return canonical.side(ofEarlier: value, field: field)
    }

    /// Whether a value is one of a type that its field had before.
    private func isEarlier(_ value: FieldValue, _ field: Int?) -> Bool {
        field.map { retyped.contains(schema.fields[$0].name) && canonical.isEarlier(value, field: $0) } ?? false
    }

    /// What is told of a row of which fields are set back.
    private func news(
        of key: RecordKey, _ row: RowImage?, _ written: [RowImage.Column], _ told: [RecordChange.Field], isLeft: Bool
    ) -> RecordChange {
        if isLeft { return RecordChange(action: .conflict, kind: .merge, key: key, fields: told) }
        guard let mark = written.first(where: { marksDeletion($0.name) }) else {
            return RecordChange(action: .update, kind: .update, key: key, fields: told)
        }
        // A mark is what stands for the deletion of a row: without it the row is back, with it the row is gone.
        if !mark.value.isNull {
            return RecordChange(
                action: .delete, kind: .delete, key: key, fields: fields(of: row) { $0.local = $1 }, deletion: .soft)
        }
        var back = row
        for column in written {
            guard let place = back?.columns.firstIndex(where: { $0.name == column.name }) else { continue }
            back?.columns[place].value = column.value
        }
        return RecordChange(
            action: .insert, kind: .insert, key: key,
            fields: fields(of: back) { ($0.remote, $0.result) = ($1, $1) })
    }

    /// What is told of a row that goes; its fields where somebody wants to see them, or where it may be there again.
    func deletion(of key: RecordKey, _ row: RowImage?) -> RecordChange {
        RecordChange(
            action: .delete, kind: .delete, key: key, fields: isShown(key) ? fields(of: row) { $0.local = $1 } : [])
    }

    // MARK: Bases

    /// What a base is once a change is taken back; nil where it stays.
    func newBase(_ change: RecordedChange, now: BaseImage?, left: Set<Int> = []) -> RecordWrite.KeptBase? {
        // What is said of a record that is back, a later run was told.
        if let now, let after = change.baseAfter, !after.state.isLive, now.state.isLive { return nil }
        return
            switch UndoMerge.base(before: change.baseBefore, after: change.baseAfter, now: now, left: left, run: run)
        {
        case .keep: nil
        case .remove: .remove
        case .restore(let image): .restore(image)
        }
    }

    /// A base without what it says of links that do not come back with their row, since no field of the pipeline had them: when one
    /// has them again, they are the source's to give.
    private func withoutLostLinks(_ base: RecordWrite.KeptBase, of row: RowImage) -> RecordWrite.KeptBase {
        guard case .restore(var image) = base else { return base }
        for (index, field) in schema.fields.enumerated() where field.isGivenUp && field.isLink {
            guard row[field.column] == nil, let slot = slot(of: index), image.entry(slot) != .none else { continue }
            image.slots[slot] = .none
            image.rowHash = BaseImage.voidHash
        }
        return .restore(image)
    }

    /// The slot of a field.
    private func slot(of field: Int) -> Int? { fieldOfSlot.firstIndex(of: field) }

    /// The entries of an image by field.
    func entries(of image: BaseImage) -> [BaseEntry] {
        var entries = [BaseEntry](repeating: .none, count: schema.fields.count)
        for (slot, field) in fieldOfSlot.enumerated() where field >= 0 { entries[field] = image.entry(slot) }
        return entries
    }

    // MARK: What was touched since

    /// The fields of references of which some part was touched since.
    private func tornFields(_ change: RecordedChange, _ row: RowImage?) -> Set<Int> {
        var torn: Set<Int> = []
        for reference in schema.references where reference.fields.count > 1 {
            let isTouched = reference.fields.contains { index in
                let field = schema.fields[index]
                guard let now = row?[field.column] else { return true }
                guard let column = change.columns.first(where: { $0.isField && $0.name == field.name }) else {
                    return false
                }
                return UndoMerge.field(
                    wrote: side(column.new, field.column), now: side(now, field.column),
                    before: side(column.old, field.column)
                ).settlement == .open
            }
            if isTouched { torn.formUnion(reference.fields) }
        }
        for composition in schema.compositions where isTorn(composition, change, row) {
            torn.formUnion(composition.fields)
        }
        return torn
    }

    /// Whether half of a value would be there once all is taken back of it that nobody changed since.
    private func isTorn(_ composition: RecordComposition, _ change: RecordedChange, _ row: RowImage?) -> Bool {
        composition.isHalf { field in
            let place = schema.fields[field].column
            guard let now = row?[place] else { return true }
            let name = schema.fields[field].name
            guard let column = change.columns.first(where: { $0.isField && $0.name == name }) else { return now.isNull }
            let isLeft =
                UndoMerge.field(
                    wrote: side(column.new, place), now: side(now, place), before: side(column.old, place)
                ).settlement == .open
            return isLeft ? now.isNull : column.old.isNull
        }
    }

    /// Whether a later run had a record again that the run had deleted: that it is not there is what came of that.
    private func hasMoved(_ change: RecordedChange, _ base: BaseImage?) -> Bool {
        guard let base else { return false }
        let isLater = base.lastRun ?? 0 > change.run
        // The history has stubs without bases.
        guard let after = change.baseAfter else { return isLater && change.baseBefore != nil }
        // What was said of a row that others made anew since is forgotten.
        let isForgotten = after.slots.indices.contains { after.entry($0) != .none && base.entry($0) == .none }
        return isForgotten || isLater && !base.saysTheSame(as: after)
    }

    /// Whether a row that the run brought back was edited since.
    private func isEditedSince(_ change: RecordedChange, _ now: RowImage, _ after: BaseImage) -> Bool {
        if !isOfUndo { return isEdited(now, after) }
        return change.columns.contains { column in
            guard column.isField, let field = schema.fields.first(where: { $0.name == column.name }),
                let value = now[field.column]
            else { return false }
            return side(value, field.column) != side(column.new, field.column)
        }
    }

    /// Whether a row is neither the one that the run left nor, if it left none, the one that was before.
    func isTouched(_ change: RecordedChange, _ now: RowImage, _ base: BaseImage?) -> Bool {
        // An insert is taken back whole, so a later run that changed its base has touched it.
        if change.action == .insert, change.baseBefore == nil, let after = change.baseAfter, let base,
            !base.saysTheSame(as: after)
        {
            return true
        }
        if change.action == .insert, change.baseAfter == nil, isFilled(change, now, base) { return true }
        if let row = change.row {
            return row.columns.contains { column in
                guard let value = now[column.name] else { return false }
                return side(value, column.name) != side(column.value, column.name)
            }
        }
        guard let after = change.baseAfter else { return true }
        return isEdited(now, after)
    }

    /// Whether a row that the run made without a source, for others that refer to it, was filled since, by people or by a
    /// source. All that it had is noted: what else it has came since, also in columns of people.
    private func isFilled(_ change: RecordedChange, _ now: RowImage, _ base: BaseImage?) -> Bool {
        if let row = change.row, change.baseBefore == nil,
            now.columns.contains(where: { !$0.value.isNull && row[$0.name] == nil })
        {
            return true
        }
        if let base, base.state.isLive { return base.lastRun != change.run || isEdited(now, base) }
        return schema.fields.enumerated().contains { index, field in
            let isGiven = schema.keyFields.contains(index) || field.wasIdentifier || change.row?[field.column] != nil
            guard !isGiven, let value = now[field.column] else { return false }
            return canonical.side(of: schema.stored(value, field: index), field: index) != field.unsaid
        }
    }

    /// Whether a row holds something else than its source said.
    func isEdited(_ row: RowImage, _ base: BaseImage) -> Bool {
        RecordMerge.isEdited(
            base: canonical.sides(of: entries(of: base)), local: canonical.sides(of: row.values(of: schema)),
            schema: schema)
    }

    /// What was touched of a record that is left: base is what the run wrote, local what is there, remote what was before.
    private func touched(_ change: RecordedChange, _ now: RowImage?) -> [RecordChange.Field] {
        var said: [BaseEntry]?
        if change.action == .insert, change.row == nil, let after = change.baseAfter { said = entries(of: after) }
        return schema.fields.enumerated().compactMap { index, field in
            let column = change.columns.first { $0.isField && $0.name == field.name }
            let row = change.row?[field.column]
            var told = RecordChange.Field(
                index: index, fieldClass: .localOverride, base: column?.new, local: now?[field.column],
                remote: column?.old, result: now?[field.column])
            switch change.action {
            case .insert: (told.base, told.remote) = (row ?? said?[index].value, nil)
            case .delete: (told.base, told.remote) = (nil, row)
            case .update where column == nil: return nil
            case .update, .base: break
            }
            let other = told.base ?? told.remote
            if change.action != .update, let local = told.local, let other,
                canonical.side(of: local, field: index) == canonical.side(of: other, field: index)
            {
                return nil
            }
            return told.local == nil && other == nil ? nil : told
        }
    }

    /// The fields of a row that hold something else than the source said.
    func edited(_ row: RowImage, _ said: [BaseEntry]) -> [RecordChange.Field] {
        let sides = canonical.sides(of: said)
        return schema.fields.enumerated().compactMap { index, field in
            let local = row[field.column] ?? .null
            let base = sides[index] == .nothing ? field.unsaid : sides[index]
            if canonical.side(of: local, field: index) == base { return nil }
            return RecordChange.Field(
                index: index, fieldClass: .localOverride, base: said[index].value, local: local, remote: nil,
                result: local)
        }
    }

    // MARK: Values

    /// A value as it is compared: in the form of its field's type, or as it is where no field fills the column.
    func side(_ value: FieldValue, _ column: String) -> FieldSide {
        if let field = schema.field(ofColumn: column) {
            return canonical.side(of: schema.stored(value, field: field), field: field)
        }
        return value.isNull ? .null : .value(KeyHash.valueHash(value))
    }

    /// A row as it may come back: what was kept before a field was redacted does not.
    func stored(_ row: RowImage) -> RowImage {
        var row = row
        for (index, column) in row.columns.enumerated() {
            guard let field = schema.field(ofColumn: column.name) else { continue }
            row.columns[index].value = schema.stored(column.value, field: field)
        }
        return row
    }

    /// The fields of a row as they are told, each with its value put where it belongs.
    func fields(
        of row: RowImage?, _ place: (inout RecordChange.Field, FieldValue) -> Void
    ) -> [RecordChange.Field] {
        guard let row else { return [] }
        return schema.fields.enumerated().compactMap { index, field in
            guard let value = row[field.column] else { return nil }
            var told = RecordChange.Field(
                index: index, fieldClass: .unchanged, base: nil, local: nil, remote: nil, result: nil)
            place(&told, value)
            return told
        }
    }

    // MARK: References that are null for good

    /// Those of some references of which a field is written back.
    func emptied(_ emptied: [RecordedChange.Column], writing fields: Set<String>) -> [RecordedChange.Column] {
        emptied.filter { column in
            schema.references.contains { reference in
                let names = reference.fields.map { schema.fields[$0].name }
                return names.contains(column.name) && !fields.isDisjoint(with: names)
            }
        }
    }

    /// What the table holds of a value that is written back, where references in it are null for good.
    private func held(_ value: FieldValue, _ index: Int, _ emptied: [RecordedChange.Column]) -> FieldValue {
        let field = schema.fields[index]
        guard let gone = emptied.first(where: { $0.name == field.name }) else { return value }
        guard field.isLink else { return .null }
        let rest = canonical.merged(index, base: .value(gone.old), local: value, remote: FieldValue("[]"))
        return if case .merged(let rest)? = rest { rest } else { value }
    }

    /// A row that comes back as the table holds it then.
    private func held(_ row: RowImage, _ emptied: [RecordedChange.Column]) -> RowImage {
        if emptied.isEmpty { return row }
        var row = row
        for (place, column) in row.columns.enumerated() {
            guard let index = schema.field(ofColumn: column.name) else { continue }
            row.columns[place].value = held(column.value, index, emptied)
        }
        return row
    }
}

extension RecordedChange {
    /// Whether the source stated, of a record that it did not have, that it is deleted.
    var statesAbsence: Bool {
        baseBefore?.state.isLive != true && baseAfter?.state == .statedTombstone && baseAfter?.isOpen == false
    }
}
