extension StreamDefinition {
    /// Where a request takes what a paginator sends.
    package enum PagePlace: String, Sendable, CaseIterable {
        case query, header, body
    }

    /// How large pages are, and how many are read.
    package struct PageLimits: Sendable, Hashable {
        /// How many records to ask for; nil where the source decides.
        package var size: Int?
        /// The query parameter that takes ``size``; `offset` has one of its own.
        package var sizeParameter: String?
        /// After how many pages to stop; nil for after ``mostPages``, with a warning.
        package var maximumPages: Int?
        /// After how many pages to stop where the pipeline does not say it, so that no source is read for ever.
        package var mostPages = 100_000
        /// Where the size, and what the paginator counts or sends back, go.
        package var place = PagePlace.query
        /// The jq program that stops the reading; nil for none.
        package var stopWhen: String?

        /// Makes the defaults.
        package init() {}
    }
}
