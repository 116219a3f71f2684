extension SourceDefinition {
    /// By what a run asks whether pages changed since the last one.
    package enum ConditionalRule: String, Sendable, CaseIterable {
        /// The `ETag` and the `Last-Modified` of the last response.
        case both
        /// The `ETag` alone.
        case etag
        /// The `Last-Modified` alone.
        case lastModified = "last_modified"
        /// Nothing: every page is fetched.
        case none

        /// Whether `ETag` is used.
        package var usesEntityTags: Bool { self == .both || self == .etag }
        /// Whether `Last-Modified` is used.
        package var usesTimes: Bool { self == .both || self == .lastModified }
    }
}
