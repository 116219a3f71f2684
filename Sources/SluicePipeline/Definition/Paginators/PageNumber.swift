package import SluiceJSON

extension StreamDefinition {
    /// How pages are counted.
    package struct PageNumber: PaginatorRule {
        /// The query parameter for the page number.
        package var parameter = "page"
        /// The number of the first page.
        package var start = 1
        /// The path to the number of pages; nil where an empty page is the last one.
        package var totalPath: JSONPath?

        package var type: String { "page_number" }

        package var keys: [PaginatorKey] {
            var keys: [PaginatorKey] = []
            if parameter != "page" { keys.append(PaginatorKey("page_param", .text(parameter))) }
            if start != 1 { keys.append(PaginatorKey("start", .number(start))) }
            if let totalPath { keys.append(PaginatorKey("total_pages_path", .path(totalPath))) }
            return keys
        }

        package var summary: String { "page_number, \(parameter) from \(start)" }
        package var isCounted: Bool { true }
        package var causeOfRepetition: String { Self.isIgnored(parameter, "page_param") }

        /// Makes the defaults.
        package init() {}
    }
}
