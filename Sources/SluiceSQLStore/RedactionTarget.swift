internal import SluiceModel
internal import SluiceStore

/// A field that is redacted from now on.
final class RedactionTarget {
    let slot: EntityRegistry.Slot
    let field: RecordSchema.Field
    let redaction: FieldRedaction
    /// Whether no source of the table redacted the column before, so that all that is stored of it is clear.
    let wasClear: Bool
    /// Where clear values were found.
    var counts = RedactedCounts()

    /// Makes a target in which nothing was found yet.
    init(slot: EntityRegistry.Slot, field: RecordSchema.Field, redaction: FieldRedaction, wasClear: Bool) {
        self.slot = slot
        self.wasClear = wasClear
        self.field = field
        self.redaction = redaction
    }

    /// What may be kept of a value. Where the column was kept in clear, it is no matter what the value looks like.
    func stored(_ value: FieldValue) -> FieldValue {
        wasClear ? redaction.kept(value, comparison: field.comparison) : storedByItsLook(value)
    }

    /// What may be kept of a value that may have been redacted before.
    func storedByItsLook(_ value: FieldValue) -> FieldValue {
        redaction.stored(value, comparison: field.comparison)
    }

    /// What may be shown of a value.
    func shown(_ value: FieldValue) -> FieldValue {
        guard wasClear else { return redaction.shown(value, comparison: field.comparison) }
        return redaction == .drop ? FieldValue(FieldRedaction.hidden) : stored(value)
    }

    /// A base entry without a clear value; `known` is the value that a digest is known to stand for.
    func redacted(_ entry: BaseEntry, known: FieldValue?) -> BaseEntry {
        guard let value = entry.value ?? known else { return entry }
        let kept = stored(value)
        guard case .text(let text) = kept else { return .null }
        let digest =
            field.comparison == .ignoringCase ? FieldDigest.ignoringCase(text) : FieldDigest.text(text)
        return BaseEntry(value: kept, digest: digest, keeping: field.baseKeeping)
    }
}
