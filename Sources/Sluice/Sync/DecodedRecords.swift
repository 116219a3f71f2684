internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel

/// Makes values of a model of records that were decoded together with those that stand within them.
struct DecodedRecords<M: PersistentModel> {
    /// Those that the fields lead to, and the relationships.
    private struct Inner {
        let index: Int
        /// The position of the field that has their keys, within the records.
        let place: Int?
        let target: ModelDescription
        /// What makes them; nil where they do not come along.
        let records: (any DecodedPart)?
    }

    private let values: DecodedValues<M>
    private let single: [Inner]
    private let lists: [Inner]

    /// Makes what makes them.
    ///
    /// - Parameters:
    ///   - plan: How the records are decoded.
    ///   - tree: What stands within records; nil where nothing does.
    /// - Throws: ``SluiceError`` where a default cannot be stored, and `SQLiteError`.
    init(_ plan: DecodePlan, _ tree: NestedTree?) throws {
        func place(_ name: String) -> Int? { plan.fields.firstIndex { $0.name == name } }
        func records(of target: any PersistentModel.Type) throws -> (any DecodedPart)? {
            let entity = target.modelDescription.entity
            guard let tree, let part = tree.parts.firstIndex(where: { $0.plan.schema.entity == entity }) else {
                return nil
            }
            func make<T: PersistentModel>(_ type: T.Type) throws -> any DecodedPart {
                DecodedRecordsWithin<T>(
                    part: part, schema: tree.parts[part].plan.schema,
                    records: try DecodedRecords<T>(tree.parts[part].plan, tree))
            }
            return try make(target)
        }
        let description = M.model.description
        values = try DecodedValues(places: description.fields.map { place($0.name) })
        single = try description.fields.enumerated().compactMap { index, field in
            guard let reference = field.reference, reference.isByValue, let target = reference.target else {
                return nil
            }
            return Inner(
                index: index, place: place(field.name), target: target.modelDescription,
                records: try records(of: target))
        }
        lists = try description.relationships.enumerated().compactMap { index, relationship in
            guard let target = relationship.target else { return nil }
            return Inner(
                index: index, place: place(relationship.name), target: target.modelDescription,
                records: relationship.isByValue ? try records(of: target) : nil)
        }
    }

    /// The value of a record, and what the source says of it. What it does not say has its default.
    ///
    /// - Parameters:
    ///   - record: The position of the record within the batch.
    ///   - batch: The batch.
    ///   - parts: What stands within the records.
    /// - Returns: Both.
    /// - Throws: ``UnboxError`` where the model refuses it.
    func value(
        of record: Int, in batch: borrowing RecordBatch, within parts: [NestedBatch]
    ) throws -> (value: M, said: SaidProperties) {
        let columns = values.columns(of: record, in: batch)
        var said = SaidProperties(fields: values.fields(saidOf: record, in: batch), relationships: [])
        said.given = columns
        for index in columns.indices where !said.contains(field: index) { said.forget(given: index) }
        for inner in single { said.forget(given: inner.index) }
        var within = NestedRecords()
        for inner in single {
            let field = M.model.description.fields[inner.index]
            let key = columns[inner.index]
            if key.isNull { continue }
            let text = FieldJSON.text(FieldValue(key), type: field.fieldType)
            if let found = try inner.records?.first(of: text, in: parts) {
                found.put(into: &within, inner.index, key: key)
                said.single[inner.index] = found.said
            } else {
                said.keys[inner.index] = text
            }
        }
        for inner in lists {
            guard let place = inner.place, case .text(let list)? = batch.value(record: record, field: place) else {
                continue
            }
            said.relationships?.insert(inner.index)
            let keys = try JSONDocument(list).root.elements.map { element in
                let parts = inner.target.identifiers.count > 1 ? element.elements : [element]
                return parts.map { String(decoding: $0.json, as: UTF8.self) }
            }
            let found = try inner.records?.all(of: keys, in: parts)
            if let found {
                found.put(into: &within, inner.index, of: M.model.description.identifiers.map { columns[$0] })
                said.lists[inner.index] = found.said
            }
            let bare = keys.filter { found?.keys.contains($0) != true }
            if found == nil || !bare.isEmpty {
                said.listKeys[inner.index] = bare.map { SaidProperties.json(key: $0, of: inner.target) }
            }
        }
        return (try values.value(of: columns, within: within), said)
    }
}

/// The records of a part of what stands within others, as values of some model.
private protocol DecodedPart {
    /// The record of a key as JSON; nil where there is none.
    func first(of key: String, in parts: [NestedBatch]) throws -> (any FoundRecords)?
    /// The records of keys as JSON, in the order in which they stand in the source.
    func all(of keys: [[String]], in parts: [NestedBatch]) throws -> any FoundRecords
}

/// Values of some model that were found within a record, and what the source says of them.
private protocol FoundRecords {
    /// Their keys as JSON.
    var keys: Set<[String]> { get }
    /// What is said of each.
    var said: [[BoxedValue]: SaidProperties] { get }
    func put(into records: inout NestedRecords, _ relationship: Int, of owner: [BoxedValue])
    func put(into records: inout NestedRecords, _ field: Int, key: BoxedValue)
}

extension FoundRecords {
    /// What is said of the only one.
    fileprivate var said: SaidProperties { said.values.first ?? .all }
}

private struct DecodedRecordsWithin<T: PersistentModel>: DecodedPart {
    /// The position of the part.
    let part: Int
    let schema: RecordSchema
    let records: DecodedRecords<T>

    private struct Found: FoundRecords {
        var values: [T] = []
        var keys: Set<[String]> = []
        var said: [[BoxedValue]: SaidProperties] = [:]

        func put(into records: inout NestedRecords, _ relationship: Int, of owner: [BoxedValue]) {
            records.put(values, relationship, of: owner)
        }
        func put(into records: inout NestedRecords, _ field: Int, key: BoxedValue) {
            if let value = values.first { records.put(value, field, key) }
        }
    }

    private func key(_ row: Int, _ batch: borrowing RecordBatch) -> RecordKey { batch.key(of: row, schema: schema) }

    private func texts(_ key: RecordKey) -> [String] {
        zip(key.values, schema.keyFields).map { FieldJSON.text($0, type: schema.fields[$1].type) }
    }

    private func find(_ isMeant: ([String]) -> Bool, in parts: [NestedBatch]) throws -> Found {
        var found = Found()
        for row in 0..<parts[part].records.count {
            let key = key(row, parts[part].records)
            let texts = texts(key)
            guard isMeant(texts), found.keys.insert(texts).inserted else { continue }
            let (value, said) = try records.value(of: row, in: parts[part].records, within: parts)
            found.values.append(value)
            found.said[key.values.map { BoxedValue($0) }] = said
        }
        return found
    }

    func first(of key: String, in parts: [NestedBatch]) throws -> (any FoundRecords)? {
        let found = try find({ $0 == [key] }, in: parts)
        return found.values.isEmpty ? nil : found
    }

    func all(of keys: [[String]], in parts: [NestedBatch]) throws -> any FoundRecords {
        let keys = Set(keys)
        return try find({ keys.contains($0) }, in: parts)
    }
}
