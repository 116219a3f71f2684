/// Why a table refuses what was to be written.
package struct SQLRefusal: Sendable {
    /// The database's own words.
    package let message: String
    /// Whether a value is there already that must be unique.
    package let isUnique: Bool

    /// Makes a refusal.
    package init(message: String, isUnique: Bool) { (self.message, self.isUnique) = (message, isUnique) }
}
