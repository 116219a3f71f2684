internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// A digest of what is to become of a record, and of the facts that this rests on. Neither the number of the run nor its time
/// is in it, so that a plan and a run which do the same have the same marks.
struct PlanMark {
    private(set) var value: UInt64

    /// The mark of a record that is inserted, of which nothing is known.
    ///
    /// - Parameters:
    ///   - key: The record's identifier.
    ///   - source: The digest of what fills the table.
    init(insertOf key: RecordKey, source: UInt64) { value = KeyHash.combine(source, KeyHash.hash(key)) }

    /// The mark of a record that is inserted, and of its values.
    ///
    /// - Parameters:
    ///   - key: The record's identifier.
    ///   - values: The hash of its values.
    ///   - source: The digest of what fills the table.
    init(insertOf key: RecordKey, values: UInt64, source: UInt64) {
        self.init(insertOf: key, source: source)
        add(values)
    }

    /// The mark of what is planned.
    ///
    /// - Parameters:
    ///   - plan: What is to become of the record.
    ///   - facts: What the store holds of it.
    ///   - canonical: How its values are compared.
    ///   - source: The digest of what fills the table.
    init(_ plan: RecordPlan, _ facts: RecordFacts, _ canonical: CanonicalRecord, source: UInt64) {
        self.init(insertOf: plan.key, source: source)
        add("\(plan.outcome) \(plan.below) \(plan.startsOver) \(plan.rejection?.message(canonical.schema) ?? "")")
        add(facts.base, canonical)
        add(facts.local.map { canonical.sides(of: $0) })
        add(plan.write?.base, canonical)
        add(plan.write?.row, canonical)
        for change in plan.conflicts { add(change) }
        for entry in plan.collisions { add(entry) }
        add(plan.left.map { $0.map(\.side) })
        add("\(plan.answered.count) \(plan.withdrawn.map { "\($0.others.count) \($0.state)" } ?? "")")
    }

    /// The mark of what is planned for a list that is one value.
    init(_ entry: ConflictEntry, known: ConflictEntry?, _ outcome: String, of owner: RecordKey, source: UInt64) {
        self.init(insertOf: owner, source: source)
        add(outcome)
        add(entry)
        if let known { add(known) }
    }

    private mutating func add(_ digest: UInt64) { value = KeyHash.combine(value, digest) }

    private mutating func add(_ text: String) { add(FieldDigest.text(Array(text.utf8))) }

    private mutating func add(_ sides: [FieldSide]?) {
        guard let sides else { return add(1) }
        for side in sides {
            switch side {
            case .nothing: add(2)
            case .null: add(3)
            case .value(let digest): add(digest)
            }
        }
    }

    private mutating func add(_ base: BaseRow?, _ canonical: CanonicalRecord) {
        guard let base else { return add(4) }
        add(canonical.sides(of: base.entries))
        add("\(base.state) \(base.isOpen) \(base.missedScans) \(base.unasked.sorted())")
    }

    private mutating func add(_ row: RecordWrite.Row?, _ canonical: CanonicalRecord) {
        switch row {
        case nil, .none?: add(5)
        case .insert(let values): add(canonical.sides(of: values))
        case .update(let fields, let values):
            for (field, value) in zip(fields, values) {
                add(UInt64(field))
                add([canonical.side(of: value, field: field)])
            }
        case .delete: add(6)
        case .markDeleted: add(7)
        // Undo and decisions alone write these.
        case .set, .restore: add(8)
        }
    }

    private mutating func add(_ change: ConflictChange) {
        switch change {
        case .remember(let entry, let known, let isNews):
            add("\(known == nil) \(isNews == true)")
            add(entry)
        case .close(let entry, let status, _):
            add(status.rawValue)
            add(entry)
        // Decisions alone write these.
        case .revise(let entry): add(entry)
        }
    }

    private mutating func add(_ entry: ConflictEntry) {
        let texts = [entry.field, entry.kind, entry.base, entry.local, entry.remote, entry.policy, entry.note]
        for text in texts { add(text ?? "\u{0}") }
    }
}

extension RecordPlan {
    /// Whether it comes to nothing but a count.
    var isIdle: Bool {
        write == nil && conflicts.isEmpty && collisions.isEmpty && answered.isEmpty && withdrawn == nil
            && left == nil && below == .stay && rejection == nil
    }

    /// Whether it writes down once more what the store knows of the source, in other words alone, as where a field has another
    /// type: nothing of the record changes by that, whatever people did to its row.
    ///
    /// - Parameters:
    ///   - facts: What the store holds of the record.
    ///   - canonical: How its values are compared.
    /// - Returns: Whether that is all.
    func restatesBase(_ facts: RecordFacts, _ canonical: CanonicalRecord) -> Bool {
        guard let write, case .none = write.row, let base = write.base, let known = facts.base, write.keptBase == nil,
            !startsOver
        else { return false }
        var rest = self
        rest.write = nil
        return rest.isIdle && canonical.sides(of: base.entries) == canonical.sides(of: known.entries)
            && base.state == known.state && base.isOpen == known.isOpen && base.missedScans == known.missedScans
            && base.unasked == known.unasked
    }
}
