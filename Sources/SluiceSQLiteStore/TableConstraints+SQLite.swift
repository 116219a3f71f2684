internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

extension TableConstraints {
    /// What a table of SQLite demands of its rows.
    init(_ demands: TableDemands, schema: RecordSchema) {
        self.init(
            schema, unique: demands.unique, required: demands.required, mayRefuse: demands.mayRefuse,
            changesOtherRows: demands.changesOtherRows, isBound: demands.isBound)
    }
}
