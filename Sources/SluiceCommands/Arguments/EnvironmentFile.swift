/// The variables of an `.env` file.
///
/// A line is `NAME=value`, `export NAME=value`, a comment after `#`, or empty. A value in single quotes is taken as it
/// is. In double quotes, `\n`, `\"`, `\\` and `\$` stand for a line break and the characters. A bare value ends before a
/// blank and `#`. Nothing is filled in: `$` is `$`. Of a name that is there twice, the last value counts.
package struct EnvironmentFile: Sendable {
    /// What is wrong with a line. No message repeats any of the line: it may be a secret.
    package struct Problem: Error, Equatable {
        /// The line's number, from 1.
        package let line: Int
        /// What is wrong, as a sentence.
        package let message: String
    }

    /// The variables by their names.
    package private(set) var variables: [String: String] = [:]

    /// Reads the text of a file.
    ///
    /// - Throws: ``Problem``, of the first line that cannot be read.
    package init(parsing bytes: [UInt8]) throws(Problem) {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let content = line.last == 0x0D ? line.dropLast() : line
            guard let whole = String(validating: content, as: UTF8.self), !content.contains(0) else {
                throw Problem(line: index + 1, message: "It is not UTF-8 text.")
            }
            do throws(LineProblem) {
                guard let (name, value) = try Self.assignment(whole[...]) else { continue }
                variables[name] = value
            } catch { throw Problem(line: index + 1, message: error.message) }
        }
    }

    private struct LineProblem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    /// The two sides of a line; nil of one that has none.
    private static func assignment(_ line: Substring) throws(LineProblem) -> (name: String, value: String)? {
        var rest = line.drop(while: isBlank)
        if rest.isEmpty || rest.first == "#" { return nil }
        if rest.hasPrefix("export"), rest.dropFirst(6).first.map(isBlank) == true {
            rest = rest.dropFirst(6).drop(while: isBlank)
        }
        let name = rest.prefix { $0 != "=" }
        guard name.count < rest.count else { throw LineProblem("It has no `=`: a line is `NAME=value`.") }
        guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
            throw LineProblem(
                "What stands before `=` is no name: it may have ASCII letters, digits and `_`, and no blanks.")
        }
        return (String(name), try value(rest.dropFirst(name.count + 1).drop(while: isBlank)))
    }

    private static func value(_ text: Substring) throws(LineProblem) -> String {
        switch text.first {
        case "'":
            let inner = text.dropFirst()
            guard let end = inner.firstIndex(of: "'") else { throw LineProblem("A single quote is not closed.") }
            try requireEnd(inner[inner.index(after: end)...])
            return String(inner[..<end])
        case "\"": return try quoted(text.dropFirst())
        default: return bare(text)
        }
    }

    /// A value after its opening double quote.
    private static func quoted(_ text: Substring) throws(LineProblem) -> String {
        var value = String.UnicodeScalarView()
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                try requireEnd(Substring(scalars))
                return String(value)
            case "\\":
                switch scalars.popFirst() {
                case "n": value.append("\n")
                case let escaped? where escaped == "\"" || escaped == "\\" || escaped == "$": value.append(escaped)
                default:
                    throw LineProblem(
                        "In double quotes, only `n`, `\"`, `\\` or `$` stands behind `\\`. Single quotes take all as it is."
                    )
                }
            default: value.append(scalar)
            }
        }
        throw LineProblem("A double quote is not closed.")
    }

    /// A value without quotes: up to a comment, without the blanks at its end.
    private static func bare(_ text: Substring) -> String {
        var end = text.startIndex
        var previous: Character?
        for index in text.indices {
            if text[index] == "#", previous.map(isBlank) ?? true { break }
            if !isBlank(text[index]) { end = text.index(after: index) }
            previous = text[index]
        }
        return String(text[..<end])
    }

    /// Behind a closing quote only a comment may stand.
    private static func requireEnd(_ text: Substring) throws(LineProblem) {
        let rest = text.drop(while: isBlank)
        if !rest.isEmpty, rest.first != "#" { throw LineProblem("Something stands behind the closing quote.") }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
}
