/// The JSON Schema of reports.
package enum ReportSchema {
    typealias Key = DocumentSchema.Key

    /// The schema as indented JSON (JSON Schema 2020-12), with a line break at its end.
    package static func jsonSchema() -> String { schema.json }

    private static let schema = DocumentSchema(
        id: "urn:sluice:report:1", title: "Sluice report",
        help:
            "What plan, run, apply, show, import, undo and quarantine retry write with --format json. Keys may be added within this version.",
        document: document, shapes: shapes)

    /// The keys of an object within reports.
    static func keys(of shape: String) -> [Key] { shapes.first { $0.name == shape }?.keys ?? [] }
}
