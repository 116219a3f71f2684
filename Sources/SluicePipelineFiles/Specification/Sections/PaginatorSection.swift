internal import SluicePipeline

extension VariantSpec {
    /// The kinds of `paginator`.
    package static let paginator = VariantSpec(
        title: "`paginator`",
        variants: [
            Variant("none", "There is only one page."),
            Variant(
                "header_link",
                keys: [
                    KeySpec(
                        "rel", .string(.relation), default: "next", example: "next",
                        "The relation of the link to the next page.")
                ] + KeySpec.pageSizes(feature: .headerLinkLimits)
                    + [.maximumPages(feature: .headerLinkLimits), .stopWhen],
                "The `Link` header names the next page (RFC 8288)."),
            Variant(
                "json_link",
                keys: [
                    KeySpec(
                        "path", .string(.valuePath), isRequired: true, example: "links.next",
                        "The path to the URL of the next page. If it is missing, null or empty, the page is the last.")
                ] + KeySpec.pageSizes() + [.maximumPages(), .stopWhen],
                feature: .jsonLink,
                "A value of the page names the next page."),
            cursor,
            pageNumber,
            offset,
        ],
        synonyms: [
            "link": "header_link", "link_header": "header_link", "single_page": "none", "page": "page_number",
            "page_increment": "page_number", "cursor_pagination": "cursor", "next_token": "cursor",
            "offset_increment": "offset", "next_url": "json_link",
        ],
        elsewhere: Dictionary(
            uniqueKeysWithValues: [
                "limit", "per_page", "perPage", "pageSize", "size", "count", "take", "max_results",
            ].map { ($0, ("page_size", "`page_size` is the number of records that a page is asked for.")) }))

    private static let cursor = Variant(
        "cursor",
        keys: [
            KeySpec(
                "cursor_path", .string(.name), isRequired: true, example: "meta.next_cursor",
                "The path to the cursor in the body or in the last record, or the header that holds it."),
            KeySpec(
                "cursor_param", .string(.name), isRequired: true, example: "cursor",
                "The place of the cursor in requests: a query parameter, a header, or a path within the body."),
            KeySpec(
                "cursor_from", .choice(ChoiceSpec(StreamDefinition.Cursor.Origin.allCases.map(\.rawValue))),
                default: "body", example: "last_record",
                "Where to find the cursor. If it is missing, null or empty, the page is the last."),
            KeySpec(
                "has_more_path", .string(.valuePath), example: "has_more",
                "The path to a boolean. If it is false, the page is the last."),
        ] + KeySpec.pageSizes() + [.place("the cursor"), .maximumPages(), .stopWhen],
        feature: .cursor,
        "Each page gives a cursor for the next one.")

    private static let pageNumber = Variant(
        "page_number",
        keys: [
            KeySpec(
                "page_param", .string(.name), default: "page", example: "p",
                "The query parameter for the page number."),
            KeySpec("start", .integer(0...Int.max), default: "1", example: "0", "The number of the first page."),
            KeySpec(
                "total_pages_path", .string(.valuePath), example: "meta.pages",
                "The path to the number of pages. Without it, the number in a header such as `X-Total-Pages` counts, else an empty page is the last one."
            ),
        ] + KeySpec.pageSizes() + [.place("the page's number"), .maximumPages(), .stopWhen],
        feature: .pageNumber,
        "Pages are requested by their numbers.")

    private static let offset = Variant(
        "offset",
        keys: [
            KeySpec(
                "offset_param", .string(.name), default: "offset", example: "skip",
                "The query parameter for the number of records to skip."),
            KeySpec(
                "limit_param", .string(.name), default: "limit", example: "take",
                "The query parameter for `page_size`."),
            KeySpec(
                "total_path", .string(.valuePath), example: "meta.total",
                "The path to the number of records. Without it, an empty page is the last one."),
            KeySpec(
                "page_size", .integer(1...1_000_000), example: "100",
                "The number of records to request. Without it, the source decides."),
            .place("the offset"), .maximumPages(), .stopWhen,
        ],
        feature: .offset,
        "Pages are requested by the number of records to skip.")
}

extension KeySpec {
    fileprivate static func pageSizes(feature: KeyFeature? = nil) -> [KeySpec] {
        [
            KeySpec(
                "page_size", .integer(1...1_000_000), example: "100", feature: feature,
                "The number of records per page, sent as `page_size_param`."),
            KeySpec(
                "page_size_param", .string(.name), example: "per_page", feature: feature,
                "The query parameter for `page_size`."),
        ]
    }

    /// Where the parameters of a paginator go.
    fileprivate static func place(_ what: String) -> KeySpec {
        KeySpec(
            "in", .choice(ChoiceSpec(StreamDefinition.PagePlace.allCases.map(\.rawValue))), default: "query",
            example: "body",
            "Where \(what) and the page size are sent; `body` sets a key of `body`, such as `variables.after`.")
    }

    fileprivate static var stopWhen: KeySpec {
        KeySpec(
            "stop_when", .string(.program), example: "'any(.records[]; .year < 2020)'", feature: .stopWhen,
            "A jq program over `{status, headers, body, records}`. If it is true, no further page is read, and no record counts as gone, also where the page is the last one."
        )
    }

    fileprivate static func maximumPages(feature: KeyFeature? = nil) -> KeySpec {
        KeySpec(
            "max_pages", .integer(1...Int.max), default: "100000", example: "10", feature: feature,
            "The most pages to read. Where it is set, more than a hundred pages in a row may be without a record. If it ends the reading, no record counts as gone. Where the default ends the reading, that is a warning (`page_limit`): raise it for a source that has more."
        )
    }
}
