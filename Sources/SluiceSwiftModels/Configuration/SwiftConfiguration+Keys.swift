internal import SluiceModel
package import SluicePipelineFiles

extension SwiftConfiguration {
    /// The keys of the file, for its checker and its schema.
    package static let specification = SpecificationCatalog(topLevel: topLevel, noun: "A configuration of models")

    private static let topLevel = SectionSpec(
        title: "the configuration of models",
        keys: [
            KeySpec(
                "version", .integer(1...1), isRequired: true, example: "1", "The version of the file's format."),
            KeySpec(
                "pipelines", .list(.string(.name), minimumCount: 1), default: "[pipelines]", example: "[pipelines]",
                "The pipeline files that say what the models are like, or folders of them. Paths are relative to this file."
            ),
            KeySpec(
                "store", .string(.storeURL), secrets: .accepted, example: "sqlite:shop.db",
                "The store whose tables have models, in the place of `pipelines`."),
            KeySpec(
                "sources", .string(.name), example: "Sources/Models",
                "The folder of the models, which are generated and checked there."),
            KeySpec(
                "include", .list(.string(.name), minimumCount: 1), default: "[\"**/*.swift\"]",
                example: "[\"**/*.swift\"]",
                "The files of `sources` that are checked: paths within it, in which `*` and `?` stand for characters of a name and `**` for folders."
            ),
            KeySpec(
                "exclude", .list(.string(.name), minimumCount: 0), default: "[]", example: "[\"Old/*.swift\"]",
                "Those of these files that are not checked."),
            KeySpec(
                "level", .choice(ChoiceSpec(["conformance", "exact"])), default: "conformance", example: "exact",
                "What is compared: what models say, or also that generated files are what would be generated now."),
            KeySpec(
                "access", .choice(ChoiceSpec(SwiftModelOptions.Access.allCases.map(\.rawValue))), default: "internal",
                example: "public", "Who sees the models."),
            KeySpec(
                "names", .choice(ChoiceSpec(SwiftModelOptions.NameStyle.allCases.map(\.rawValue))),
                default: "snake_case", example: "verbatim",
                "How the macro makes names of the store of properties."),
            KeySpec(
                "policy", .choice(ChoiceSpec(SwiftModelOptions.FailurePolicy.allCases.map(\.rawValue))),
                default: "throw", example: "default", "What a stored value means that an enum does not have."),
            KeySpec(
                "initializer", .boolean, default: "false", example: "true",
                "Whether the macro makes an initialiser with all properties."),
            KeySpec(
                "counts", .boolean, default: "true", example: "false",
                "Whether the macro makes counts such as `tagsCount(in:)`."),
            KeySpec(
                "origin", .boolean, default: "true", example: "false",
                "Whether models remember the values that were read."),
            KeySpec(
                "single_file", .boolean, default: "false", example: "true",
                "Whether all models are generated into the file `Models.swift`."),
            KeySpec(
                "header", .string(.name), example: "header.txt",
                "A file with comments that each generated file begins with."),
            KeySpec(
                "types", .section(types), default: "{}", example: "{int: Int64}",
                "The types of Swift for types of fields, where they are not the usual ones."),
            KeySpec(
                "entities", .mapping(keys: .name, values: .section(entity), minimumCount: 0), default: "{}",
                example: "{Book: {swift_name: Volume}}",
                "What is said of single models, under the name of the entity in the pipeline, or of its table."),
        ])

    private static let types = SectionSpec(
        title: "`types`",
        keys: FieldType.allCases.map { type in
            KeySpec(
                type.rawValue, .string(.name), default: SwiftFieldType.preferred(type),
                example: SwiftFieldType.preferred(type),
                "The type of properties for fields of the type `\(type.rawValue)`.")
        })

    private static let entity = SectionSpec(
        title: "an entity of `entities`",
        keys: [
            KeySpec(
                "swift_name", .string(.name), default: "made of the entity's name", example: "Volume",
                "The name of the struct."),
            KeySpec(
                "fields", .mapping(keys: .name, values: .section(field), minimumCount: 0), default: "{}",
                example: "{name: {swift_name: title}}",
                "What is said of single properties, under the name of the field or of its column."),
            KeySpec(
                "relationships", .mapping(keys: .name, values: .section(relationship), minimumCount: 0),
                default: "{}", example: "{author: {delete_rule: deny}}",
                "What is said of properties that lead to other records, under their name in the store."),
        ])

    private static let field = SectionSpec(
        title: "a field of `fields`",
        keys: [
            KeySpec(
                "swift_name", .string(.name), default: "made of the field's name", example: "title",
                "The name of the property."),
            KeySpec(
                "swift_type", .string(.name), default: "the usual type, or an enum of its own", example: "BookStatus",
                "The type of the property, without `?`. A type of your own is `StoredValue`, or `storage` says how it is stored."
            ),
            KeySpec(
                "storage", .choice(ChoiceSpec(["raw", "codable", "transformed"])), default: "as the type says",
                example: "raw", "How a value of `swift_type` is stored: as its raw value, as JSON, or by `transform`."),
            KeySpec(
                "transform", .string(.name), example: "RGB",
                "The type that transforms a value with `storage: transformed`."),
            KeySpec(
                "optional", .choice(ChoiceSpec(["ignore"])), example: "ignore",
                "`ignore`: the model may take no null although the pipeline does not require the field."),
            KeySpec(
                "skip", .boolean, default: "false", example: "true", "Whether the struct leaves the field out."),
        ])

    private static let relationship = SectionSpec(
        title: "a relationship of `relationships`",
        keys: [
            KeySpec(
                "swift_name", .string(.name), default: "made of its name in the store", example: "category",
                "The name of the property."),
            KeySpec(
                "delete_rule", .choice(ChoiceSpec(["nullify", "cascade", "deny"])),
                default: "`cascade` for children, else `nullify`", example: "deny",
                "What becomes of the other side where a program deletes a record."),
        ])
}
