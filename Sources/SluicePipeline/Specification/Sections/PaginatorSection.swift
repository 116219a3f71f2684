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
                ],
                "The `Link` header names the next page, see RFC 8288."),
        ],
        synonyms: ["link": "header_link", "link_header": "header_link", "single_page": "none"])
}
