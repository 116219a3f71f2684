internal import SluicePipeline

/// Gives each path of keys a column name of its own.
struct ColumnNames {
    /// The names of the store's own columns.
    private static let reserved: Set<String> = ["_deleted_at", "_deleted_by_run"]
    private var taken = Self.reserved

    /// The column of a path: its keys in snake_case, and a number where that is taken.
    mutating func name(for path: [String]) -> String {
        let wanted = path.map(Self.snakeCase).joined(separator: "_")
        var name = wanted
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(wanted)_\(number)"
        }
        return name
    }

    /// A text in snake_case: `html_url` of `htmlUrl`, `first_name` of `First name`, `_64bit` of `64bit`.
    static func snakeCase(_ text: String) -> String {
        var words = ""
        for character in SnakeCase.convert(text) {
            if character.isLetter || character.isNumber {
                words.append(character)
            } else if !words.isEmpty, !words.hasSuffix("_") {
                words.append("_")
            }
        }
        // A line at the beginning stands there on purpose, as in `_id`.
        if text.hasPrefix("_"), !words.isEmpty { words = "_" + words }
        while words.hasSuffix("_") { words.removeLast() }
        if words.isEmpty { return "field" }
        return words.first.map(\.isNumber) == true ? "_" + words : words
    }
}
