internal import SluiceModel
internal import SluicePostgres

/// New records of a batch, each with its row as `COPY` takes it.
struct PostgresNewRecords {
    /// Their positions in the batch.
    private(set) var records: [Int] = []
    private(set) var keys: [RecordKey] = []
    /// Their rows; empty where `COPY` would not convert some of the values.
    private(set) var rows: PostgresRows
    /// The values of their rows, where `COPY` would not convert some of them.
    private(set) var values: [[PostgresValue]] = []
    /// The sets of each record that stand in tables of their own.
    private(set) var sets: [[FieldValue?]] = []

    private let columns: [Column]
    private let isNative: Bool

    /// A column that is filled, and the field that fills it.
    private struct Column {
        let field: Int
        let type: PostgresColumnType
        /// The form of the type, at hand for each value.
        let form: PostgresColumnType.Form
    }

    /// Makes room for no record yet.
    ///
    /// - Parameters:
    ///   - columns: The columns that are filled, each with its field.
    ///   - byteCount: About how many bytes the values of all records have.
    init(columns: [(field: Int, column: PostgresTableColumn)], byteCount: Int) {
        self.columns = columns.map { Column(field: $0.field, type: $0.column.type, form: $0.column.type.form) }
        isNative = columns.allSatisfy { $0.column.type.isNative }
        rows = PostgresRows(columnCount: columns.count, byteCount: isNative ? byteCount : 0)
    }

    /// The number of records.
    var count: Int { records.count }

    /// Adds a record of a batch.
    ///
    /// - Parameters:
    ///   - record: Its position in the batch.
    ///   - batch: The batch.
    ///   - schema: Its fields.
    ///   - linked: The fields whose sets stand in tables of their own.
    /// - Returns: False where a column cannot hold a value without loss; the record is not added then.
    mutating func append(
        _ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema, linked: [Int]
    ) -> Bool {
        guard isNative ? appendRow(record, of: batch) : appendValues(record, of: batch) else { return false }
        records.append(record)
        keys.append(batch.key(of: record, schema: schema))
        if !linked.isEmpty { sets.append(linked.map { batch.value(record: record, field: $0) }) }
        return true
    }

    private mutating func appendRow(_ record: Int, of batch: borrowing RecordBatch) -> Bool {
        rows.begin()
        let first = record * batch.fieldCount
        for column in columns {
            let cell = batch.cells[first + column.field]
            if Self.append(cell, batch.bytes, as: column.form, to: &rows.fields) ?? append(record, of: batch, column) {
                continue
            }
            rows.removeLast()
            return false
        }
        return true
    }

    /// Adds a value of the types that most columns have, from where it lies.
    ///
    /// - Returns: Whether the column holds it without loss; nil for other types, of which nothing is added.
    private static func append(
        _ cell: Cell, _ bytes: [UInt8], as form: PostgresColumnType.Form, to fields: inout PostgresFields
    ) -> Bool? {
        switch (cell.kind, form) {
        case (.absent, _), (.null, _): fields.appendNull()
        case (.integer, .int): fields.append(cell.payload)
        case (.integer, .bool):
            guard cell.payload == 0 || cell.payload == 1 else { return false }
            fields.append(cell.payload == 1)
        case (.real, .double): fields.append(Double(bitPattern: UInt64(bitPattern: cell.payload)))
        case (.text, .text): return fields.append(text: slice(cell, bytes))
        case (.text, .timestamp(let digits)):
            guard let moment = PostgresColumnType.timestamp(slice(cell, bytes), digits: digits) else { return false }
            fields.append(moment)
        default: return nil
        }
        return true
    }

    private static func slice(_ cell: Cell, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[Int(cell.payload)..<Int(cell.payload) + Int(cell.length)]
    }

    private mutating func append(_ record: Int, of batch: borrowing RecordBatch, _ column: Column) -> Bool {
        guard let value = column.type.value(batch.value(record: record, field: column.field) ?? .null) else {
            return false
        }
        rows.fields.append(value)
        return true
    }

    private mutating func appendValues(_ record: Int, of batch: borrowing RecordBatch) -> Bool {
        var all: [PostgresValue] = []
        all.reserveCapacity(columns.count)
        for column in columns {
            guard let value = column.type.value(batch.value(record: record, field: column.field) ?? .null) else {
                return false
            }
            all.append(value)
        }
        values.append(all)
        return true
    }
}
