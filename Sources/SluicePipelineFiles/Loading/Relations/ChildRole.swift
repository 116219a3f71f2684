internal import SluicePipeline

/// The list of an entity whose elements are the records of another one.
struct ChildRole {
    /// The entity that has the list.
    let parent: String
    /// The keys that lead to the list, for messages.
    let path: String
    /// Where the list's name stands.
    let mark: SourcePlace
    /// The list.
    let node: ConfigNode
    /// What the list says, but for the key that it does not name itself.
    let definition: ChildDefinition
    /// Whether a stream names it and not the entity that has it.
    var isOfStream = false

    /// What names the fields that tell the elements apart; nil where the list does not.
    var keyNode: ConfigNode? { node.member("key") }
}
