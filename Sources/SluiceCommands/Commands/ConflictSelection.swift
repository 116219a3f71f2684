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

    /// Whether a conflict is meant.
    func matches(_ entry: ConflictEntry) -> Bool {
        (entity == nil || entry.entity == entity) && (field == nil || entry.field == field)
            && (kind == nil || entry.kind == kind)
    }
}
