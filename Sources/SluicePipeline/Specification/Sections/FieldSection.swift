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
                "type", .choice(.fieldType), default: "string", example: "int",
                "What the value means and how it is stored."),
            KeySpec(
                "required", .boolean, default: "false", example: "true",
                "Whether a record without a value is quarantined; fields of the primary key always are."),
            KeySpec(
                "default", .scalar, example: "EUR",
                "The value that stands in for an absent key, written as the source would write it."),
            KeySpec(
                "format", .string(.dateFormat), default: "rfc3339", example: "\"%d.%m.%Y\"",
                "How a `date` or `datetime` is written in the source."),
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
                "on_missing", .choice(ChoiceSpec(FieldDefinition.MissingRule.allCases.map(\.rawValue))),
                default: "`default` where a default is given, else `keep`", example: "set_null",
                "What an absent key means."),
            KeySpec(
                "on_null", .choice(ChoiceSpec(FieldDefinition.NullRule.allCases.map(\.rawValue))), default: "set_null",
                example: "keep",
                "What a JSON null means."),
            KeySpec(
                "value", .string(.template), example: "\"{{ file.stem }}\"",
                "A text that takes the place of `from`: the same for every record of a page."),
        ])
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
