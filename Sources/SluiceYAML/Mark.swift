/// A place in a YAML text: line and column, both counted from 1.
///
/// Columns count Unicode scalars, and a line ends where libyaml ends it: LF, CR, CR LF, NEL, LS or PS.
package struct Mark: Sendable, Hashable, Comparable {
    /// The line, from 1.
    package var line: Int
    /// The column in Unicode scalars, from 1.
    package var column: Int

    /// Makes a mark.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first place of a text.
    package static let start = Mark(line: 1, column: 1)

    /// Whether the left one comes first.
    package static func < (left: Mark, right: Mark) -> Bool { (left.line, left.column) < (right.line, right.column) }
}
