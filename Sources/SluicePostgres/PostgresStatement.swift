/// A statement and its values.
package struct PostgresStatement: Sendable {
    /// One statement, with `$1`, `$2`, … for its values.
    package let sql: String
    /// The values.
    package let parameters: PostgresParameters

    /// Puts them together.
    package init(_ sql: String, _ parameters: PostgresParameters = PostgresParameters()) {
        self.sql = sql
        self.parameters = parameters
    }

    var key: PreparedNames.Key { PreparedNames.Key(sql: sql, types: parameters.types) }
}
