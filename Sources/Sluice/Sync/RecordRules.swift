package import SluiceDecode
internal import SluiceModel
package import SluicePipeline

/// What is asked of the records of one model: that their properties can have the values, and that these keep to the checks.
struct RecordRules {
    /// A value that its property cannot have.
    struct Misfit {
        let place: Int
        let json: String
        let message: String
    }

    private let description: ModelDescription
    /// The positions of fields, within the records and within the model.
    private let fields: [(place: Int, field: Int)]
    private let reader: BoxedValueReader?

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
        let asksTypes = fields.contains { description.fields[$0.field].reading != nil }
        reader = asksTypes ? try BoxedValueReader() : nil
    }

    /// The first value of a record that its property cannot have; nil where there is none.
    func misfit(_ record: Int, of batch: borrowing RecordBatch) -> Misfit? {
        for (place, field) in fields {
            guard let value = batch.value(record: record, field: place),
                let problem = problem(with: BoxedValue(value), field)
            else { continue }
            let type = description.fields[field].fieldType
            return Misfit(place: place, json: FieldJSON.text(value, type: type), message: problem)
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

/// Keeps the records of a pipeline's run aside that a model forbids: what its properties cannot have, and what its checks refuse.
package final class ModelRules: RecordLooks {
    private let description: ModelDescription

    private init(_ description: ModelDescription) { self.description = description }

    /// What models ask of the records of a pipeline.
    ///
    /// - Parameters:
    ///   - schema: The models.
    ///   - pipeline: The pipeline.
    /// - Returns: What looks at the records, by the names of entities.
    package static func rules(of schema: Schema, for pipeline: PipelineDefinition) -> [String: ModelRules] {
        var rules: [String: ModelRules] = [:]
        for description in schema.models.map({ $0.modelDescription }) where !description.asked.isEmpty {
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
            rules.misfit(batch.count, of: batch).map { .refuse($0.message) } ?? .keep([:])
        }
    }
}

extension ModelDescription {
    /// The positions of the fields of which something is asked.
    fileprivate var asked: [Int] {
        fields.indices.filter { !fields[$0].isImplied && (!fields[$0].checks.isEmpty || fields[$0].reading != nil) }
    }
}
