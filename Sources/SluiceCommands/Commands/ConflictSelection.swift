internal import SluiceStore

/// Which conflicts a command line means, where it does not name each.
struct ConflictSelection {
    private let entity: String?
    private let field: String?
    private let kind: String?

    init(_ arguments: ParsedArguments) {
        entity = arguments.text(.entity)
        field = arguments.text(.field)
        kind = arguments.text(.kind)
    }

    /// Whether it means all of them.
    var isEmpty: Bool { entity == nil && field == nil && kind == nil }

    /// Which ones are meant, as the end of a sentence about them; empty for all.
    var words: String {
        let parts = [("entity", entity), ("field", field), ("kind", kind)].compactMap { noun, name in
            name.map { "the \(noun) `\($0)`" }
        }
        return parts.isEmpty ? "" : " of " + parts.joined(separator: " and ")
    }

    /// Whether a conflict is meant.
    func matches(_ entry: ConflictEntry) -> Bool {
        (entity == nil || entry.entity == entity) && (field == nil || entry.field == field)
            && (kind == nil || entry.kind == kind)
    }
}
