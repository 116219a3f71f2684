internal import SluiceModel

/// How mappings were before a run changed identifiers: all that it changed as it was, and all else as it is now.
///
/// What got another name since keeps it. A field is known by its slot, a reference by its name or its fields. A column that
/// went with the identifier is known no more; its name was made of that of the reference and that of the column it led to,
/// and is so again:
///
///     before   after      now          is to be
///     item_id  item_code  thing_code   thing_id
struct MappingReturn {
    /// What a run changed of a mapping.
    struct Change {
        let mapping: RecordMapping
        /// Its table now.
        let table: String
        let old: MappingSnapshot
        let new: MappingSnapshot
        let now: MappingSnapshot
    }

    /// What became of a mapping since the run.
    enum Standing {
        /// Its identifier is that which the run gave it.
        case same
        /// Its identifier is that of before the run.
        case wentBack
        /// It is another one.
        case changedAgain
    }

    private typealias Side = KeyPath<Change, MappingSnapshot>
    private typealias Key = [(field: String, type: FieldType)]

    let changes: [Change]

    init(_ changes: [Change]) { self.changes = changes }

    /// What became of a mapping since the run.
    func standing(of change: Change) -> Standing {
        let (old, new) = (key(of: change, \.old), key(of: change, \.new))
        let now = change.now.keySlots.map { (field: $0.field, type: $0.type) }
        if Self.same(now, old) && !Self.same(new, old) { return .wentBack }
        return Self.same(now, new) ? .same : .changedAgain
    }

    private static func same(_ key: Key, _ other: Key) -> Bool {
        key.map(\.field) == other.map(\.field) && key.map(\.type) == other.map(\.type)
    }

    private func key(of change: Change, _ side: Side) -> Key {
        change[keyPath: side].keySlots.map { (named($0, in: change, side).field, $0.type) }
    }

    /// What the mapping is to be.
    func snapshot(of change: Change) -> MappingSnapshot {
        var slots: [EntityRegistry.Slot] = []
        for var slot in change.now.slots {
            let old = counterpart(of: slot, in: change, \.old)
            guard let new = counterpart(of: slot, in: change, \.new) else {
                slots.append(slot)
                continue
            }
            guard let old else { continue }
            if old.type != new.type { slot.type = old.type }
            if !ColumnName.areSame(old.column, new.column) { slot.column = named(old, in: change, \.old).column }
            slot.keyPosition = old.keyPosition
            slots.append(slot)
        }
        for slot in change.old.slots where !change.new.slots.contains(where: { $0.number == slot.number }) {
            let named = named(slot, in: change, \.old)
            if !slots.contains(where: { $0.field == named.field }) { slots.append(named) }
        }
        return MappingSnapshot(slots, change.now.references.map { reference($0, of: change) })
    }

    // MARK: Fields

    /// What a slot of now was in a snapshot; nil where it was not there. A column that went and came again has another slot.
    private func counterpart(
        of slot: EntityRegistry.Slot, in change: Change, _ side: Side
    ) -> EntityRegistry.Slot? {
        let slots = change[keyPath: side].slots
        if let same = slots.first(where: { $0.number == slot.number }) { return same }
        return slots.first { other in
            !change.now.slots.contains { $0.number == other.number }
                && named(other, in: change, side).field == slot.field
        }
    }

    /// A slot of a snapshot with the names that it has now, or would have.
    private func named(
        _ slot: EntityRegistry.Slot, in change: Change, _ side: Side, depth: Int = 0
    ) -> EntityRegistry.Slot {
        let now = change.now.slots.first { $0.number == slot.number }
        var found = slot
        if let now { (found.field, found.column) = (now.field, now.column) }
        // A field that refers to records keeps its slot, and has another column since.
        let after = change.new.slots.first { $0.number == slot.number }
        if now != nil, ColumnName.areSame(after?.column ?? slot.column, slot.column) { return found }
        for reference in change[keyPath: side].references where reference.linkTable == nil {
            guard let index = reference.columns.firstIndex(where: { ColumnName.areSame($0, slot.column) }),
                reference.targetColumns.indices.contains(index),
                let same = counterpart(of: reference, in: change, side)
            else { continue }
            let target = column(reference.targetColumns[index], of: same.target, side, depth: depth + 1)
            found.column = Self.renamed(
                slot.column, reference.targetColumns[index], like: same.columns, same.targetColumns, target)
            if now == nil, ColumnName.areSame(slot.field, slot.column) { found.field = found.column }
            return found
        }
        return found
    }

    /// The name that a column of a table has now, or would have.
    private func column(_ name: String, of table: String, _ side: Side, depth: Int) -> String {
        // What stands within records is no deeper; a record may refer to one of its own kind.
        guard depth < 16, let change = changes.first(where: { ColumnName.areSame($0.table, table) }),
            let slot = change[keyPath: side].slots.first(where: { ColumnName.areSame($0.column, name) })
        else { return name }
        return named(slot, in: change, side, depth: depth).column
    }

    /// The name of a column that leads to another one, made as another column's name is made of what that leads to.
    private static func renamed(
        _ column: String, _ target: String, like known: [String], _ targets: [String], _ name: String
    ) -> String {
        if ColumnName.areSame(column, target) { return name }
        guard column.hasSuffix("_" + target) else { return column }
        for (known, target) in zip(known, targets) where known.hasSuffix("_" + target) {
            return known.dropLast(target.count) + name
        }
        return column
    }

    // MARK: References

    /// The reference of now that one of a snapshot became; nil where there is none.
    private func counterpart(
        of reference: MappingSnapshot.Reference, in change: Change, _ side: Side
    ) -> MappingSnapshot.Reference? {
        if let same = change.now.references.first(where: { $0.name == reference.name }) { return same }
        // Its fields after the run are those of now.
        guard let after = change.new.references.first(where: { $0.name == reference.name }) else { return nil }
        let numbers = Self.numbers(of: after, in: change.new)
        if numbers.isEmpty { return nil }
        return change.now.references.first { Self.numbers(of: $0, in: change.now) == numbers }
    }

    private static func numbers(of reference: MappingSnapshot.Reference, in snapshot: MappingSnapshot) -> [Int] {
        let slots = snapshot.slots
        return reference.columns.compactMap { name in slots.first { ColumnName.areSame($0.column, name) }?.number }
    }

    /// What a reference of now is to be.
    private func reference(_ now: MappingSnapshot.Reference, of change: Change) -> MappingSnapshot.Reference {
        let former = change.new.references.first {
            counterpart(of: $0, in: change, \.new)?.name == now.name
        }
        guard let new = former, let old = change.old.references.first(where: { $0.name == new.name }), old != new else {
            return now
        }
        var reference = now
        if old.targetColumns != new.targetColumns {
            reference.parts[2] = old.targetColumns.map { column($0, of: now.target, \.old, depth: 0) }
        }
        if old.columns != new.columns {
            reference.parts[3] = old.columns.map { name in
                change.old.slots.first { ColumnName.areSame($0.column, name) }
                    .map { named($0, in: change, \.old).column } ?? name
            }
        }
        if old.ownerColumns != new.ownerColumns {
            let keys = change.old.keySlots
            reference.parts[5] = zip(old.ownerColumns, keys).map { name, key in
                Self.renamed(
                    name, key.column, like: now.ownerColumns, change.now.keySlots.map(\.column),
                    named(key, in: change, \.old).column)
            }
        }
        if old.linkedColumns != new.linkedColumns {
            reference.parts[6] = zip(old.linkedColumns, old.targetColumns).map { name, target in
                Self.renamed(
                    name, target, like: now.linkedColumns, now.targetColumns,
                    column(target, of: now.target, \.old, depth: 0))
            }
        }
        return reference
    }
}
