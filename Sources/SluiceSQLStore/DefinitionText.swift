/// What people defined in a database, as a list of what is not copied has it.
package enum DefinitionText {
    /// What it is, with its definition in one line.
    ///
    /// - Parameters:
    ///   - what: A noun with its name.
    ///   - sql: The definition; nil or empty where it is not known.
    /// - Returns: Both.
    package static func of(_ what: String, _ sql: String?) -> String {
        let words = (sql ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = words.hasSuffix(";") ? String(words.dropLast()) : words
        return shown.isEmpty ? what : "\(what): \(shown)"
    }
}
