internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport

/// Decodes the records of a sync with what stands within them, and refuses those with values that their properties cannot have,
/// or that the checks of their models refuse.
struct CheckedDecoder {
    /// What is asked of the records of one model.
    private struct Checks {
        let description: ModelDescription
        /// The positions of fields, within the records and within the model.
        let fields: [(place: Int, field: Int)]

        init(_ plan: DecodePlan, _ description: ModelDescription) {
            self.description = description
            fields = plan.fields.enumerated().compactMap { place, field in
                description.fields.firstIndex {
                    $0.name == field.name && (!$0.checks.isEmpty || $0.reading != nil)
                }.map { (place, $0) }
            }
        }

        /// Whether the type of a property has to be asked.
        var asksTypes: Bool { fields.contains { description.fields[$0.field].reading != nil } }
    }

    /// A value that its property cannot have.
    private struct Misfit {
        let place: Int
        let json: String
        let message: String
    }

    private let plan: DecodePlan
    private let checks: Checks
    /// Those of what stands within records, part by part.
    private let checksWithin: [Checks?]
    private let reader: BoxedValueReader?
    private var decoder: RecordDecoder
    private var parts: [PartBatch]

    /// Makes a decoder of a model's records.
    ///
    /// - Throws: What the mapping throws, and `SQLiteError`.
    init(_ plan: DecodePlan, _ description: ModelDescription) throws {
        self.plan = plan
        checks = Checks(plan, description)
        let models = description.byValue
        checksWithin = (plan.parts?.parts ?? []).map { part in
            models.first { $0.entity == part.plan.schema.entity }.map { Checks(part.plan, $0) }
        }
        decoder = try RecordDecoder(plan: plan, entriesKey: plan.entriesKey, language: NoPrograms())
        parts = decoder.emptyParts
        reader = checks.asksTypes || checksWithin.contains { $0?.asksTypes == true } ? try BoxedValueReader() : nil
    }

    /// What stands within the records that were decoded since it was asked for.
    mutating func takeParts() -> [PartBatch] {
        defer { parts = decoder.emptyParts }
        return parts
    }

    /// How much stands within the records so far.
    var marks: [PartBatch.Mark] { parts.map(\.mark) }

    /// Takes away what stands within the records since a mark.
    mutating func removeParts(since marks: [PartBatch.Mark]) {
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
        var misfit = self.misfit(start.count, of: batch, checks)
        // Where within the record an object stands is not known any more.
        let pointer = misfit.map { plan.fields[$0.place].pointer } ?? ""
        for (part, checks) in checksWithin.enumerated() where misfit == nil {
            guard let checks else { continue }
            for row in rows[part]..<parts[part].records.count where misfit == nil {
                misfit = self.misfit(row, of: parts[part].records, checks)
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

    /// The first value of a record that its property cannot have; nil where there is none.
    private func misfit(_ record: Int, of batch: borrowing RecordBatch, _ checks: Checks) -> Misfit? {
        for (place, field) in checks.fields {
            guard let value = batch.value(record: record, field: place),
                let problem = problem(with: BoxedValue(value), checks.description, field)
            else { continue }
            let type = checks.description.fields[field].fieldType
            return Misfit(place: place, json: FieldJSON.text(value, type: type), message: problem)
        }
        return nil
    }

    /// What is wrong with the value of a field, as a sentence; nil where nothing is.
    private func problem(with value: BoxedValue, _ description: ModelDescription, _ field: Int) -> String? {
        if let reading = description.fields[field].reading, !value.isNull,
            (try? reader?.read([value]) { reading.reads($0[0]) }) == false
        {
            return "The value of `\(description.fields[field].property)` is no `\(reading.name)`."
        }
        return description.problem(with: value, field)
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
