/// A set of Unicode scalars as a regular expression states it.
struct ScalarSet: Sendable {
    enum Item: Sendable {
        case range(ClosedRange<Unicode.Scalar>)
        case category(UnicodeCategory, isNegated: Bool)
    }

    var isNegated = false
    var items: [Item] = []

    /// What a dot stands for: everything but the end of a line.
    static let anyInLine = ScalarSet(isNegated: true, items: [.range("\n"..."\n"), .range("\r"..."\r")])

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isFound = items.contains { item in
            switch item {
            case .range(let range): range.contains(scalar)
            case .category(let category, let isNegated): category.contains(scalar) != isNegated
            }
        }
        return isFound != isNegated
    }
}

/// A general category of Unicode by its name, `L` or `Lu`.
struct UnicodeCategory: Sendable {
    private let members: Set<Unicode.GeneralCategory>

    init?(name: String) {
        guard let found = Self.names[name] else { return nil }
        members = Set(found)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { members.contains(scalar.properties.generalCategory) }

    private static let names: [String: [Unicode.GeneralCategory]] = {
        let single: [(String, Unicode.GeneralCategory)] = [
            ("Ll", .lowercaseLetter), ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Lt", .titlecaseLetter),
            ("Lu", .uppercaseLetter), ("Mc", .spacingMark), ("Me", .enclosingMark), ("Mn", .nonspacingMark),
            ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
            ("Pd", .dashPunctuation), ("Pe", .closePunctuation), ("Pf", .finalPunctuation),
            ("Pi", .initialPunctuation), ("Po", .otherPunctuation), ("Ps", .openPunctuation), ("Zl", .lineSeparator),
            ("Zp", .paragraphSeparator), ("Zs", .spaceSeparator), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
            ("Sm", .mathSymbol), ("So", .otherSymbol), ("Cc", .control), ("Cf", .format), ("Cn", .unassigned),
            ("Co", .privateUse),
        ]
        var names = Dictionary(uniqueKeysWithValues: single.map { ($0, [$1]) })
        for (name, category) in single { names[String(name.prefix(1)), default: []].append(category) }
        return names
    }()
}
