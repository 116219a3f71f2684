/// Why what a source said last time cannot be shown.
package enum BaseAbsence: String, Sendable, CaseIterable {
    /// The source never gave a value.
    case never
    /// The value is longer than `keep_base: short` keeps.
    case tooLong = "too_long"
    /// `keep_base: digest` keeps no such value.
    case digest
    /// `keep_base: full` keeps it from the source's next change on.
    case earlier
}

extension BaseEntry {
    /// Why the value is not known; nil where it is.
    ///
    /// - Parameter keeping: What is kept of the field's values.
    /// - Returns: The reason.
    package func absence(_ keeping: BaseKeeping) -> BaseAbsence? {
        switch (self, keeping) {
        case (.null, _), (.value, _): nil
        case (.none, _): .never
        case (.digest, .short): .tooLong
        case (.digest, .digest): .digest
        case (.digest, .full): .earlier
        }
    }
}
