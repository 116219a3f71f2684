/// The links of a response's `Link` fields (RFC 8288).
///
/// ```swift
/// let header = LinkHeader(["<https://api.example.com/items?page=2>; rel=\"next\""])
/// header.target(of: "next", from: url)   // https://api.example.com/items?page=2
/// ```
package struct LinkHeader: Sendable, Hashable {
    /// One link.
    package struct Link: Sendable, Hashable {
        /// The target as it stands in the header, often relative.
        package var target: String
        /// The relation types in lower case; a link without any is no link (section 3.3).
        package var relations: [String]
        /// The parameters but the first `rel`; names in lower case, values without quotes.
        package var parameters: [HTTPField]

        /// The value of the first parameter with that name, in any case, or nil where there is none.
        package func parameter(_ name: String) -> String? {
            parameters.first { $0.isNamed(name) }?.value
        }
    }

    /// All links, in the order received.
    package let links: [Link]

    /// Reads field values; what is no link is skipped up to the next comma.
    ///
    /// - Parameter fieldValues: The value of each `Link` field.
    package init(_ fieldValues: [String]) {
        links = fieldValues.flatMap { value in
            var parser = LinkParser(value)
            return parser.links()
        }
    }

    /// The first link of a relation that is about the document itself.
    ///
    /// A link with an `anchor` that names another document, or a part of this one, is about that instead.
    ///
    /// - Parameters:
    ///   - relation: The relation type, in any case.
    ///   - url: The URL that answered.
    /// - Returns: The link with its target as received, or nil where there is none.
    package func first(_ relation: String, from url: HTTPURL) -> Link? {
        let wanted = relation.lowercased()
        return links.first { link in
            guard link.relations.contains(wanted) else { return false }
            guard let anchor = link.parameter("anchor") else { return true }
            return (try? url.resolving(anchor))?.text == url.text
        }
    }

    /// The absolute target of the first link of a relation, or nil where there is none.
    ///
    /// - Parameters:
    ///   - relation: The relation type, in any case.
    ///   - url: The URL that answered.
    /// - Returns: The target, relative ones resolved against the URL that answered.
    /// - Throws: ``HTTPError`` with ``HTTPError/Code/invalidURL`` where the target is no http or https URL.
    package func target(of relation: String, from url: HTTPURL) throws(HTTPError) -> HTTPURL? {
        guard let link = first(relation, from: url) else { return nil }
        return try url.resolving(link.target)
    }
}

/// Reads `<target>; name=token; name="quoted", <target>…`.
private struct LinkParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        // A folded line goes on after its line break and the white space behind it.
        var unfolded: [UInt8] = []
        var isInFold = false
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A {
                isInFold = true
            } else if !isInFold || !byte.isBlank {
                isInFold = false
                unfolded.append(byte)
            }
        }
        bytes = unfolded
    }

    mutating func links() -> [LinkHeader.Link] {
        var links: [LinkHeader.Link] = []
        while position < bytes.count {
            skipBlanks()
            if consume("<") {
                if let link = link(), !link.relations.isEmpty { links.append(link) }
            }
            skipToComma()
        }
        return links
    }

    /// What follows a `<`, up to the comma; nil where the `>` is missing.
    private mutating func link() -> LinkHeader.Link? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
            position = bytes.count
            return nil
        }
        let target = String(decoding: bytes[position..<end], as: UTF8.self).trimmingBlanks
        position = end + 1
        var link = LinkHeader.Link(target: target, relations: [], parameters: [])
        var hasRelation = false
        skipBlanks()
        while consume(";") {
            guard let parameter = parameter() else { continue }
            if parameter.name != "rel" {
                link.parameters.append(parameter)
            } else if !hasRelation {
                // Only the first `rel` counts (section 3.3).
                hasRelation = true
                // Some sources write quotes that are none.
                link.relations = parameter.value.split { " \t'".contains($0) }.map { $0.lowercased() }
            }
        }
        return link
    }

    private mutating func parameter() -> HTTPField? {
        skipBlanks()
        let name = text { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        var value = ""
        if consume("=") {
            skipBlanks()
            if consume("\"") {
                value = quoted()
            } else {
                value = text { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            }
        }
        skipBlanks()
        return name.isEmpty ? nil : HTTPField(name.lowercased(), value)
    }

    private mutating func quoted() -> String {
        var value: [UInt8] = []
        while position < bytes.count, !consume("\"") {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            value.append(bytes[position])
            position += 1
        }
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self).trimmingBlanks
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position].isBlank { position += 1 }
    }

    /// Leaves what is no link; a comma within quotes separates nothing.
    private mutating func skipToComma() {
        while position < bytes.count, !consume(",") {
            if consume("\"") {
                _ = quoted()
            } else {
                position += 1
            }
        }
    }
}
