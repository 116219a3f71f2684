public import SluiceJSON

/// A list within an entity's records whose elements are records of another entity, each of which belongs to its parent.
public struct ChildDefinition: Sendable {
    /// What happens to the rows whose parent is deleted.
    public enum ParentDeleteRule: String, Sendable, CaseIterable {
        /// They are deleted with it.
        case cascade
        /// They stay.
        case keep
    }

    /// The name of the list in the file.
    public var name: String
    /// The name of the entity that the elements are.
    public var entity: String
    /// The path to the elements; with ``entries``, to the object whose members they are.
    public var path: JSONPath
    /// The key that each member's name becomes, where the elements are the members of an object.
    public var entries: String?
    /// Whether an element is told by its position, from 0.
    public var isOrdered = false
    /// The names of the child's own fields that tell it from others of its parent; empty where its position does.
    public var key: [String] = []
    /// What happens to the rows whose parent is deleted.
    public var onParentDelete = ParentDeleteRule.cascade

    /// Makes a list.
    public init(name: String, entity: String, path: JSONPath) {
        self.name = name
        self.entity = entity
        self.path = path
    }
}
