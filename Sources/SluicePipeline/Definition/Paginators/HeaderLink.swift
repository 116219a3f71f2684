extension StreamDefinition {
    /// The `Link` header names the next page (RFC 8288).
    package struct HeaderLink: PaginatorRule {
        /// The relation of the link.
        package var relation: String

        package var type: String { "header_link" }
        package var keys: [PaginatorKey] { relation == "next" ? [] : [PaginatorKey("rel", .text(relation))] }
        package var summary: String { "header_link, the Link header's rel=\(relation)" }

        /// Makes a rule of its relation.
        package init(relation: String) { self.relation = relation }
    }
}
