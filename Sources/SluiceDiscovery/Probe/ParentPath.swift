internal import SluiceDecode
internal import SluiceModel

/// A path that asks for what belongs to one record of a list, as `/tickets/101/comments`: with `parent` a stream asks for that of
/// each record.
package struct ParentPath: Equatable {
    /// Words before a number that is no record's, but a version.
    private static let versioned: Set<String> = ["api", "rest", "v", "version", "versions"]

    /// The list that has the record.
    package let list: String
    /// What identifies the record.
    package let record: String
    /// The path with `{{ parent.id }}` in the place of that.
    package let path: String

    /// Reads a path without its query; nil where it does not name a record before its last part.
    package init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let places = parts.indices.dropFirst().dropLast().filter { index in
            let list = parts[index - 1]
            return Self.isIdentifier(parts[index]) && Self.isName(list) && !Self.isIdentifier(list)
                && !Self.versioned.contains(list.lowercased())
        }
        guard let last = parts.last, Self.isName(last), !Self.isIdentifier(last), let place = places.last,
            !path.contains("{{"), !path.contains("${")
        else { return nil }
        (list, record) = (parts[place - 1], parts[place])
        self.path = (parts[..<place] + ["{{ parent.id }}"] + parts[(place + 1)...]).joined(separator: "/")
    }

    /// What a pipeline says of it, as lines of a comment.
    var notes: [String] {
        [
            "These are of one of `\(list)`, `\(record)`. With a stream `\(list)` in this file, this asks for those of each:",
            "parent: {stream: \(list), key: id}", "path: \(FieldJSON.quoted(path))",
        ]
    }

    /// Whether a part of a path may name a stream as it is.
    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    /// Whether a part of a path is a number or a UUID.
    private static func isIdentifier(_ part: String) -> Bool {
        if !part.isEmpty && part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return part.contains("-") && StoredJSON().value(typed: part, type: .uuid) != nil
    }
}
