/// Identifiers that people wrote in another spelling than the one by which records are compared, and that keep it: their rows
/// are none of the source's records.
package struct UnspelledKey: Sendable, Equatable {
    /// The table.
    package let table: String
    /// The column.
    package let column: String
    /// As it is written.
    package let old: String
    /// As it is compared.
    package let new: String
    /// How many rows have it.
    package let rows: Int
    /// Why the table refuses the other spelling, in the words of the database; nil where another row has it already.
    package let refusal: String?

    /// Makes a value of its parts.
    package init(table: String, column: String, old: String, new: String, rows: Int, refusal: String?) {
        self.table = table
        self.column = column
        self.old = old
        self.new = new
        self.rows = rows
        self.refusal = refusal
    }
}

// Where a database has types for identifiers, each has one spelling.
extension RecordStore {
    /// Settles references, see ``settleReferences(telling:)``, without a word of single rows.
    package func settleReferences() throws -> ReferenceOutcome { try settleReferences(telling: nil) }

    package func spellKeys() throws {}
    package func takeUnspelledKeys(of tables: [String]) -> [UnspelledKey] { [] }
}
