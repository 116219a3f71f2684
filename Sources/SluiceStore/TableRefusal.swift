package import SluiceModel

/// Why a table refuses a record, and what to do.
package struct TableRefusal: Sendable, Equatable {
    /// The database's own words, such as `CHECK constraint failed: price > 0`.
    package let rule: String
    /// The column that takes no null and would have got one; nil where the rule is another one.
    package let nullColumn: String?
    private let isOfTrigger: Bool
    /// Whether what other rows are there may be why: where a foreign key or a trigger refuses the record.
    package let dependsOnOthers: Bool
    /// What to do, as a sentence.
    package let remedy: String

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - rule: The database's own words.
    ///   - isOfTrigger: Whether a trigger of the table refused the record.
    ///   - remedy: What to do, as a sentence.
    ///   - nullColumn: The column that takes no null and would have got one.
    ///   - dependsOnOthers: Whether what other rows are there is why; it may be where a trigger refuses the record.
    package init(
        rule: String, isOfTrigger: Bool, remedy: String, nullColumn: String? = nil, dependsOnOthers: Bool = false
    ) {
        self.rule = rule
        self.nullColumn = nullColumn
        self.isOfTrigger = isOfTrigger
        self.dependsOnOthers = dependsOnOthers || isOfTrigger
        self.remedy = remedy
    }

    /// Who refused a record, and why, as a sentence.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - record: How the sentence calls the record.
    /// - Returns: The sentence.
    package func words(table: String, record: String = "it") -> String {
        "\(isOfTrigger ? "A trigger of" : "The table") `\(table)` refused \(record): \(rule)."
    }

    /// Who refused a record, and why, as a sentence: its table, or one of those with its pairs.
    ///
    /// - Parameters:
    ///   - schema: The fields of the record.
    ///   - referrers: The tables whose rows belong to the record, which may not let it go.
    /// - Returns: The sentence.
    package func words(_ schema: RecordSchema, goingBefore referrers: [String] = []) -> String {
        let tables = [schema.table] + schema.references.compactMap(\.link?.table) + (isOfTrigger ? [] : referrers)
        return words(table: tables.joined(separator: "` or `"))
    }
}
