internal import SluicePipeline

extension SectionSpec {
    /// The keys of `schema_contract`.
    package static let schemaContract = SectionSpec(
        title: "`schema_contract`",
        keys: [
            KeySpec(
                "fields", .choice(ChoiceSpec(SchemaContract.FieldRule.allCases.map(\.rawValue))), default: "report",
                example: "freeze",
                "What happens if a key is not mapped: nothing (`ignore`), a note in the report when the source begins to send it (`report`), or the run fails and writes nothing (`freeze`). Keys that a jq program names count as mapped, and so does everything that a field takes as a whole or selects from."
            ),
            KeySpec(
                "types", .choice(ChoiceSpec(SchemaContract.TypeRule.allCases.map(\.rawValue))), default: "coerce",
                example: "quarantine",
                "What happens if a value has another type, unless its field sets `on_type_mismatch`. `coerce` converts the value without loss, or else quarantines its record. `set_null` converts it without loss, or else takes null. `quarantine` and `fail` convert nothing (a text is no number, a number no text, 1.0 no `int`): the record is quarantined, or the run fails and writes nothing. The identifier is never null: its record is quarantined."
            ),
        ])
}
