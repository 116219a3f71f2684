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
    /// Whether lists of several records have the same elements, so that these are records of their own.
    let isShared: Bool

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
        isShared = named.map { list.isShared(by: $0.name, fields) } ?? false
    }

    /// What a pipeline says of them, as YAML on one line.
    var children: String {
        let how = key.map { "key: [\($0)]" } ?? "ordered: true"
        return "children: {\(field): {entity: \(ImportPipeline.entityName(field)), from: \"\(path)[*]\", \(how)}}"
    }

    /// What a pipeline says of them where several records share them, in the place of the field.
    var references: String { "\(field): {refs: \(ImportPipeline.entityName(field)), from: \"\(path)[*]\"}" }

    /// What to say of them in a pipeline, behind the field.
    var note: String {
        isShared
            ? "lists of objects that records share; as rows of their own: `\(references)`"
            : "lists of objects; as rows of their own: `\(children)`"
    }

    /// The same for people, as sentences.
    package var advice: String {
        let rows = "`\(field)` holds lists of objects, which are kept as JSON. A pipeline makes rows of them with"
        return isShared
            ? "\(rows) the field `\(references)` and an entity for them, since several records have the same ones: with `children`, each would have copies of its own."
            : "\(rows) `\(children)` and an entity for them; if records share them, with `refs`."
    }
}
