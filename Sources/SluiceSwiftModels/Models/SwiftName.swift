internal import SluiceSwift

/// Names of the store as names of Swift.
enum SwiftName {
    /// Parts that are written in capitals where they do not begin a name.
    private static let acronyms: Set<String> = [
        "id", "url", "uri", "uuid", "html", "http", "https", "json", "xml", "sku",
    ]

    /// Types that generated models name, or that a type of that name would hide.
    private static let takenTypes: Set<String> = [
        "String", "Int", "Bool", "Double", "Decimal", "Date", "UUID", "URL", "Data", "Day", "JSONText", "Ref", "Refs",
        "Origin", "Sluice", "Model", "Optional", "Array", "Set", "Dictionary", "Character", "Error", "Never", "Any",
        "Self", "Type", "Protocol", "Sendable", "Hashable", "StoredValue", "StoredKey", "PersistentModel",
        "RecordConvertible", "CaseIterable", "Identifiable",
    ]

    /// The words of a name: parts between signs, and parts that begin with a capital behind a small letter.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previous: Character?
        for letter in name {
            let isPart = letter.isLetter || letter.isNumber
            if !isPart || letter.isUppercase && previous.map({ $0.isLowercase || $0.isNumber }) ?? false {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isPart { word.append(letter) }
            previous = letter
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func capital(_ word: String) -> String {
        let lowered = word.lowercased()
        if acronyms.contains(lowered) { return lowered.uppercased() }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// A name that begins with a letter.
    private static func withLetter(_ name: String, _ fallback: String) -> String {
        guard let first = name.first else { return fallback }
        return first.isNumber ? "_" + name : name
    }

    /// The property of a field's name: `isRead` of `is_read`, `imageURL` of `image_url`.
    static func property(_ name: String) -> String {
        let words = words(name)
        let first = words.first ?? ""
        // A word in capitals alone is an acronym.
        let head = first == first.uppercased() ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let result = withLetter(head + words.dropFirst().map(capital).joined(), "value")
        return SwiftWord.members.contains(result) ? result + "Value" : result
    }

    /// The type of an entity's or a field's name: `OrderLine` of `order_line`.
    static func type(_ name: String) -> String {
        let result = withLetter(words(name).map(capital).joined(), "Value")
        return takenTypes.contains(result) || SwiftWord.keywords.contains(result) ? result + "Record" : result
    }

    /// The name of several: `issues` of `issue`, `categories` of `category`.
    static func plural(_ name: String) -> String {
        if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        return ["s", "x", "z", "ch", "sh"].contains(where: name.hasSuffix) ? name + "es" : name + "s"
    }

    /// A name as it is written, with backticks where it is a word of the language.
    static func written(_ name: String) -> String { SwiftWord.keywords.contains(name) ? "`\(name)`" : name }

    /// A name that no other one is, of a set that it joins.
    static func unique(_ name: String, in taken: inout Set<String>) -> String {
        var (result, number) = (name, 1)
        while !taken.insert(result).inserted {
            number += 1
            result = "\(name)\(number)"
        }
        return result
    }

    /// The enum of a field's values.
    static func enumeration(_ name: String, _ values: [String]) -> SwiftModel.Enumeration {
        var taken: Set<String> = []
        let cases = values.enumerated().map { index, value in
            let isName = words(value).first?.first?.isLetter ?? false
            let wanted = isName ? caseName(value) : "value\(index + 1)"
            return SwiftModel.Enumeration.Case(name: unique(wanted, in: &taken), value: value)
        }
        return SwiftModel.Enumeration(name: name, cases: cases)
    }

    private static func caseName(_ value: String) -> String {
        let words = words(value)
        let first = words.first ?? ""
        let head = first == first.uppercased() ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let result = head + words.dropFirst().map(capital).joined()
        return ["init", "self", "Type", "Self"].contains(result) ? result + "Value" : result
    }

    /// The name in the store that the library gives a property.
    static func storeName(_ property: String, _ style: SwiftModelOptions.NameStyle) -> String {
        style == .snakeCase ? SnakeCaseName.of(property) : property
    }
}
