package import SluiceJSON

extension StreamDefinition {
    /// Where a request takes what a paginator sends.
    package enum PagePlace: String, Sendable, CaseIterable {
        case query, header, body
    }

    /// How one page leads to the next by a value that is sent back.
    package struct Cursor: Sendable, Hashable {
        /// Where the value stands.
        package enum Origin: String, Sendable, CaseIterable {
            case body, header
            case lastRecord = "last_record"
        }

        /// Where the value stands.
        package var origin = Origin.body
        /// The path to it, in the body or in the last record.
        package var path: JSONPath?
        /// The header that holds it.
        package var header = ""
        /// What takes it: a query parameter, a header, or a path within the body.
        package var parameter = ""
        /// The path to a truth value that says whether there is more; nil where the cursor alone says so.
        package var hasMorePath: JSONPath?

        /// Makes a cursor that is to be filled in.
        package init() {}
    }

    /// How pages are counted.
    package struct PageNumber: Sendable, Hashable {
        /// The query parameter for the page number.
        package var parameter = "page"
        /// The number of the first page.
        package var start = 1
        /// The path to the number of pages; nil where an empty page is the last one.
        package var totalPath: JSONPath?

        /// Makes the defaults.
        package init() {}
    }

    /// How records are counted.
    package struct Offset: Sendable, Hashable {
        /// The query parameter for the number of records to skip.
        package var parameter = "offset"
        /// The query parameter that takes the page's size.
        package var limitParameter = "limit"
        /// The path to the number of records; nil where an empty page is the last one.
        package var totalPath: JSONPath?

        /// Makes the defaults.
        package init() {}
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
