import Testing

/// What an import says of texts and numbers that look like dates of another spelling than RFC 3339.
@Suite struct DateNoteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let values: [String]
        /// What stands behind the field; nil where nothing does.
        let note: String?
        var testDescription: String { values.joined(separator: ", ") }

        init(_ values: String..., note: String?) { (self.values, self.note) = (values, note) }
    }

    static let cases = [
        Case(#""31/12/2025""#, #""03/02/2024""#, note: #"looks like a date: `{type: date, format: "%d/%m/%Y"}`"#),
        Case(
            #""03/02/2024""#, #""01/02/2024""#,
            note: #"looks like a date: `{type: date, format: "%d/%m/%Y"}`, or by `%m/%d/%Y`"#),
        Case("20261103", "20251231", note: #"looks like a date: `{type: date, format: "%Y%m%d"}`"#),
        Case(#""20261103""#, "20251231", note: #"looks like a date: `{type: date, format: "%Y%m%d"}`"#),
        Case(
            #""2026-11-01 08:00:00""#, #""2026-11-02 09:30:00""#,
            note: #"looks like a time without its zone: `{type: datetime, format: "%Y-%m-%d %H:%M:%S", timezone: UTC}`"#
        ),
        Case(
            #""Nov 1, 2026 08:15 AM""#, #""Dec 24, 2026 11:00 PM""#,
            note:
                #"looks like a time without its zone: `{type: datetime, format: "%b %d, %Y %I:%M %p", timezone: UTC}`"#),
        Case(#""2026-11-01""#, #""2026-11-02""#, note: nil), Case("31129999", "20261103", note: nil),
        Case("99999999", "12345678", note: nil), Case(#""1.2.3""#, #""4.5.6""#, note: nil),
        Case(#""31/12/2025""#, #""soon""#, note: nil), Case("null", "null", note: nil),
    ]

    @Test(arguments: cases) func aCommentSaysIt(_ example: Case) throws {
        let shop = try Workshop()
        let records = example.values.enumerated().map { "{\"id\":\($0 + 1),\"v\":\($1)}" }
        try shop.write("[" + records.joined(separator: ",") + "]", to: "items.json")
        let outcome = shop.sluice(
            "import", "\(shop.folder)/items.json", "--key", "id", "--plan", "--write-pipeline", shop.pipeline)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let pipeline = try shop.read("shop.yaml")
        #expect(pipeline.contains("looks like") == (example.note != nil), "\(pipeline)")
        if let note = example.note { #expect(pipeline.contains("  # \(note)\n"), "\(pipeline)") }
    }
}
