extension SectionSpec {
    /// The keys of `delete_missing`.
    public static let deleteMissing = SectionSpec(
        title: "`delete_missing`",
        keys: [
            KeySpec(
                "mode", .choice(.deleteMode), default: "ignore", example: "hard",
                "What becomes of the row of a record that a complete scan did not see: nothing; it is only listed; it stays, with `_deleted_at` and `_deleted_by_run` set; or it is deleted."
            ),
            KeySpec(
                "max_delete", .rowLimit, default: "10%", example: "100",
                "The most rows that one run may delete, mark as deleted or leave to another stream of the table because they were not seen; beyond it none is, and the run says so."
            ),
            KeySpec(
                "min_records", .integer(0...Int.max), default: "1", example: "50",
                "The fewest records that a scan must have read for its absences to be believed."),
            KeySpec(
                "confirm", .anyOf([.integer(0...1000), .section(.confirm)]),
                default: "1 where a scan counts several pages, else 0", example: "2",
                "What must be known besides before a missing record counts as gone: so many further complete scans without it, or what the source answers when it is asked for the record. A record that goes while counted pages are read shifts another one past the reader, which the next scan sees again."
            ),
        ])

    /// The keys of `confirm`.
    static let confirm = SectionSpec(
        title: "`confirm`",
        documentation: "The source is asked for each record that its list does not have any more.",
        keys: [
            KeySpec(
                "path", .string(.recordPath), isRequired: true, secrets: .accepted, example: "/issues/{{ key.id }}",
                "The path of one record below the base URL, with each field of the primary key as `{{ key.FIELD }}`, or with any field as `{{ record.FIELD }}`, as the source last gave it; then it is for you to know that it leads to one record. 404 and 410 mean that it is gone; after any other answer it stays, and the run says so."
            )
        ])
}

extension ChoiceSpec {
    /// The modes of `delete_missing`.
    public static let deleteMode = ChoiceSpec(
        DeleteRule.Mode.allCases.map(\.rawValue), synonyms: ["delete": "hard", "none": "ignore", "keep": "ignore"],
        features: [DeleteRule.Mode.soft.rawValue: .softDelete])
}
