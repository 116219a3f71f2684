/// A name and a value: a header field or a query parameter.
package struct HTTPField: Sendable, Hashable {
    /// The name as it is sent.
    package var name: String
    /// The value, without surrounding white space.
    package var value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has that name; header names ignore the case of ASCII letters.
    package func isNamed(_ other: String) -> Bool {
        name.utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Whether name and value can stand in a request without being taken for something else.
    var isWellFormed: Bool {
        !name.utf8.isEmpty && name.utf8.allSatisfy(\.isHTTPToken)
            && value.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    }
}

extension UInt8 {
    /// The lower-case letter of an ASCII upper-case one, else the byte itself.
    var asciiLowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

    /// Whether the byte is an ASCII letter or digit.
    var isASCIIAlphanumeric: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self
    }

    /// Whether the byte may stand in a method or a header's name (RFC 9110, section 5.6.2).
    var isHTTPToken: Bool { isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension String {
    /// The text without spaces and tabs at its ends.
    var trimmingBlanks: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }
}
