/// What was copied from one store to another.
package struct StoreCopyReport: Sendable, Equatable {
    /// What a table is to a store.
    package enum Role: String, Sendable {
        /// Rows of records, of links, or of what others refer to.
        case table
        /// What the sources said last.
        case base
        /// What the store remembers besides.
        case ledger
    }

    /// A table that was copied.
    package struct Table: Sendable, Equatable {
        /// The name in the target.
        package let name: String
        package let role: Role
        package let rows: Int
        /// The digest of all rows, in whatever order they are.
        package let digest: UInt64

        /// Describes a table.
        package init(name: String, role: Role, rows: Int, digest: UInt64) {
            (self.name, self.role, self.rows, self.digest) = (name, role, rows, digest)
        }
    }

    /// The tables, in the order in which they were copied.
    package var tables: [Table] = []
    /// What was not copied, each as the end of a sentence that begins with "Not copied:".
    package var left: [String] = []
    /// Whether the rows of the target were read again and compared; else they were counted.
    package var isVerified = false

    /// An empty report.
    package init() {}

    /// How many rows were copied of a kind of tables.
    package func rows(_ role: Role) -> Int { tables.filter { $0.role == role }.reduce(0) { $0 + $1.rows } }
}

/// How far a copy has come.
package struct StoreCopyProgress: Sendable {
    /// The table.
    package let table: String
    /// How many of its rows were copied, or read again.
    package let rows: Int
    /// Whether they are read again.
    package let isVerifying: Bool

    /// Says how far it has come.
    package init(table: String, rows: Int, isVerifying: Bool) {
        (self.table, self.rows, self.isVerifying) = (table, rows, isVerifying)
    }
}
