internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport

/// Decodes the records of a sync, and refuses those with values that their properties cannot have, or that the checks of
/// their model refuse.
struct CheckedDecoder {
    private let plan: DecodePlan
    private let description: ModelDescription
    private var decoder: RecordDecoder
    private var parts: [PartBatch]
    /// The positions of checked fields, within the plan and within the model.
    private let checked: [(place: Int, field: Int)]
    private let reader: BoxedValueReader?

    /// Makes a decoder of a model's records.
    init(_ plan: DecodePlan, _ description: ModelDescription) throws {
        self.plan = plan
        self.description = description
        decoder = try RecordDecoder(plan: plan, entriesKey: nil, language: NoPrograms())
        parts = decoder.emptyParts
        checked = plan.fields.enumerated().compactMap { place, field in
            description.fields.firstIndex {
                $0.name == field.name && (!$0.checks.isEmpty || $0.reading != nil)
            }.map { (place, $0) }
        }
        let reads = checked.contains { description.fields[$0.field].reading != nil }
        reader = reads ? try BoxedValueReader() : nil
    }

    /// Decodes one record and appends it to a batch; see `RecordDecoder`.
    ///
    /// - Returns: Nil, or why the record could not be taken.
    mutating func decode(
        _ record: RawRecord, page: RecordDecoder.Page, into batch: inout RecordBatch
    ) -> DecodeFailure? {
        let marks = (count: batch.count, bytes: batch.bytes.count)
        if let failure = decoder.decode(record, page: page, into: &batch, parts: &parts) { return failure }
        if batch.count == marks.count { return nil }
        for (place, field) in checked {
            guard let value = batch.value(record: marks.count, field: place),
                let problem = problem(with: BoxedValue(value), field)
            else { continue }
            let key = batch.key(of: marks.count, schema: plan.schema)
            batch.removeRecords(from: marks.count, byte: marks.bytes)
            return DecodeFailure(
                reason: .notAllowed, pointer: plan.fields[place].pointer,
                value: FieldJSON.text(value, type: description.fields[field].fieldType), message: problem,
                record: record.copy, key: key, ordinal: page.firstOrdinal + record.ordinal, page: page.number)
        }
        return nil
    }

    /// What is wrong with the value of a field, as a sentence; nil where nothing is.
    private func problem(with value: BoxedValue, _ field: Int) -> String? {
        if let reading = description.fields[field].reading, !value.isNull,
            (try? reader?.read([value]) { reading.reads($0[0]) }) == false
        {
            return "The value of `\(description.fields[field].property)` is no `\(reading.name)`."
        }
        return description.problem(with: value, field)
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
