/// Numbers of things in sentences: the one place that knows how English counts.
package enum Plural {
    /// A number with a comma between each three digits, as in `1,234,567`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A number of things: `1 page`, `2 pages`, `0 entries`.
    ///
    /// - Parameters:
    ///   - number: How many there are.
    ///   - one: The noun for one of them, with what stands before it.
    ///   - many: The noun for several; the first one with an `s` where none is given.
    /// - Returns: The number and the noun.
    package static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(word(number, one, many ?? one + "s"))"
    }

    /// The word that agrees with a number, such as a verb or pronoun: `is` for 1, `are` for 0 and 2.
    package static func word(_ number: Int, _ one: String, _ many: String) -> String { number == 1 ? one : many }
}
