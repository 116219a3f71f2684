/// What a name stands for in a database.
package enum SQLObject: Sendable, Equatable {
    case table, view
    /// An index or something else that has the name.
    case other
}
