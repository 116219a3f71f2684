extension ModelReader {
    /// What macros of other libraries take and these do not, with what to do instead.
    private static let remedies: [String: String] = [
        "minimum": "how many records it leads to is for the program to check",
        "maximum": "how many records it leads to is for the program to check",
        "minimumModelCount": "how many records it leads to is for the program to check",
        "maximumModelCount": "how many records it leads to is for the program to check",
        "originalName": "`persistentName` is the name of today, `renamedFrom` the one of before",
    ]

    /// Says that a macro has no such argument.
    mutating func refuse(_ argument: TypeDeclaration.Attribute.Argument, of macro: String) {
        guard let label = argument.label else {
            return complain("@\(macro): the argument needs its label", at: argument.range.lowerBound)
        }
        let remedy = Self.remedies[label].map { ": \($0)" } ?? ""
        complain("@\(macro) has no argument `\(label)`\(remedy)", at: argument.range.lowerBound)
    }
}
