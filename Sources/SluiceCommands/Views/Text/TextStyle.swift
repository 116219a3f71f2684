/// How text is made for people: colours, where they are of use, and how wide a line may be.
package struct TextStyle: Sendable {
    /// What a piece of text says.
    enum Role: String, Sendable {
        case added = "32"
        case changed = "33"
        case removed = "31"
        case conflict = "35"
        case strong = "1"
        case faint = "2"
    }

    /// The columns of a line where no terminal says otherwise, so that files and pipes always get the same text.
    package static let standardWidth = 100
    private static let widths = 80...120

    let isColored: Bool
    let width: Int

    /// - Parameters:
    ///   - isColored: Whether text is painted.
    ///   - columns: How wide the terminal is, nil where there is none.
    package init(isColored: Bool, columns: Int? = nil) {
        self.isColored = isColored
        width = columns.map { min(max($0, Self.widths.lowerBound), Self.widths.upperBound) } ?? Self.standardWidth
    }

    private init(isColored: Bool, width: Int) { (self.isColored, self.width) = (isColored, width) }

    /// The style of lines that stand further in.
    func narrowed(by columns: Int) -> TextStyle {
        TextStyle(isColored: isColored, width: max(width - columns, Self.widths.lowerBound / 2))
    }

    /// Text in the colour of a role.
    func paint(_ text: String, _ role: Role) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
