package import SluiceStore

/// Why a table refuses what was to be written; a body that is attempted may throw one as well.
package struct SQLRefusal: Error, Sendable {
    /// Who refuses it, and what to do.
    package let told: TableRefusal
    /// Whether a value is there already that must be unique.
    package let isUnique: Bool
    /// The database's own words.
    package var message: String { told.rule }

    /// Makes a refusal.
    package init(_ told: TableRefusal, isUnique: Bool = false) { (self.told, self.isUnique) = (told, isUnique) }

    /// Who refuses it, why, and what to do, as sentences.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - what: What it refuses.
    /// - Returns: The sentences.
    func reason(_ table: String, _ what: String = "it") -> String {
        "\(told.words(table: table, record: what)) \(told.remedy)"
    }

    /// Takes an attempt back that only was to show whether it would be refused.
    static let undone = SQLRefusal(TableRefusal(rule: "", isOfTrigger: false, remedy: ""))
    /// Whether it is ``undone``.
    var isUndone: Bool { told.rule.isEmpty }

    /// Whether it is ``swallowed``.
    package var isSwallowed: Bool { told == Self.swallowed.told }

    /// The refusal of a trigger that leaves a write out and reports no error.
    package static let swallowed = SQLRefusal(
        TableRefusal(
            rule: "it skips the write without an error", isOfTrigger: true,
            remedy: "Change the trigger, or leave such records out with `filter`."))
}
