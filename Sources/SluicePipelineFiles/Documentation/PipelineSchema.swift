/// The JSON Schema of the pipeline file, made from the specification that the checker uses.
package enum PipelineSchema {
    /// The schema as JSON text, ended by a line break; the order of its members is always the same.
    ///
    /// See: json-schema.org/draft/2020-12. What a schema cannot say, such as whether a stream's entity is there, only
    /// the checker says.
    package static func jsonSchema() -> String { jsonSchema(of: .current) }

    /// The schema of another specification than the current one.
    package static func jsonSchema(of specification: SpecificationCatalog) -> String {
        jsonSchema(
            of: specification, id: "urn:sluice:pipeline:1", title: "Sluice pipeline",
            "A pipeline file of Sluice: where the JSON lives and what its keys mean.")
    }

    /// The schema of another file than a pipeline.
    ///
    /// - Parameters:
    ///   - specification: Its keys.
    ///   - id: What identifies the schema.
    ///   - title: What the file is called.
    ///   - description: What it is for.
    /// - Returns: The schema as JSON text.
    package static func jsonSchema(
        of specification: SpecificationCatalog, id: String, title: String, _ description: String
    ) -> String {
        var writer = SchemaWriter()
        let root = writer.members(of: specification.topLevel)
        var members: [(name: String, value: SchemaValue)] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .text(id)),
            ("title", .text(title)),
            ("description", .text(description)),
        ]
        members += root
        members.append(("$defs", .object(SchemaWriter.references + writer.definitions)))
        return SchemaValue.object(members).pretty() + "\n"
    }

    /// The schema of a single key's value, with all that it refers to.
    package static func jsonSchema(of key: KeySpec) -> String {
        var writer = SchemaWriter()
        let value = writer.schema(of: key)
        let definitions = SchemaValue.object(SchemaWriter.references + writer.definitions)
        return SchemaValue.object([("allOf", .list([value])), ("$defs", definitions)]).pretty()
    }
}
