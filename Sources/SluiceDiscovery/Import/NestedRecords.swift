internal import SluiceJSON
internal import SluiceModel

/// Lists of objects within records, which an import keeps as JSON: `children` of a pipeline makes rows of them.
package struct NestedRecords: Sendable {
    /// The field that keeps them.
    let field: String
    /// The path of the lists within a record.
    let path: String
    /// Keys that number the elements of a list.
    private static let numbers: Set<String> = [
        "index", "line", "no", "nr", "ordinal", "pos", "position", "rank", "seq",
    ]

    /// What tells the elements of one list apart; nil where nothing does, so that their positions have to.
    let key: String?

    /// Looks at the lists of a field; nil where they hold other things than objects.
    ///
    /// - Parameters:
    ///   - list: The lists.
    ///   - field: The field's name.
    ///   - path: Its path.
    init?(_ list: ListShape, field: String, path: JSONPath) {
        guard list.holdsRecords else { return nil }
        self.field = field
        self.path = path.text
        let fields = SchemaInference.fields(of: list.element, records: list.count)
        let naming = KeyNaming([field])
        let unique = fields.filter { $0.depth == 1 && KeyCandidates.canIdentify($0) && list.isUnique($0.hashes) }
        let ranked = unique.compactMap { field in naming.meaning(of: field).map { (meaning: $0, name: field.name) } }
        let named = ranked.filter { !$0.meaning.isOfChance }.min { $0.meaning.rawValue < $1.meaning.rawValue }
        key = named?.name ?? unique.first { Self.numbers.contains($0.key.lowercased()) }?.name
    }

    /// What a pipeline says of them, as YAML on one line.
    var children: String {
        let how = key.map { "key: [\($0)]" } ?? "ordered: true"
        return "children: {\(field): {entity: \(ImportPipeline.entityName(field)), from: \"\(path)[*]\", \(how)}}"
    }

    /// What to say of them in a pipeline, behind the field.
    var note: String { "lists of objects; as rows of their own: `\(children)`" }

    /// The same for people, as sentences.
    package var advice: String {
        "`\(field)` holds lists of objects, which are kept as JSON. A pipeline makes rows of them with `\(children)` and an entity for them."
    }
}
