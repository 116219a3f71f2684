internal import SluiceModel
internal import SluicePipeline

extension SectionSpec {
    /// The keys of a field.
    package static let field = SectionSpec(
        title: "a field",
        keys: [
            KeySpec(
                "from", .string(.valuePath), default: "the key of the field's name", example: "author.name",
                "The path to the value within the record. A leading `$.` may be left out."),
            KeySpec(
                "expr", .string(.program), example: "\".price * 100\"", feature: .fieldProgram,
                "A jq program over the record, instead of `from`. Its first result is the value."),
            KeySpec(
                "type", .choice(.fieldType), default: "string", example: "int",
                "The type of the value, which also decides how it is stored. The end of this page lists what each type accepts."
            ),
            KeySpec(
                "required", .boolean, default: "false", example: "true",
                "With `true`, records without a value are quarantined. Fields of the primary key are always required."),
            KeySpec(
                "default", .scalar, example: "EUR",
                "The value for an absent key, written as the source would write it. It fills a row that has no value, and takes the place of what the source said before its key was absent; a value that somebody changed, or that was there before Sluice, stays without a conflict. For a source that sends only what changed, give none."
            ),
            KeySpec(
                "format", .string(.dateFormat), default: "rfc3339", example: "\"%d.%m.%Y\"",
                retiredBy: .formatList,
                "How a `date` or `datetime` is written in the source."),
            KeySpec(
                "format",
                .anyOf([.string(.dateFormat), .list(.string(.dateFormat), minimumCount: 1)]), default: "rfc3339",
                example: "[rfc3339, \"%d.%m.%Y\"]", feature: .formatList,
                "The format of a `date` or `datetime` in the source. Of several, the first that fits is used. `rfc2822` is the form of mail and feeds (`Sun, 06 Nov 1994 08:49:37 +0100`), `rfc850` an older one (`Sunday, 06-Nov-94 08:49:37 GMT`), `http_date` any of the three that HTTP has; of a year with two digits, 50 to 99 are those of the last century."
            ),
            KeySpec(
                "timezone", .string(.utcOffset), example: "UTC",
                "The offset from UTC of a `datetime` without one. The times of a zone with summer time have no single offset: keep them as `string`."
            ),
            KeySpec(
                "values", .list(.text(.name), minimumCount: 1), example: "[open, closed]",
                "The values that an `enum` may have."),
            KeySpec(
                "map", .mapping(keys: .anything, values: .scalar, minimumCount: 0), default: "{}",
                example: "{\"Y\": true, \"N\": false}",
                "Remote values, each with the value to store. Other values are stored as they are."),
            KeySpec(
                "column", .string(.name), default: "the field's name", example: "author_name",
                "The column that holds the value."),
            KeySpec(
                "renamed_from", .string(.name), example: "headline",
                "The former name of the field. Its column is renamed, with the values that people changed; base, conflicts and history are kept. If only `column` changes, the column is renamed too."
            ),
            KeySpec(
                "on_missing", .choice(ChoiceSpec(FieldDefinition.MissingRule.allCases.map(\.rawValue))),
                default: "`default` where a default is given, else `keep`", example: "set_null",
                "What happens if the key is absent, or if a list has no element at the index, such as `[0]` of an empty one."
            ),
            KeySpec(
                "on_null", .choice(ChoiceSpec(FieldDefinition.NullRule.allCases.map(\.rawValue))), default: "set_null",
                example: "keep",
                "What happens if the value is null."),
            KeySpec(
                "on_type_mismatch", .choice(ChoiceSpec(FieldDefinition.MismatchRule.allCases.map(\.rawValue))),
                default: "what `schema_contract` says", example: "set_null", feature: .typeMismatch,
                "What happens if the value has another type."),
            KeySpec(
                "owner", .choice(.owner), default: "the entity's owner", example: "remote", feature: .fieldOwner,
                "Who may change it: both sides, only the source, or only people."),
            KeySpec(
                "on_conflict", .choice(.conflictPolicy), default: "the entity's policy", example: "remote_wins",
                feature: .fieldPolicy,
                "The policy for conflicts of this field."),
            KeySpec(
                "compare", .choice(ChoiceSpec(FieldComparison.allCases.map(\.rawValue))), default: "exact",
                example: "ci", feature: .compare,
                "How values are compared: `exact`, as a whole; `ci`, ignoring case (simple case folding of Unicode); `set`, as the elements of an array in any order; `json`, as JSON. Changes of both sides are merged, element by element with `set`, key by key with `json`. What the table has keeps its order, and additions of the source come last."
            ),
            KeySpec(
                "keep_base", .choice(.keepBase), default: "what the entity says", example: "full", feature: .keepBase,
                "How much is kept of what the source said last time, see `keep_base` of `merge`; `compare: set` and `json` keep it in full."
            ),
            KeySpec(
                "redact", .choice(ChoiceSpec(FieldRedaction.allCases.map(\.rawValue))), example: "hash",
                feature: .redact,
                "What is stored instead of a value that must not appear in clear. `hash`: the hexadecimal digits of its SHA-256, without salt, so equal values look equal, and values can be guessed by trying. `drop`: nothing. `mask`: `***` and the last four characters of a text of at least twelve. The clear value is in no table, report, plan or message, and records in quarantine are kept without it. Where it is switched on later, the next run replaces what is stored in clear, but not what people wrote into a row. All pipelines that fill a column need the same."
            ),
            KeySpec(
                "value", .string(.template), example: "\"{{ file.stem }}\"",
                "A text instead of `from`, the same for every record of a page. With `ref` it is the key, such as `\"{{ parent.id }}\"`."
            ),
        ] + linkKeys, elsewhere: keysElsewhere)

    private static let keysElsewhere: [String: (name: String, help: String)] = {
        let values = ("values", "`values` are those of an `enum`, as in `{type: enum, values: [open, closed]}`.")
        let required = ("required", "A field may be null unless it says `required: true`.")
        let from = ("from", "`from` is the path to the value within the record.")
        return [
            "enum": values, "choices": values, "options": values, "allowed": values,
            "nullable": required, "null": required, "optional": required, "not_null": required,
            "path": from, "source": from, "json": from, "key": from, "selector": from,
        ]
    }()
}

extension ChoiceSpec {
    /// The types of a field.
    package static let fieldType = ChoiceSpec(
        FieldType.allCases.map(\.rawValue),
        synonyms: [
            "integer": "int", "bigint": "int", "long": "int", "number": "double", "float": "double", "real": "double",
            "numeric": "decimal", "money": "decimal", "boolean": "bool", "text": "string", "str": "string",
            "varchar": "string", "timestamp": "datetime", "time": "datetime", "object": "json", "array": "json",
            "list": "json", "map": "json", "blob": "bytes", "binary": "bytes", "uri": "url", "guid": "uuid",
        ])
}
