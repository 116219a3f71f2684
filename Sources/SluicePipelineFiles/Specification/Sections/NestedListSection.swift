extension SectionSpec {
    /// The keys of an element of `nested`.
    package static let nestedList = SectionSpec(
        title: "a list of `nested`",
        keys: [
            KeySpec(
                "path", .string(.valuePath), isRequired: true, example: "lines",
                "The path within the record to the list, which is like a page."),
            KeySpec(
                "records", .string(.valuePath), default: "\"$[*]\"", example: "\"data[*]\"",
                "The path to the records within it."),
            KeySpec(
                "entity", .string(.name), isRequired: true, example: "Line",
                "The entity of the elements: one of the `children` of the stream's entity (this path then replaces its `from`), or an entity that is no child yet, which becomes one with its `primary_key` as `key`."
            ),
            KeySpec(
                "more", .section(.moreRecords),
                example: "{when: .lines.has_more, path: \"/invoices/{{ parent.id }}/lines\"}",
                "The requests for the rest of the list."),
        ])

    /// The keys of `more`.
    package static let moreRecords = SectionSpec(
        title: "`more`",
        keys: [
            KeySpec(
                "when", .string(.program), isRequired: true, example: ".lines.has_more",
                "A jq program over the record that is true if there is more."),
            KeySpec(
                "path", .string(.requestPath), isRequired: true, secrets: .accepted,
                example: "\"/invoices/{{ parent.id }}/lines\"",
                "The path of the requests, in which `{{ parent.x }}` is a field of the record; likewise in `params`, `headers` and `body`."
            ),
            KeySpec(
                "params", .mapping(keys: .name, values: .text(.sentTemplate), minimumCount: 0), default: "{}",
                secrets: .accepted, example: "{limit: 100}",
                "Query parameters. They override those of the source. The stream's own parameters are not sent."),
            KeySpec(
                "headers", .mapping(keys: .pattern(.token), values: .text(.sentTemplate), minimumCount: 0),
                default: "{}", secrets: .accepted, example: "{Accept: application/json}",
                "Request headers. They override those of the stream."),
            .method, .body,
            KeySpec(
                "records", .string(.recordsPath), default: "that of the list", example: "data[*]",
                "The path to the records of a page of the rest."),
            KeySpec(
                "paginator", .variants(.paginator), default: "that of the stream", example: "{type: header_link}",
                "How the next page is found. The first request goes on behind the last record of the list: with the cursor or the link that the list has, or that its last record has, with the number of its records as `offset`, or at the page behind those that `page_size` says it fills. Where nothing tells the place it begins with the first page; records that the list has already count once."
            ),
            KeySpec(
                "from", .string(.valuePath), default: "where a page of the rest has it", example: "page.cursor",
                "The path within the list to the cursor or the link that the first request takes."),
        ])
}
