/// A path into a JSON document, as RFC 9535 defines it.
///
/// `$.a.b`, `$['a b']`, `$.items[0]`, `$.items[-1]`, `$[*]`, `$..price`, `$[1:5:2]`, `$['a','b']` and
/// `$.items[?@.price < 10 && match(@.name, 'A.*')]` are accepted, and so is all else that the RFC allows. Beyond it the
/// leading `$.` may be left out; names may then begin with a digit and hold `-` and `@`, as in `author.e-mail`.
package struct JSONPath: Sendable {
    /// One step from a value to its children.
    package enum Step: Sendable, Hashable {
        /// The member of an object with this name.
        case name(String)
        /// The element of an array at this index; a negative index counts from the end.
        case index(Int)
        /// Every member or element.
        case wildcard
    }

    /// The steps from the root, in order; none selects the root itself.
    ///
    /// They are the whole path if it ``isPlain``, and otherwise what comes before the first segment that is no step.
    package let steps: [Step]

    /// The text that was parsed.
    package let text: String

    /// Regular expressions in the path that RFC 9485 does not allow, with their places: they match nothing.
    package let invalidPatterns: [JSONPathError]

    /// The whole path if it is not plain; else nothing.
    let segments: [PathSegment]

    /// Makes a path of steps.
    package init(steps: [Step], text: String) {
        self.steps = steps
        self.text = text
        segments = []
        invalidPatterns = []
    }

    init(segments: [PathSegment], text: String, invalidPatterns: [JSONPathError]) {
        let steps = segments.prefix { $0.step != nil }.compactMap(\.step)
        self.steps = steps
        self.segments = steps.count == segments.count ? [] : segments
        self.text = text
        self.invalidPatterns = invalidPatterns
    }

    /// Whether the path consists of names, indexes and wildcards alone, which are its ``steps``.
    package var isPlain: Bool { segments.isEmpty }

    /// Whether the path selects at most one value, whatever the document.
    package var isSingular: Bool { isPlain && !steps.contains(.wildcard) }

    /// The path to the array or object of which the path selects children by a filter or a slice alone; nil for every
    /// other path.
    package var filteredParent: JSONPath? {
        guard segments.count == steps.count + 1, let last = segments.last, !last.isDescendant else { return nil }
        return JSONPath(steps: steps)
    }

    /// The name of the arrays or objects of which a path that is not plain selects children: `items` of `$..items[*]` and
    /// `$.groups[?@.open].items[*]`; nil for every other path.
    package var parentName: String? {
        guard segments.count > 1, let last = segments.last, !last.isDescendant else { return nil }
        let parent = segments[segments.count - 2]
        guard parent.selectors.count == 1, case .name(let name)? = parent.selectors.first else { return nil }
        return name
    }

    /// Whether the path can be followed while the document streams past.
    ///
    /// A negative index, a slice, a descendant segment, several selectors and a filter need the whole document.
    package var isStreamable: Bool {
        isPlain
            && steps.allSatisfy { step in
                if case .index(let index) = step { return index >= 0 }
                return true
            }
    }
}

extension JSONPath: Hashable {
    // The segments follow from the text.
    /// Whether two paths are the same steps, written alike.
    package static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.text == right.text && left.steps == right.steps
    }

    /// Feeds what makes paths equal into a hasher.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(steps)
    }
}

/// A path that could not be read.
package struct JSONPathError: Error, Sendable, Equatable {
    /// What is wrong, as a sentence.
    package let message: String
    /// The offset of the offending character in UTF-8 bytes from the start of the text.
    package let offset: Int
}
