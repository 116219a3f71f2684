extension JSONValue {
    /// The value as JSON without white space, as ``JSONWriter/append(_:to:)-(JSONElement,_)`` writes it.
    package var json: [UInt8] { text { JSONWriter.append($0, to: &$1) } }

    /// The value as JSON in one form of all that say the same, see ``JSONWriter/appendCanonical(_:to:)``.
    package var canonicalJSON: [UInt8] { text { JSONWriter.appendCanonical($0, to: &$1) } }

    /// The value as JSON with lines for people, see ``JSONWriter/appendIndented(_:indent:to:)``.
    package var indentedJSON: [UInt8] { text { JSONWriter.appendIndented($0, to: &$1) } }

    private func text(_ append: (JSONElement, inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        read { append($0, &bytes) }
        return bytes
    }
}

extension JSONWriter {
    /// Appends a string of UTF-8.
    ///
    /// - Parameters:
    ///   - utf8: The string, valid UTF-8.
    ///   - bytes: Where it is appended.
    package static func append(utf8: [UInt8], to bytes: inout [UInt8]) {
        unsafe utf8.withUnsafeBytes { unsafe append(utf8: $0, to: &bytes) }
    }
}
