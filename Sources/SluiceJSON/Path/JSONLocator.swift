/// Finds out by which steps a value is reached from another one that holds it.
///
/// The tape holds values in the order of the text, and each container's extent: a value is sought from the outside in.
/// The containers that were gone through last are remembered, so that many values of one document take little time
/// each, in whatever order they come.
package struct JSONLocator {
    /// One step from a container to a child.
    package enum Step {
        /// The name of a member, as a string element.
        case name(JSONElement)
        /// The position of an element.
        case index(Int)
    }

    private struct Level {
        let container: JSONElement
        /// Where the children begin, in words behind the container; for members where their names stand.
        var children: [UInt32] = []
        /// Which child leads on.
        var position = 0

        init(_ container: JSONElement) {
            self.container = container
            children.reserveCapacity(container.count)
            let isObject = container.kind == .object
            var cursor = JSONChildCursor(container)
            while cursor.next() {
                let distance = unsafe cursor.value.word - container.word
                children.append(UInt32(truncatingIfNeeded: isObject ? distance - 1 : distance))
            }
        }
    }

    private let root: JSONElement
    private var levels: [Level] = []

    /// Makes a locator for the values within another one.
    ///
    /// - Parameter root: The value where the steps begin; valid for as long as the locator is used.
    package init(root: JSONElement) { self.root = root }

    /// Calls a closure with each step that leads to a value.
    ///
    /// - Parameters:
    ///   - element: The value; the root itself takes no step.
    ///   - body: What to do with a step.
    /// - Returns: False if the value does not stand within the root; no step is given then.
    @discardableResult
    package mutating func forEachStep(to element: JSONElement, _ body: (Step) -> Void) -> Bool {
        guard find(element) else { return false }
        for level in levels { body(step(level)) }
        return true
    }

    /// The last step that leads to a value; nil for the root itself and for a value that stands elsewhere.
    package mutating func lastStep(to element: JSONElement) -> Step? {
        find(element) ? levels.last.map(step) : nil
    }

    /// The JSON pointer of a value; nil if it does not stand within the root.
    package mutating func pointer(to element: JSONElement) -> String? {
        var text = ""
        let isFound = forEachStep(to: element) { step in
            switch step {
            case .name(let name): JSONPointer.append(name: name.string ?? "", to: &text)
            case .index(let index): JSONPointer.append(index: index, to: &text)
            }
        }
        return isFound ? text : nil
    }

    /// The normalized path of a value as RFC 9535 writes it, `$['items'][0]`; nil if it does not stand within the root.
    package mutating func normalizedPath(to element: JSONElement) -> String? {
        var text = "$"
        let isFound = forEachStep(to: element) { step in
            switch step {
            case .name(let name): NormalizedPath.append(name: name.string ?? "", to: &text)
            case .index(let index): text.append("[\(index)]")
            }
        }
        return isFound ? text : nil
    }

    private func step(_ level: Level) -> Step {
        guard level.container.kind == .object else { return .index(level.position) }
        let word = unsafe level.container.word + Int(level.children[level.position])
        return unsafe .name(JSONElement(word: word, texts: level.container.texts))
    }

    private mutating func find(_ element: JSONElement) -> Bool {
        guard holds(root, element) else { return false }
        while let last = levels.last, !holds(last.container, element) || isSame(last.container, element) {
            levels.removeLast()
        }
        var container = root
        if var last = levels.popLast() {
            container = enter(&last, element)
            levels.append(last)
        }
        while !isSame(container, element), container.count > 0 {
            var level = Level(container)
            container = enter(&level, element)
            levels.append(level)
        }
        return true
    }

    /// Goes on to the child that holds an element, which is known to stand in the container.
    private func enter(_ level: inout Level, _ element: JSONElement) -> JSONElement {
        let distance = unsafe element.word - level.container.word
        var low = 0
        var high = level.children.count
        while low < high {
            let middle = (low + high) / 2
            if Int(level.children[middle]) <= distance { low = middle + 1 } else { high = middle }
        }
        level.position = max(0, low - 1)
        // A name is its member's first word; any other word of the member belongs to the value.
        let start = Int(level.children[level.position])
        let isValue = level.container.kind == .object && distance > start
        return unsafe JSONElement(word: level.container.word + start + (isValue ? 1 : 0), texts: root.texts)
    }

    private func isSame(_ left: JSONElement, _ right: JSONElement) -> Bool { unsafe left.word == right.word }

    private func holds(_ container: JSONElement, _ element: JSONElement) -> Bool {
        unsafe element.word >= container.word && element.word < container.word + container.width
    }
}

@available(*, unavailable)
extension JSONLocator: Sendable {}

/// The one way to write a path to one value, see RFC 9535 section 2.7.
enum NormalizedPath {
    static func append(name: String, to text: inout String) {
        text.append("['")
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'": text.append("\\'")
            case "\\": text.append("\\\\")
            case "\u{8}": text.append("\\b")
            case "\u{9}": text.append("\\t")
            case "\u{A}": text.append("\\n")
            case "\u{C}": text.append("\\f")
            case "\u{D}": text.append("\\r")
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text.append("']")
    }
}
