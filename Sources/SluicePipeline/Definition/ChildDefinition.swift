package import SluiceJSON

/// A list within an entity's records whose elements are records of another entity, each of which belongs to its parent.
package struct ChildDefinition: Sendable {
    /// What happens to the rows whose parent is deleted.
    package enum ParentDeleteRule: String, Sendable, CaseIterable {
        /// They are deleted with it.
        case cascade
        /// They stay.
        case keep
    }

    /// The name of the list in the file.
    package var name: String
    /// The name of the entity that the elements are.
    package var entity: String
    /// The path to the elements; with ``entries``, to the object whose members they are.
    package var path: JSONPath
    /// The key that each member's name becomes, where the elements are the members of an object.
    package var entries: String?
    /// Whether an element is told by its position, from 0.
    package var isOrdered = false
    /// The names of the child's own fields that tell it from others of its parent; empty where its position does.
    package var key: [String] = []
    /// What happens to the rows whose parent is deleted.
    package var onParentDelete = ParentDeleteRule.cascade

    /// Makes a list.
    package init(name: String, entity: String, path: JSONPath) {
        self.name = name
        self.entity = entity
        self.path = path
    }
}
