public import SluiceJSON

extension StreamDefinition {
    /// Where a request takes what a paginator sends.
    public enum PagePlace: String, Sendable, CaseIterable {
        case query, header, body
    }

    /// How one page leads to the next by a value that is sent back.
    public struct Cursor: Sendable, Hashable {
        /// Where the value stands.
        public enum Origin: String, Sendable, CaseIterable {
            case body, header
            case lastRecord = "last_record"
        }

        /// Where the value stands.
        public var origin = Origin.body
        /// The path to it, in the body or in the last record.
        public var path: JSONPath?
        /// The header that holds it.
        public var header = ""
        /// What takes it: a query parameter, a header, or a path within the body.
        public var parameter = ""
        /// The path to a truth value that says whether there is more; nil where the cursor alone says so.
        public var hasMorePath: JSONPath?

        /// Makes a cursor that is to be filled in.
        public init() {}
    }

    /// How pages are counted.
    public struct PageNumber: Sendable, Hashable {
        /// The query parameter for the page number.
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
        /// The query parameter for the number of records to skip.
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
        /// After how many pages to stop; nil for after ``mostPages``, with a warning.
        public var maximumPages: Int?
        /// After how many pages to stop where the pipeline does not say it, so that no source is read for ever.
        public var mostPages = 100_000
        /// Where the size, and what the paginator counts or sends back, go.
        public var place = PagePlace.query
        /// The jq program that stops the reading; nil for none.
        public var stopWhen: String?

        /// Makes the defaults.
        public init() {}
    }
}
