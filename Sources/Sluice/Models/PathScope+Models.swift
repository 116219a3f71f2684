extension PathScope {
    /// The table of a model at the beginning of a query.
    public init(_ model: any PersistentModel.Type) { self.init(root: model.modelDescription) }

    init(root description: ModelDescription, alias: String? = nil) {
        let root = alias ?? description.table
        self.init(root: root, alias: root, table: description.table, joins: [])
    }

    /// What a reference leads to.
    func following(_ column: String, named name: String, to target: ModelDescription) -> PathScope {
        let next = "\(alias).\(name)"
        let join = Join(
            alias: next, table: target.table, keyColumn: target.keyColumns.first ?? "", from: alias, column: column)
        return PathScope(root: root, alias: next, table: target.table, joins: joins + [join])
    }
}
