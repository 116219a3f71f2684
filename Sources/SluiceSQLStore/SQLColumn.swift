/// A column that a table has.
package struct SQLColumn: Sendable {
    package let name: String
    /// The type as the table declares it; empty where it declares none.
    package let declared: String
    /// The position in the primary key, from 1; 0 for other columns.
    package let keyPosition: Int
    package let isNotNull: Bool
    /// What the table gives a row that says nothing, as SQL; nil for null.
    package let defaultSQL: String?
    package let isGenerated: Bool
    /// Whether the table takes values of the declared types alone.
    package let isStrict: Bool

    /// Makes a column.
    package init(
        name: String, declared: String, keyPosition: Int, isNotNull: Bool, defaultSQL: String?, isGenerated: Bool,
        isStrict: Bool
    ) {
        (self.name, self.declared, self.keyPosition) = (name, declared, keyPosition)
        (self.isNotNull, self.defaultSQL) = (isNotNull, defaultSQL)
        (self.isGenerated, self.isStrict) = (isGenerated, isStrict)
    }

    /// Whether a row that says nothing has a value there; `DEFAULT NULL` gives none.
    package var hasDefault: Bool {
        guard let words = defaultSQL?.filter({ !" ()".contains($0) }).uppercased() else { return false }
        return words != "NULL" && !words.hasPrefix("NULL::")
    }
    package var isRequired: Bool { isNotNull && !hasDefault }
    /// The declared type in capitals.
    package var type: String { declared.uppercased() }
}
