internal import SluiceStore

/// How the sides relate.
public struct ConflictKind: Sendable, Hashable, CustomStringConvertible {
    /// The name, as in `edit_edit`.
    public let description: String

    /// Both sides changed the value.
    public static var editEdit: ConflictKind { ConflictKind(description: "edit_edit") }
    /// Cleared in the store, changed by the source.
    public static var clearEdit: ConflictKind { ConflictKind(description: "clear_edit") }
    /// Changed in the store, cleared by the source.
    public static var editClear: ConflictKind { ConflictKind(description: "edit_clear") }
    /// Both sides gave a value before the first sync.
    public static var addAdd: ConflictKind { ConflictKind(description: "add_add") }
    /// The row was changed in the store and deleted by the source.
    public static var editDelete: ConflictKind { ConflictKind(description: "edit_delete") }
    /// The row was deleted in the store and changed by the source.
    public static var deleteEdit: ConflictKind { ConflictKind(description: "delete_edit") }
    /// Another row has the value, and no two records share it.
    public static var uniqueCollision: ConflictKind { ConflictKind(description: "unique_collision") }
    /// Two sources of the table say different things.
    public static var disagreement: ConflictKind { ConflictKind(description: "disagreement") }
}

/// One of the sides of a conflict.
public enum ConflictSide: Sendable {
    /// What the store holds.
    case local
    /// What the source says.
    case remote
    /// What the source said before.
    case base
}

/// A conflict of any model, for a list of all that a person has to decide.
public struct AnyConflict: Sendable, Identifiable {
    let entry: ConflictEntry

    /// The number, by which `sluice conflicts` names it as well.
    public var id: Int { Int(entry.id ?? 0) }
    /// The entity's name.
    public var entity: String { entry.entity }
    /// The record's identifier, as a JSON object.
    public var record: String { entry.key }
    /// The name of the field in the store; nil for the record as a whole.
    public var field: String? { entry.field }
    /// How the sides relate.
    public var kind: ConflictKind { ConflictKind(description: entry.kind) }
    /// Where the source's value comes from.
    public var source: Source { Source(pipeline: entry.pipeline, stream: entry.stream) }

    /// A side as JSON; nil where there is no value, or where it is not kept.
    ///
    /// - Parameter side: The side.
    /// - Returns: JSON.
    public func json(_ side: ConflictSide) -> String? {
        switch side {
        case .local: entry.local
        case .remote: entry.remote
        case .base: entry.base
        }
    }

    /// The same as a conflict of a model, with typed sides; nil where it is of another one.
    ///
    /// - Parameter model: The model.
    /// - Returns: The conflict.
    public func of<M: PersistentModel>(_ model: M.Type) -> Conflict<M>? {
        M.model.description.isEntity(entry.entity) ? Conflict(entry: entry) : nil
    }
}
