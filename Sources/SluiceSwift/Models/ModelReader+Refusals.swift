internal import SluiceDiagnostics

extension ModelReader {
    /// The arguments of each macro, besides rules of merging.
    private static let arguments: [MergeRule.Place: [String]] = [
        .model: [
            "entity", "table", "identifier", "renamedFrom", "tableRenamedFrom", "unique", "names", "unboxing",
            "initializer", "counts",
        ],
        .attribute: [
            "persistentName", "renamedFrom", "column", "json", "storageMethod", "decodeFailurePolicy", "check",
        ],
        .relationship: ["persistentName", "renamedFrom", "inverse", "deleteRule", "via", "json"],
    ]

    /// The arguments of a macro.
    package static func arguments(of place: MergeRule.Place) -> [String] {
        arguments[place, default: []] + MergeRule.allCases.filter { $0.places.contains(place) }.map(\.rawValue)
    }

    /// What macros of other libraries take and these do not, with what to do instead.
    private static let remedies: [String: String] = [
        "minimum": "how many records it leads to is for the program to check",
        "maximum": "how many records it leads to is for the program to check",
        "minimumModelCount": "how many records it leads to is for the program to check",
        "maximumModelCount": "how many records it leads to is for the program to check",
        "type": "the property's type says what its column holds; `.transformed` stores another one",
        "upsert": "a reference waits for its record, and records by value come along as objects",
        "onDangling": "a reference waits for its record; a `Ref` that is not optional keeps the record aside meanwhile",
        "transformerName": "`.transformed` takes a type",
        "originalName": "`persistentName` is the name of today, `renamedFrom` the one of before",
    ]

    /// Says that a macro has no such argument, and which one was probably meant.
    mutating func refuse(_ argument: TypeDeclaration.Attribute.Argument, of place: MergeRule.Place) {
        let macro = place.rawValue
        guard let label = argument.label else {
            return complain("@\(macro): the argument needs its label", at: argument.range.lowerBound)
        }
        let message = "@\(macro) has no argument `\(label)`"
        if let remedy = Self.remedies[label] {
            return complain("\(message): \(remedy)", at: argument.range.lowerBound)
        }
        guard let nearest = Suggestion.nearest(to: label, among: Self.arguments(of: place)) else {
            return complain(message, at: argument.range.lowerBound)
        }
        let range = argument.start..<argument.start + label.utf8.count
        complain(
            "\(message); `\(nearest)` was probably meant", at: argument.range.lowerBound,
            fixIt: .init(message: "write `\(nearest)`", range: range, text: nearest))
    }
}
