package import SluiceDecode
package import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// Lists that are one value as JSON: an array of the elements, without the key that they share.
///
///     [{"position":0,"text":"a"},{"position":1,"text":"b"}]
package struct ListText {
    private let canonical: CanonicalRecord
    /// The positions of the fields that all elements of a list share.
    private let shared: Set<Int>
    private var schema: RecordSchema { canonical.schema }

    package init(schema: RecordSchema) {
        canonical = CanonicalRecord(schema: schema)
        shared = Set(schema.keyFields.dropLast())
    }

    /// The key that the elements of a list share, from the key of one of them.
    package static func owner(of element: RecordKey) -> RecordKey { RecordKey(element.values.dropLast()) }

    /// What a list is named by: the shared part of its elements' keys as a JSON object.
    package func name(of owner: RecordKey) -> String { FieldJSON.object(key: owner, schema: schema) }

    /// The shared part of the key of a list's elements, from its name; nil where that does not fit.
    package func owner(named name: String, _ json: StoredJSON) -> RecordKey? {
        guard let values = json.record(name, schema: schema) else { return nil }
        let key = schema.keyFields.dropLast().compactMap { values[$0] }
        return key.count == shared.count && !key.isEmpty && !key.contains(.null) ? RecordKey(key) : nil
    }

    /// The elements of a list by their keys, each with its values by field; nil where the text is no such list.
    package func elements(_ list: String, under owner: RecordKey, _ json: StoredJSON) -> [RecordKey: [Int: FieldValue]]?
    {
        guard let last = schema.keyFields.last, let texts = json.elements(list) else { return nil }
        var elements: [RecordKey: [Int: FieldValue]] = [:]
        for text in texts {
            guard var values = json.record(text, schema: schema), let place = values[last] else { return nil }
            for (field, value) in values { values[field] = schema.stored(value, field: field) }
            for (field, part) in zip(schema.keyFields, owner.values) { values[field] = part }
            elements[RecordKey(owner.values + [place])] = values
        }
        return elements
    }

    /// The list that the store holds.
    package func local(_ rows: [(key: RecordKey, values: [FieldValue])]) -> String {
        array(rows.map { element($0.key, $0.values) })
    }

    /// The list of some records of a batch.
    package func remote(_ rows: Range<Int>, of batch: borrowing RecordBatch) -> String {
        var elements: [String] = []
        for row in rows {
            let values = schema.fields.indices.map { batch.value(record: row, field: $0) }
            elements.append(element(batch.key(of: row, schema: schema), values))
        }
        return array(elements)
    }

    func element(_ key: RecordKey, _ values: [FieldValue?]) -> String {
        var values = values
        // Of what the pipeline no longer has nothing is asked.
        for index in schema.fields.indices where schema.fields[index].isGivenUp { values[index] = nil }
        for (index, part) in zip(schema.keyFields, key.values) { values[index] = shared.contains(index) ? nil : part }
        return canonical.object(values)
    }

    func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }
}
