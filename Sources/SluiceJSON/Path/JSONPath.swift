/// A path into a JSON document: names, indexes and wildcards of RFC 9535.
///
/// `$.a.b`, `a.b` (the leading `$.` may be left out), `$['a b']`, `items[0]`, `items[*]`, `*` and `$` are accepted.
public struct JSONPath: Sendable, Hashable {
    /// One step from a value to its children.
    public enum Step: Sendable, Hashable {
        /// The member of an object with this name.
        case name(String)
        /// The element of an array at this index; a negative index counts from the end.
        case index(Int)
        /// Every member or element.
        case wildcard
    }

    /// The steps from the root, in order; none selects the root itself.
    public let steps: [Step]

    /// The text that was parsed.
    public let text: String

    /// Makes a path of steps.
    public init(steps: [Step], text: String) {
        self.steps = steps
        self.text = text
    }

    /// Whether the path selects at most one value.
    public var isSingular: Bool { !steps.contains(.wildcard) }

    /// Whether the path can be followed while the document streams past, which a negative index cannot.
    public var isStreamable: Bool {
        steps.allSatisfy { step in
            if case .index(let index) = step { return index >= 0 }
            return true
        }
    }
}

/// A path that could not be read.
public struct JSONPathError: Error, Sendable, Equatable {
    /// What is wrong, as a sentence.
    public let message: String
    /// The offset of the offending character in UTF-8 bytes from the start of the text.
    public let offset: Int
}
