extension SectionSpec {
    /// The keys of `schema_contract`.
    public static let schemaContract = SectionSpec(
        title: "`schema_contract`",
        keys: [
            KeySpec(
                "fields", .choice(ChoiceSpec(SchemaContract.FieldRule.allCases.map(\.rawValue))), default: "report",
                example: "freeze",
                "What a key that no field takes means: nothing, a note in the report when the source begins to send it, or the end of the run, which then writes nothing. Keys that a jq program names are taken, and so is all that a field takes as a whole or selects from."
            ),
            KeySpec(
                "types", .choice(ChoiceSpec(SchemaContract.TypeRule.allCases.map(\.rawValue))), default: "coerce",
                example: "quarantine",
                "What a value of another type means, where its field says nothing. `coerce` converts it where nothing is lost, and quarantines its record otherwise; `set_null` converts it where nothing is lost, and takes null otherwise. `quarantine` and `fail` convert nothing: text is no number, a number no text, 1.0 no `int`; the record is quarantined, or the run fails and writes nothing. The identifier is never null: its record is quarantined."
            ),
        ])
}
