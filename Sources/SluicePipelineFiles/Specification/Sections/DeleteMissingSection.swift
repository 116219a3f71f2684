internal import SluicePipeline

extension SectionSpec {
    /// The keys of `delete_missing`.
    package static let deleteMissing = SectionSpec(
        title: "`delete_missing`",
        keys: [
            KeySpec(
                "mode", .choice(.deleteMode), default: "ignore", example: "hard",
                "What happens to the row of a record that a complete scan did not see: nothing (`ignore`); it is only listed (`report`); it stays, with `_deleted_at` and `_deleted_by_run` set (`soft`); or it is deleted (`hard`)."
            ),
            KeySpec(
                "max_delete", .rowLimit, default: "10%", example: "100",
                "The most rows that one run may delete, mark as deleted or leave to another stream of the table because they were not seen; rows that people deleted count too, since the run would forget that. Beyond it none is, and the run says so. A share is of the records that the source had before the run, also of those whose rows people deleted. After a run that missed too many, it is of the rows before that run, until fewer are missing or `--allow-deletes` allows it."
            ),
            KeySpec(
                "min_records", .integer(0...Int.max), default: "1", example: "50",
                "The fewest records that a scan must read before missing records count as gone, whatever people did to their rows."
            ),
            KeySpec(
                "confirm", .anyOf([.integer(0...1000), .section(.confirm)]),
                default:
                    "1 where a scan counts several pages, where requests use `{{ cursor.end }}`, or where a page without a record leads on, else 0",
                example: "2",
                "What confirms that a missing record is gone: this number of further complete scans without it, or the source's answer to a request for it. If a record disappears while counted pages are read, another one shifts past the reader, and only the next scan sees it. Links and cursors that merely count, such as `?page=2`, count as well. A record that changes while a run reads up to `{{ cursor.end }}` lies behind that, so only the next scan sees it. A page without a record that leads on to others may have failed."
            ),
        ])

    /// The keys of `confirm`.
    static let confirm = SectionSpec(
        title: "`confirm`",
        documentation: "The source is asked for each record that is missing from its list.",
        keys: [
            KeySpec(
                "path", .string(.recordPath), isRequired: true, secrets: .accepted, example: "/issues/{{ key.id }}",
                "The path of one record below the base URL, with each field of the primary key as `{{ key.FIELD }}`, or with any field as `{{ record.FIELD }}`, as the source last gave it; then it is for you to know that it leads to one record. 404 and 410 mean that the record is gone. After any other answer its row stays, and the run says so."
            )
        ])
}

extension ChoiceSpec {
    /// The modes of `delete_missing`.
    package static let deleteMode = ChoiceSpec(
        DeleteRule.Mode.allCases.map(\.rawValue),
        synonyms: [
            "delete": "hard", "none": "ignore", "keep": "ignore", "no": "ignore", "off": "ignore", "false": "ignore",
        ],
        hints: Dictionary(
            uniqueKeysWithValues: ["yes", "on", "true"].map {
                ($0, "`hard` deletes the rows, `soft` marks them as deleted, and `report` lists them.")
            }),
        features: [DeleteRule.Mode.soft.rawValue: .softDelete])
}
