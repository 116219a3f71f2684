internal import SluiceMerge

extension SectionSpec {
    /// The keys of a field.
    public static let field = SectionSpec(
        title: "a field",
        keys: [
            KeySpec(
                "from", .string(.valuePath), default: "the key of the field's name", example: "author.name",
                "The path to the value within the record; `$.` at its beginning may be left out."),
            KeySpec(
                "expr", .string(.program), example: "\".price * 100\"", feature: .fieldProgram,
                "A jq program over the record that takes the place of `from`; its first result is the value."),
            KeySpec(
                "type", .choice(.fieldType), default: "string", example: "int",
                "What the value means and how it is stored; what each type takes stands at the end of this page."),
            KeySpec(
                "required", .boolean, default: "false", example: "true",
                "Whether a record without a value is quarantined; fields of the primary key always are."),
            KeySpec(
                "default", .scalar, example: "EUR",
                "The value that stands in for an absent key, written as the source would write it."),
            KeySpec(
                "format", .string(.dateFormat), default: "rfc3339", example: "\"%d.%m.%Y\"",
                retiredBy: .formatList,
                "How a `date` or `datetime` is written in the source."),
            KeySpec(
                "format",
                .anyOf([.string(.dateFormat), .list(.string(.dateFormat), minimumCount: 1)]), default: "rfc3339",
                example: "[rfc3339, \"%d.%m.%Y\"]", feature: .formatList,
                "How a `date` or `datetime` is written in the source; of several, the first that fits is taken. `rfc2822` is the form of mail and feeds (`Sun, 06 Nov 1994 08:49:37 +0100`), `rfc850` an older one (`Sunday, 06-Nov-94 08:49:37 GMT`), `http_date` any of the three that HTTP has; of a year with two digits, 50 to 99 are those of the last century."
            ),
            KeySpec(
                "timezone", .string(.utcOffset), example: "UTC",
                "The offset from UTC of a `datetime` that states none."),
            KeySpec(
                "values", .list(.text(.name), minimumCount: 1), example: "[open, closed]",
                "The values that an `enum` may have."),
            KeySpec(
                "map", .mapping(keys: .anything, values: .scalar, minimumCount: 0), default: "{}",
                example: "{\"Y\": true, \"N\": false}",
                "What remote values are stored as; what it misses passes through."),
            KeySpec(
                "column", .string(.name), default: "the field's name", example: "author_name",
                "The column that holds the value."),
            KeySpec(
                "renamed_from", .string(.name), example: "headline",
                "The name that the field had before: its column is renamed with the values that people changed, and its base, conflicts and history go on. Where another name is all that `column` got, the column is renamed too."
            ),
            KeySpec(
                "on_missing", .choice(ChoiceSpec(FieldDefinition.MissingRule.allCases.map(\.rawValue))),
                default: "`default` where a default is given, else `keep`", example: "set_null",
                "What an absent key means."),
            KeySpec(
                "on_null", .choice(ChoiceSpec(FieldDefinition.NullRule.allCases.map(\.rawValue))), default: "set_null",
                example: "keep",
                "What a JSON null means."),
            KeySpec(
                "on_type_mismatch", .choice(ChoiceSpec(FieldDefinition.MismatchRule.allCases.map(\.rawValue))),
                default: "what `schema_contract` says", example: "set_null", feature: .typeMismatch,
                "What a value of another type means."),
            KeySpec(
                "owner", .choice(.owner), default: "the entity's owner", example: "remote", feature: .fieldOwner,
                "Who may change it: both sides, the source alone, or people alone."),
            KeySpec(
                "on_conflict", .choice(.conflictPolicy), default: "the entity's policy", example: "remote_wins",
                feature: .fieldPolicy,
                "What decides where store and source changed it."),
            KeySpec(
                "compare", .choice(ChoiceSpec(FieldComparison.allCases.map(\.rawValue))), default: "exact",
                example: "ci", feature: .compare,
                "What makes values equal: `exact`, all of it; `ci`, the same letters of either case (simple case folding of Unicode); `set`, the same elements of an array in any order; `json`, the same JSON. Changes of both sides are merged, element by element with `set`, key by key with `json`; what the table has keeps its order, and what the source added comes behind it."
            ),
            KeySpec(
                "keep_base", .choice(.keepBase), default: "what the entity says", example: "full", feature: .keepBase,
                "How much is kept of what the source said last time, see `keep_base` of `merge`; `compare: set` and `json` keep it in full."
            ),
            KeySpec(
                "redact", .choice(ChoiceSpec(FieldRedaction.allCases.map(\.rawValue))), example: "hash",
                feature: .redact,
                "What is stored instead of a value that must not appear in clear: `hash`, the hexadecimal digits of its SHA-256 (without salt, so that equal values can be told, and guessed by who can try them all); `drop`, nothing; `mask`, `***` and the last four characters of a text of at least twelve. It is in no table, report, plan or message, and records in quarantine are kept without it. Where it is switched on later, the next run replaces what is stored in clear, but not what people wrote into a row."
            ),
            KeySpec(
                "value", .string(.template), example: "\"{{ file.stem }}\"",
                "A text that takes the place of `from`: the same for every record of a page. With `ref` it is the key, such as `\"{{ parent.id }}\"`."
            ),
        ] + linkKeys)
}

extension ChoiceSpec {
    /// The types of a field.
    public static let fieldType = ChoiceSpec(
        FieldType.allCases.map(\.rawValue),
        synonyms: [
            "integer": "int", "bigint": "int", "long": "int", "number": "double", "float": "double", "real": "double",
            "numeric": "decimal", "money": "decimal", "boolean": "bool", "text": "string", "str": "string",
            "varchar": "string", "timestamp": "datetime", "time": "datetime", "object": "json", "array": "json",
            "list": "json", "map": "json", "blob": "bytes", "binary": "bytes", "uri": "url", "guid": "uuid",
        ])
}
