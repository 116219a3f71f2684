/// Names in the manner of `first_printed`.
enum SnakeCase {
    /// The name in the manner of `firstPrinted`; underscores at both ends stay.
    static func converted(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        var result = String(name[..<first])
        result.append(words[0].lowercased())
        for word in words.dropFirst() { result.append(capitalized(word)) }
        result.append(contentsOf: name[name.index(after: last)...])
        return result
    }

    private static func capitalized(_ word: Substring) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
}
