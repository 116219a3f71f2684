/// The one place where names become SQL.
public enum SQLName {
    /// A name in double quotes, with those within it doubled. See: sqlite.org/lang_keywords.html
    public static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Names in double quotes, separated by commas.
    public static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }
}
