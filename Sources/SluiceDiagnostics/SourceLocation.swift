/// A place in a file that a person wrote.
package struct SourceLocation: Sendable, Hashable {
    /// A line and a column, both counted from 1; columns count Unicode scalars.
    package struct Position: Sendable, Hashable, Comparable {
        /// The line, from 1.
        package var line: Int
        /// The column in Unicode scalars, from 1.
        package var column: Int

        /// Makes a position.
        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// Whether the left one comes first.
        package static func < (left: Position, right: Position) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// The file, as the person named it.
    package var file: String
    /// The place within the file; nil where the problem is the file itself.
    package var position: Position?

    /// Makes a location that is a file as a whole.
    package init(file: String) { self.file = file }

    /// Makes a location within a file.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.position = Position(line: line, column: column)
    }
}

extension SourceLocation: Comparable {
    /// Whether the left one comes first: by file, then by position, a whole file before its parts.
    package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        if left.file != right.file { return left.file < right.file }
        switch (left.position, right.position) {
        case (nil, nil), (_, nil): return false
        case (nil, _): return true
        case (let leftPosition?, let rightPosition?): return leftPosition < rightPosition
        }
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `file:line:column`, or `file` alone.
    package var description: String {
        guard let position else { return file }
        return "\(file):\(position.line):\(position.column)"
    }
}
