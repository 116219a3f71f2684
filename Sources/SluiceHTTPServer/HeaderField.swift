/// A field of a request's or response's head.
package struct HeaderField: Sendable, Hashable {
    /// The name as it is sent.
    package let name: String
    /// The value.
    package let value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Whether the field has that name; the case of ASCII letters does not count.
    package func isNamed(_ other: String) -> Bool {
        name.utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    /// The lower-case letter of an ASCII upper-case one, else the byte itself.
    fileprivate var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
