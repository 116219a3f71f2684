internal import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Why conflicts are over, by what became of the sides of their records.
extension ConflictEntry {
    /// Why the conflict is over where its record is decided as a whole.
    ///
    /// - Parameter decision: What becomes of the record.
    /// - Returns: The reason; nil where the sides do not tell it.
    func end(by decision: RowDecision) -> ConflictEnd? {
        let isAboutRow = field == nil
        return switch decision.kind {
        // The row is not here, and the source says what it said before.
        case .localDelete, .unchanged: isAboutRow ? .sourceReverted : .rowDeleted
        // The source does not have it, and nothing that was changed here is in its way.
        case .delete: isAboutRow ? .localReverted : .goneAtSource
        // Neither side has it.
        case .converged: kind == RowKind.editDelete.rawValue ? .rowDeleted : .goneAtSource
        case .heldElsewhere: .otherSource
        case .unmanaged: .goneAtSource
        default: nil
        }
    }

    /// Why a conflict over the whole record is over where its fields are merged again.
    var endByFields: ConflictEnd? {
        switch RowKind(rawValue: kind) {
        case .editDelete: .listedAgain
        case .deleteEdit: .rowReturned
        default: nil
        }
    }
}

extension ConflictEnd {
    /// Why the conflict over a list is over whose source says what it said before: it took its change back, or redaction no longer
    /// tells the two apart.
    ///
    /// - Parameters:
    ///   - conflict: The conflict, as it is kept.
    ///   - schema: That of the elements.
    /// - Returns: The reason.
    package static func reverted(_ conflict: ConflictEntry, elements schema: RecordSchema) -> ConflictEnd {
        schema.fields.contains { $0.redaction != nil } && conflict.base == conflict.remote
            ? .redacted : .sourceReverted
    }

    /// Why a conflict over a field is over, by the three sides that it has now and what became of them; nil where these do
    /// not tell it.
    ///
    /// - Parameters:
    ///   - sides: The sides of the record.
    ///   - field: The field's position.
    ///   - decision: What becomes of the field.
    ///   - isRedacted: Whether the conflict is about values that redaction no longer tells apart.
    init?(_ sides: RecordSides, field: Int, decision: FieldDecision, isRedacted: Bool) {
        if case .merged = decision.result {
            self = .merged
        } else if sides.remote[field] == sides.base[field] {
            self = isRedacted ? .redacted : .sourceReverted
        } else if sides.local[field] == sides.base[field] {
            self = .localReverted
        } else {
            return nil
        }
    }
}
