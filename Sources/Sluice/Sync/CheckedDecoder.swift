internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport

/// Decodes the records of a sync with what stands within them, and refuses those with values that their properties cannot have,
/// or that the checks of their models refuse.
struct CheckedDecoder {
    private var decoder: RecordDecoder
    private var parts: [NestedBatch]
    /// Whether it is time to hand over the batch to which the last record went.
    private(set) var isBatchFull = false

    /// Makes a decoder of a model's records.
    ///
    /// - Throws: What the mapping throws, and `SQLiteError`.
    init(_ plan: DecodePlan) throws {
        decoder = try RecordDecoder(plan: plan, entriesKey: plan.entriesKey, language: NoPrograms())
        parts = decoder.emptyNested
    }

    /// What stands within the records that were decoded since it was asked for.
    mutating func takeParts() -> [NestedBatch] {
        defer { parts = decoder.emptyNested }
        return parts
    }

    /// Decodes also records that stand within later ones and stood within earlier ones before. Of these it takes the first one alone.
    mutating func forgetRecordsWithin() { decoder.forgetNested() }

    /// How much stands within the records so far.
    var marks: [NestedBatch.Mark] { parts.map(\.mark) }

    /// Takes away what stands within the records since a mark.
    mutating func removeParts(since marks: [NestedBatch.Mark]) {
        for (part, mark) in marks.enumerated() { parts[part].remove(since: mark) }
    }

    /// Decodes one record and appends it to a batch; see `RecordDecoder`.
    ///
    /// - Returns: Nil, or why the record could not be taken.
    mutating func decode(
        _ record: RawRecord, page: RecordDecoder.Page, into batch: inout RecordBatch
    ) -> DecodeFailure? {
        defer { isBatchFull = batch.isLarge }
        return decoder.decode(record, page: page, into: &batch, parts: &parts)
    }
}

extension ModelDescription {
    /// What is asked of its records, and of those that stand within them, by their entities; of most nothing is.
    var looks: [String: ModelRules] {
        let models = ([self] + byValue).filter(\.isAsked)
        return Dictionary(models.map { ($0.entity, ModelRules($0)) }) { first, _ in first }
    }

    /// The models of records by value, and of those that stand within these.
    fileprivate var byValue: [ModelDescription] {
        var found: [ModelDescription] = []
        func visit(_ description: ModelDescription) {
            for relationship in description.fields.compactMap(\.reference) + description.relationships
            where relationship.isByValue {
                guard let target = relationship.target?.modelDescription,
                    !found.contains(where: { $0.entity == target.entity })
                else { continue }
                found.append(target)
                visit(target)
            }
        }
        visit(self)
        return found
    }
}

extension BoxedValue {
    init(_ value: FieldValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}
