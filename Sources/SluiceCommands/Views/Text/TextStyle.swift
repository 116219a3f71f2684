/// Colours, where they are of use.
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

    let isColored: Bool

    package init(isColored: Bool) { self.isColored = isColored }

    /// Text in the colour of a role.
    func paint(_ text: String, _ role: Role) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
