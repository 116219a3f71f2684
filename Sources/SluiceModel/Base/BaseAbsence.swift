/// Why what a source said last time cannot be shown.
package enum BaseAbsence: String, Codable, Sendable, CaseIterable {
    /// The source never gave a value.
    case never
    /// The value is longer than `keep_base: short` keeps.
    case tooLong = "too_long"
    /// `keep_base: digest` keeps no such value.
    case digest
    /// `keep_base: full` keeps it from the source's next change on.
    case earlier
    /// The value is longer than `keep_base: short` keeps, or was read when `keep_base: digest` kept no such value.
    case longOrDigest = "too_long_or_digest"
}

extension BaseEntry {
    /// Why the value is not known; nil where it is.
    ///
    /// - Parameters:
    ///   - keeping: What is kept of the field's values.
    ///   - hadDigests: Whether less of them was kept before.
    /// - Returns: The reason.
    package func absence(_ keeping: BaseKeeping, hadDigests: Bool = false) -> BaseAbsence? {
        switch (self, keeping) {
        case (.null, _), (.value, _): nil
        case (.none, _): .never
        case (.digest, .short): hadDigests ? .longOrDigest : .tooLong
        case (.digest, .digest): .digest
        case (.digest, .full): .earlier
        }
    }
}
