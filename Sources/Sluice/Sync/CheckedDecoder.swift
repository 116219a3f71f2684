internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport

/// Decodes the records of a sync with what stands within them, and refuses those with values that their properties cannot have,
/// or that the checks of their models refuse.
struct CheckedDecoder {
    private let plan: DecodePlan
    private let rules: RecordRules
    /// Those of what stands within records, part by part.
    private let rulesWithin: [RecordRules?]
    private var decoder: RecordDecoder
    private var parts: [NestedBatch]

    /// Makes a decoder of a model's records.
    ///
    /// - Throws: What the mapping throws, and `SQLiteError`.
    init(_ plan: DecodePlan, _ description: ModelDescription) throws {
        self.plan = plan
        rules = try RecordRules(description, plan)
        let models = description.byValue
        rulesWithin = try (plan.parts?.parts ?? []).map { part in
            try models.first { $0.entity == part.plan.schema.entity }.map { try RecordRules($0, part.plan) }
        }
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
        let start = (count: batch.count, bytes: batch.bytes.count)
        let (before, rows) = (marks, parts.map(\.records.count))
        if let failure = decoder.decode(record, page: page, into: &batch, parts: &parts) { return failure }
        if batch.count == start.count { return nil }
        var misfit = rules.misfit(start.count, of: batch)
        // Where within the record an object stands is not known any more.
        let pointer = misfit.map { plan.fields[$0.place].pointer } ?? ""
        for (part, rules) in rulesWithin.enumerated() where misfit == nil {
            guard let rules else { continue }
            for row in rows[part]..<parts[part].records.count where misfit == nil {
                misfit = rules.misfit(row, of: parts[part].records)
            }
        }
        guard let misfit else { return nil }
        let key = batch.key(of: start.count, schema: plan.schema)
        batch.removeRecords(from: start.count, byte: start.bytes)
        removeParts(since: before)
        return DecodeFailure(
            reason: .notAllowed, pointer: pointer, value: misfit.json, message: misfit.message, record: record.copy,
            key: key, ordinal: page.firstOrdinal + record.ordinal, page: page.number)
    }
}

extension RecordRules {
    /// What is asked of the records that a plan decodes.
    fileprivate init(_ description: ModelDescription, _ plan: DecodePlan) throws {
        try self.init(description) { field in plan.fields.firstIndex { $0.name == field.name } }
    }
}

extension ModelDescription {
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
