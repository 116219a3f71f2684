package import SluiceDecode
internal import SluiceModel
package import SluicePipeline

/// What is asked of the records of one model: that their properties can have the values, and that these keep to the checks.
struct RecordRules {
    /// A value that its property cannot have.
    struct Misfit {
        let place: Int
        let message: String
        /// The same without the value; nil where the message has none.
        var plain: String?
    }

    private let description: ModelDescription
    /// The positions of fields, within the records and within the model.
    private let fields: [(place: Int, field: Int)]
    /// What has parts and may be nil, with the positions of the parts within the records.
    private let wholes: [(property: String, parts: RecordComposition, names: [Int: String])]

    /// Finds out what is asked.
    ///
    /// - Parameters:
    ///   - description: The model.
    ///   - place: The position of one of its fields within the records; nil where they do not have it.
    /// - Throws: `SQLiteError`.
    init(_ description: ModelDescription, place: (ModelDescription.Field) -> Int?) throws {
        self.description = description
        fields = description.asked.compactMap { field in
            place(description.fields[field]).map { (place: $0, field: field) }
        }.sorted { $0.place < $1.place }
        wholes = description.wholes.compactMap { whole in
            var names: [Int: String] = [:]
            func places(_ fields: [Int]) -> [Int] {
                fields.compactMap { field in
                    let place = place(description.fields[field])
                    if let place { names[place] = description.fields[field].property }
                    return place
                }
            }
            let parts = RecordComposition(fields: places(Array(whole.parts)), required: places(whole.required))
            // Of a part that no record can have nothing is asked.
            return parts.required.count == whole.required.count ? (whole.property, parts, names) : nil
        }
    }

    /// The first value of a record that its property cannot have; nil where there is none.
    func misfit(_ record: Int, of batch: borrowing RecordBatch) -> Misfit? {
        for (place, field) in fields {
            guard let value = batch.value(record: record, field: place),
                let problem = problem(with: BoxedValue(value), field)
            else { continue }
            return Misfit(place: place, message: problem.message, plain: problem.plain)
        }
        for (property, parts, names) in wholes {
            guard let place = half(parts, record, of: batch) else { continue }
            return Misfit(
                place: place,
                message:
                    "Half of `\(property)` is there: `\(names[place] ?? "")` has no value. It takes all of its parts, or null for none."
            )
        }
        return nil
    }

    /// The first part that has no value although it has to, since the record speaks of the others; nil where there is none. A record
    /// that speaks of none of them says nothing.
    private func half(_ parts: RecordComposition, _ record: Int, of batch: borrowing RecordBatch) -> Int? {
        var isThere = false
        for place in parts.fields where batch.value(record: record, field: place).map({ $0 != .null }) ?? false {
            isThere = true
        }
        var missing: Int?
        var areSaid = false
        for place in parts.required {
            switch batch.value(record: record, field: place) {
            case nil: missing = missing ?? place
            case .null?: if isThere { missing = missing ?? place } else { areSaid = true }
            default: break
            }
        }
        return isThere || areSaid ? missing : nil
    }

    /// What is wrong with the value of a field, as a sentence, and the same without the value; nil where nothing is.
    private func problem(with value: BoxedValue, _ field: Int) -> (message: String, plain: String?)? {
        if let reading = description.fields[field].reading, !value.isNull,
            !BoxedValueReader.read([value], { reading.reads($0[0]) })
        {
            let property = description.fields[field].property
            if let allowed = reading.allowed {
                let words = "is no `\(reading.name)`: `\(property)` is one of \(allowed.joined(separator: ", "))."
                return ("`\(value.text)` \(words)", "The value \(words)")
            }
            return ("The value of `\(property)` is no `\(reading.name)`.", nil)
        }
        return description.problem(with: value, field).map { ($0, nil) }
    }
}

/// Keeps the records of a pipeline's run aside that a model forbids: what its properties cannot have, and what its checks refuse.
package final class ModelRules: RecordLooks {
    private let description: ModelDescription

    /// What a model asks of its records.
    init(_ description: ModelDescription) { self.description = description }

    /// What models ask of the records of a pipeline.
    ///
    /// - Parameters:
    ///   - schema: The models.
    ///   - pipeline: The pipeline.
    /// - Returns: What looks at the records, by the names of entities.
    package static func rules(of schema: Schema, for pipeline: PipelineDefinition) -> [String: ModelRules] {
        var rules: [String: ModelRules] = [:]
        for description in schema.models.map({ $0.modelDescription })
        where description.isAsked {
            for entity in pipeline.entities where ColumnName.areSame(entity.table, description.table) {
                rules[entity.name] = ModelRules(description)
            }
        }
        return rules
    }

    package func look(by plan: DecodePlan) throws -> any RecordLook {
        let columns = plan.schema.columnFields
        return Look(
            try RecordRules(description) { field in
                plan.schema.field(ofColumn: field.column).flatMap { columns.contains($0) ? $0 : nil }
            })
    }

    private final class Look: RecordLook {
        private let rules: RecordRules

        init(_ rules: RecordRules) { self.rules = rules }

        func verdict(onLastOf batch: borrowing RecordBatch) -> RecordVerdict {
            rules.misfit(batch.count, of: batch).map { .misfit($0.message, plain: $0.plain, field: $0.place) }
                ?? .keep([:])
        }
    }
}

extension ModelDescription {
    /// Whether anything is asked of its records.
    var isAsked: Bool { !asked.isEmpty || !wholes.isEmpty }

    /// The positions of the fields of which something is asked.
    fileprivate var asked: [Int] {
        fields.indices.filter { !fields[$0].isImplied && (!fields[$0].checks.isEmpty || fields[$0].reading != nil) }
    }
}
