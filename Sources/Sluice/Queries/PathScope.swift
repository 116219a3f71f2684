/// The part of a query that a path begins in: a table, or what a reference of it leads to.
public struct PathScope: Sendable, Hashable {
    /// A join that a path needs.
    struct Join: Sendable, Hashable {
        /// What the joined table is called.
        let alias: String
        let table: String
        let keyColumn: String
        /// What the table that leads there is called, and its column.
        let from: String
        let column: String
    }

    /// What the table at the beginning is called.
    let root: String
    /// What the table at the end is called.
    let alias: String
    /// The table at the end.
    let table: String
    /// What leads from the beginning to the end.
    let joins: [Join]

    /// The table of a model at the beginning of a query.
    public init(_ model: any PersistentModel.Type) { self.init(root: model.modelDescription) }

    init(root description: ModelDescription, alias: String? = nil) {
        root = alias ?? description.table
        self.alias = root
        table = description.table
        joins = []
    }

    private init(root: String, alias: String, table: String, joins: [Join]) {
        self.root = root
        self.alias = alias
        self.table = table
        self.joins = joins
    }

    /// What a reference leads to.
    func following(_ column: String, named name: String, to target: ModelDescription) -> PathScope {
        let next = "\(alias).\(name)"
        let join = Join(
            alias: next, table: target.table, keyColumn: target.keyColumns.first ?? "", from: alias, column: column)
        return PathScope(root: root, alias: next, table: target.table, joins: joins + [join])
    }
}
