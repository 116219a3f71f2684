/// The text of a record's key, such as `{"id":7}`, compared byte by byte as keys are.
///
/// Two texts that Unicode calls equal, such as `ä` and `a` with a diaeresis behind it, are equal as `String` and name two
/// records all the same.
package struct ExactText: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
    /// The text.
    package let text: String

    /// Makes a key of its text.
    package init(_ text: String) { self.text = text }

    /// A key that stands in the source.
    package init(stringLiteral text: String) { self.text = text }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xFF))
    }
}
