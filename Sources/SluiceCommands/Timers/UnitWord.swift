/// Words in the lines of systemd units.
enum UnitWord {
    /// A value that takes the rest of its line.
    static func value(_ text: String) -> String { text.replacing("%", with: "%%") }

    /// A value that stands in a list.
    static func item(_ text: String) -> String { quoted(value(text)) }

    /// The program of a command line or one of its arguments.
    static func argument(_ text: String) -> String { quoted(value(text).replacing("$", with: "$$")) }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "@%+=:,./_-$".utf8.contains(byte)
        }
        if isPlain && !text.isEmpty { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
