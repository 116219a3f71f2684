internal import SluiceDecode
internal import SluiceModel

/// Makes values of a model of records that were decoded.
struct DecodedValues<M: PersistentModel> {
    /// The positions of the model's fields within the records; nil for those that no source has.
    let places: [Int?]
    private let defaults: [BoxedValue]

    /// Makes what makes them.
    ///
    /// - Parameter places: The positions of the model's fields within the records.
    /// - Throws: ``SluiceError`` where a default cannot be stored.
    init(places: [Int?]) throws {
        self.places = places
        defaults = try ModelSource.defaults(of: M.self)
    }

    /// Refuses a model of which no value can be made before its record is stored.
    ///
    /// - Throws: ``SluiceError``.
    static func check() throws(SluiceError) {
        let description = M.model.description
        guard
            let field = description.fields.first(where: { $0.reference?.isByValue == true && !$0.isOptional })
        else { return }
        throw SluiceError(
            .refused,
            "No closure can look at records of `\(description.typeName)`: `\(field.property)` is a record of its own, which is not there yet. Make it optional, or a `Ref`.",
            entity: description.entity, field: field.property)
    }

    /// What the columns of a record of a batch would hold. What the source does not say has its default.
    func columns(of record: Int, in batch: borrowing RecordBatch) -> [BoxedValue] {
        var columns = defaults
        for (field, place) in places.enumerated() {
            guard let place, let value = BoxedValue(of: record, place, in: batch) else { continue }
            columns[field] = value
        }
        return columns
    }

    /// The value of a record of a batch. What the source does not say has its default.
    ///
    /// - Throws: ``UnboxError`` where the model refuses it.
    func value(of record: Int, in batch: borrowing RecordBatch) throws -> M {
        try value(of: columns(of: record, in: batch), within: NestedRecords())
    }

    /// The value of some columns and the records by value in it.
    ///
    /// - Throws: ``UnboxError`` where the model refuses it.
    func value(of columns: [BoxedValue], within: NestedRecords) throws -> M {
        try BoxedValueReader.value(columns, within: within)
    }

    /// The fields of which the source says something in a record of a batch.
    func fields(saidOf record: Int, in batch: borrowing RecordBatch) -> PositionSet {
        var fields = PositionSet()
        for (field, place) in places.enumerated() {
            guard let place, batch.cells[record * batch.fieldCount + place].kind != .absent,
                !batch.isAssumed(record: record, field: place)
            else { continue }
            fields.insert(field)
        }
        return fields
    }
}

extension BoxedValue {
    /// A value of a record of a batch; nil where the key was absent.
    fileprivate init?(of record: Int, _ field: Int, in batch: borrowing RecordBatch) {
        let cell = batch.cells[record * batch.fieldCount + field]
        if cell.kind == .text {
            let start = Int(cell.payload)
            self = .text(String(decoding: batch.bytes[start..<start + Int(cell.length)], as: UTF8.self))
        } else if let value = batch.value(record: record, field: field) {
            self.init(value)
        } else {
            return nil
        }
    }
}
