package import SluiceJSON

extension StreamDefinition {
    /// How records are counted.
    package struct Offset: PaginatorRule {
        /// The query parameter for the number of records to skip.
        package var parameter = "offset"
        /// The query parameter that takes the page's size.
        package var limitParameter = "limit"
        /// The path to the number of records; nil where an empty page is the last one.
        package var totalPath: JSONPath?

        package var type: String { "offset" }

        package var keys: [PaginatorKey] {
            var keys: [PaginatorKey] = []
            if parameter != "offset" { keys.append(PaginatorKey("offset_param", .text(parameter))) }
            if limitParameter != "limit" { keys.append(PaginatorKey("limit_param", .text(limitParameter))) }
            if let totalPath { keys.append(PaginatorKey("total_path", .path(totalPath))) }
            return keys
        }

        package var summary: String { "offset, the parameter \(parameter)" }
        package var isCounted: Bool { true }
        package var causeOfRepetition: String { Self.isIgnored(parameter, "offset_param") }
        package var continuesLists: Bool { true }

        /// Makes the defaults.
        package init() {}
    }
}
