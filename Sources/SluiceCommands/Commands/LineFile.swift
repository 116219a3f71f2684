internal import SluiceSystem

/// A text file that is to have some lines, and that may be somebody's already.
struct LineFile {
    /// What the program did to it.
    enum Change: Equatable {
        case made, extended, left
    }

    let path: String

    /// Sees to it that the file has lines; what stands in it stays.
    ///
    /// - Parameters:
    ///   - heading: What a new file begins with.
    ///   - lines: The lines, each with the comment that goes before it.
    ///   - isSame: Whether a line of the file stands for one of these.
    /// - Returns: What was done.
    /// - Throws: `SystemError`.
    func add(
        heading: String = "", _ lines: [(comment: String, line: String)],
        isSame: (_ own: Substring, _ line: String) -> Bool = { $0 == $1 }
    ) throws -> Change {
        let isNew = FileSystem.kind(of: path) == nil
        let own = isNew ? heading : String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
        let known = own.split(whereSeparator: \.isNewline)
        let missing = lines.filter { line in !known.contains { isSame($0, line.line) } }
        if !isNew && missing.isEmpty { return .left }
        let end = own.isEmpty || own.hasSuffix("\n") ? "" : "\n"
        let added = missing.map { $0.comment.isEmpty ? "\($0.line)\n" : "# \($0.comment)\n\($0.line)\n" }
        try OutputStream(writing: path).write(own + end + added.joined())
        return isNew ? .made : .extended
    }
}
