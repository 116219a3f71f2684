extension SectionSpec {
    /// The keys of `schema_contract`.
    public static let schemaContract = SectionSpec(
        title: "`schema_contract`",
        keys: [
            KeySpec(
                "fields", .choice(ChoiceSpec(SchemaContract.FieldRule.allCases.map(\.rawValue))), default: "report",
                example: "freeze",
                "What a key that no field takes means: nothing, a line in the report, or the end of the run."),
            KeySpec(
                "types", .choice(ChoiceSpec(SchemaContract.TypeRule.allCases.map(\.rawValue))), default: "coerce",
                example: "quarantine",
                "What a value of another type means, where its field says nothing."),
        ])
}
