extension SectionSpec {
    /// The keys of `body`, of which there is one.
    public static let body = SectionSpec(
        title: "`body`", documentation: "One of the three keys says what is sent.",
        keys: [
            KeySpec(
                "json", .json, secrets: .accepted, example: "{query: {status: open}}",
                "Sent as JSON, as it stands here; a text that is nothing but a variable with `| unix` becomes a number."
            ),
            KeySpec(
                "form", .mapping(keys: .name, values: .text(.anyTemplate), minimumCount: 0), secrets: .accepted,
                example: "{status: open}",
                "Sent as a form's names and values (`application/x-www-form-urlencoded`)."),
            KeySpec(
                "text", .text(.anyTemplate), secrets: .accepted, example: "status=open",
                "Sent as it is; give its type with a `Content-Type` header."),
        ])
}
