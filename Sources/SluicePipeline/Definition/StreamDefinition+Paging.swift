public import SluiceJSON

extension StreamDefinition {
    /// How pages are counted.
    public struct PageNumber: Sendable, Hashable {
        /// The query parameter that names the page.
        public var parameter = "page"
        /// The number of the first page.
        public var start = 1
        /// The path to the number of pages; nil where an empty page is the last one.
        public var totalPath: JSONPath?

        /// Makes the defaults.
        public init() {}
    }

    /// How records are counted.
    public struct Offset: Sendable, Hashable {
        /// The query parameter that says how many records to pass over.
        public var parameter = "offset"
        /// The query parameter that takes the page's size.
        public var limitParameter = "limit"
        /// The path to the number of records; nil where an empty page is the last one.
        public var totalPath: JSONPath?

        /// Makes the defaults.
        public init() {}
    }

    /// How large pages are, and how many are read.
    public struct PageLimits: Sendable, Hashable {
        /// How many records to ask for; nil where the source decides.
        public var size: Int?
        /// The query parameter that takes ``size``; `offset` has one of its own.
        public var sizeParameter: String?
        /// After how many pages to stop; nil for never.
        public var maximumPages: Int?

        /// Makes the defaults.
        public init() {}
    }
}
