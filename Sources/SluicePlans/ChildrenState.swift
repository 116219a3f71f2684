/// What is known of the rows of one record's children.
package enum ChildrenState: Int, Comparable {
    /// They are what their source said.
    case clean
    /// A person changed some of them, and by their own policy they may go all the same.
    case edited
    /// A person changed some of them, which their own policy does not let go unasked.
    case held
    /// A person added some, which nothing may delete.
    case added

    package static func < (left: ChildrenState, right: ChildrenState) -> Bool { left.rawValue < right.rawValue }
}
