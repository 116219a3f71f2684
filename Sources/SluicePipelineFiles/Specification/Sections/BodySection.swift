extension SectionSpec {
    /// The keys of `body`, of which there is one.
    package static let body = SectionSpec(
        title: "`body`", documentation: "Set one of the three keys.",
        keys: [
            KeySpec(
                "json", .json, secrets: .accepted, example: "{query: {status: open}}",
                "A body in JSON. A text that is only a variable with `| unix` becomes a number."
            ),
            KeySpec(
                "form", .mapping(keys: .name, values: .text(.anyTemplate), minimumCount: 0), secrets: .accepted,
                example: "{status: open}",
                "The fields of a form (`application/x-www-form-urlencoded`)."),
            KeySpec(
                "text", .text(.anyTemplate), secrets: .accepted, example: "status=open",
                "A text. Set its type with a `Content-Type` header."),
        ])
}
