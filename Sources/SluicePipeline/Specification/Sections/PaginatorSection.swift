extension VariantSpec {
    /// The kinds of `paginator`.
    public static let paginator = VariantSpec(
        title: "`paginator`",
        variants: [
            Variant("none", "There is one page."),
            Variant(
                "header_link",
                keys: [
                    KeySpec(
                        "rel", .string(.relation), default: "next", example: "next",
                        "The relation of the link to the next page.")
                ] + KeySpec.pageSizes(feature: .headerLinkLimits) + [.maximumPages(feature: .headerLinkLimits)],
                "The `Link` header names the next page, see RFC 8288."),
            Variant(
                "json_link",
                keys: [
                    KeySpec(
                        "path", .string(.valuePath), isRequired: true, example: "links.next",
                        "The path to the next page's URL; where it is missing, null or empty, there is none.")
                ] + KeySpec.pageSizes() + [.maximumPages()],
                feature: .jsonLink,
                "A value of the page names the next page."),
            pageNumber,
            offset,
        ],
        synonyms: [
            "link": "header_link", "link_header": "header_link", "single_page": "none", "page": "page_number",
            "page_increment": "page_number", "offset_increment": "offset", "next_url": "json_link",
        ])

    private static let pageNumber = Variant(
        "page_number",
        keys: [
            KeySpec(
                "page_param", .string(.name), default: "page", example: "p",
                "The query parameter that names the page."),
            KeySpec("start", .integer(0...Int.max), default: "1", example: "0", "The number of the first page."),
            KeySpec(
                "total_pages_path", .string(.valuePath), example: "meta.pages",
                "The path to the number of pages; without it an empty page is the last one."),
        ] + KeySpec.pageSizes() + [.maximumPages()],
        feature: .pageNumber,
        "Pages are counted.")

    private static let offset = Variant(
        "offset",
        keys: [
            KeySpec(
                "offset_param", .string(.name), default: "offset", example: "skip",
                "The query parameter that says how many records to pass over."),
            KeySpec(
                "limit_param", .string(.name), default: "limit", example: "take",
                "The query parameter that takes `page_size`."),
            KeySpec(
                "total_path", .string(.valuePath), example: "meta.total",
                "The path to the number of records; without it an empty page is the last one."),
            KeySpec(
                "page_size", .integer(1...1_000_000), example: "100",
                "How many records to ask for; without it the source decides."),
            .maximumPages(),
        ],
        feature: .offset,
        "Records are counted.")
}

extension KeySpec {
    fileprivate static func pageSizes(feature: KeyFeature? = nil) -> [KeySpec] {
        [
            KeySpec(
                "page_size", .integer(1...1_000_000), example: "100", feature: feature,
                "How many records a page has, sent as `page_size_param`."),
            KeySpec(
                "page_size_param", .string(.name), example: "per_page", feature: feature,
                "The query parameter that takes `page_size`."),
        ]
    }

    fileprivate static func maximumPages(feature: KeyFeature? = nil) -> KeySpec {
        KeySpec(
            "max_pages", .integer(1...Int.max), example: "10", feature: feature,
            "After how many pages to stop, as if the rest could not be read: nothing counts as deleted.")
    }
}
