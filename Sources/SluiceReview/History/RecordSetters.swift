internal import SluiceModel
internal import SluiceStore

/// Which run wrote each column of a row, whatever source it was for, and which one met the row first.
struct RecordSetters {
    /// What is known of one source of the row.
    struct Source {
        let schema: RecordSchema
        /// What runs did for it.
        let records: [RecordedChange]
        /// The run that had the record from it first, nil where that is not known.
        let firstRun: Int64?

        /// The run that made the row for it; nil where the row was there before.
        fileprivate var insertingRun: Int64? {
            let isAdopted = records.contains { $0.isAdoption && $0.run == firstRun }
            return isAdopted ? nil : firstRun
        }
    }

    /// The runs by column, in lower case.
    private(set) var runs: [String: Int64] = [:]
    /// The values that ``runs`` wrote, likewise, where the history has them.
    private(set) var values: [String: FieldValue] = [:]
    /// The run that met the row, which was there before; nil where runs made it, or that is not known.
    private(set) var finder: Int64?

    /// - Parameters:
    ///   - schema: The fields that are asked about.
    ///   - sources: All sources of the row.
    ///   - isMarked: Whether the row is marked as deleted, and holds what it held before.
    init(schema: RecordSchema, sources: [Source], isMarked: Bool) {
        // A row that several sources have was made once, for the first of them.
        if let first = sources.compactMap(\.insertingRun).min() {
            set(schema.fields.map(\.column), first)
        }
        let changes = sources.flatMap { source in source.records.map { (source.schema, $0) } }
        for (schema, record) in changes.sorted(by: { $0.1.id < $1.1.id }) {
            if record.isAdoption { finder = record.run }
            switch record.action {
            case .insert: set(schema.fields.map(\.column), record.run)
            case .update:
                for column in record.columns where column.isField {
                    let written = schema.fields.filter { $0.name == column.name }.map(\.column)
                    set(written, record.run)
                    for name in written { values[name.lowercased()] = column.new }
                }
            case .delete where !isMarked: (runs, values, finder) = ([:], [:], nil)
            case .delete, .base: break
            }
        }
    }

    private mutating func set(_ columns: [String], _ run: Int64) {
        for column in columns.map({ $0.lowercased() }) { (runs[column], values[column]) = (run, nil) }
    }
}
