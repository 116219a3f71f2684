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

    /// What it says: one reference, since each path of a model hands it on, and takes the compiler of each model as many words.
    private final class Parts: Sendable {
        let root: String
        let alias: String
        let table: String
        let joins: [Join]

        init(root: String, alias: String, table: String, joins: [Join]) {
            self.root = root
            self.alias = alias
            self.table = table
            self.joins = joins
        }
    }

    private let parts: Parts

    /// What the table at the beginning is called.
    var root: String { parts.root }
    /// What the table at the end is called.
    var alias: String { parts.alias }
    /// The table at the end.
    var table: String { parts.table }
    /// What leads from the beginning to the end.
    var joins: [Join] { parts.joins }

    init(root: String, alias: String, table: String, joins: [Join]) {
        parts = Parts(root: root, alias: alias, table: table, joins: joins)
    }

    /// Whether both lead from one table to the same one, the same way.
    public static func == (left: PathScope, right: PathScope) -> Bool {
        left.parts === right.parts
            || left.root == right.root && left.alias == right.alias && left.table == right.table
                && left.joins == right.joins
    }

    /// Adds where it leads.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(root)
        hasher.combine(alias)
        hasher.combine(table)
        hasher.combine(joins)
    }
}
