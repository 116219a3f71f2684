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
                "The most rows that one run may delete or mark as deleted because they were not seen; beyond it none is, and the run says so."
            ),
            KeySpec(
                "min_records", .integer(0...Int.max), default: "1", example: "50",
                "The fewest records that a scan must have read for its absences to be believed."),
        ])
}

extension ChoiceSpec {
    /// The modes of `delete_missing`.
    public static let deleteMode = ChoiceSpec(
        DeleteRule.Mode.allCases.map(\.rawValue), synonyms: ["delete": "hard", "none": "ignore", "keep": "ignore"],
        features: [DeleteRule.Mode.soft.rawValue: .softDelete])
}
