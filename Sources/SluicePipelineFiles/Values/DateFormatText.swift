internal import SluiceModel
internal import SluicePipeline

/// How a date is written: a name of ours, or a pattern of `strftime` directives.
struct DateFormatText {
    /// The names that are no patterns.
    static let names = ["rfc3339", "unix", "unix_ms", "date"] + mailNames
    /// Those of mail and of HTTP.
    static let mailNames = ["rfc2822", "rfc850", "http_date"]

    private static let known = TimeDirective.all.map(\.letter)
    private let text: String
    private let directives: Set<Character>

    /// Reads a format.
    init(_ text: String) throws(TextProblem) {
        self.text = text
        if Self.names.contains(text) {
            directives = []
            return
        }
        guard text.contains("%") else {
            throw TextProblem(
                "It must be \(StringRule.dateFormat.expectation).",
                help: "A pattern has a directive for each part, such as `%Y-%m-%d`.")
        }
        directives = try Self.directives(in: text)
        if directives.contains("I") != directives.contains("p") {
            throw TextProblem("`%I` (hour of twelve) and `%p` (AM or PM) need each other.")
        }
        if !isWholeDate {
            throw TextProblem(
                "The pattern gives no whole date.", help: "It needs a year, a month and a day, such as `%Y-%m-%d`.")
        }
    }

    private static func directives(in text: String) throws(TextProblem) -> Set<Character> {
        var found: Set<Character> = []
        var index = text.startIndex
        while let percent = text[index...].firstIndex(of: "%") {
            let offset = text.utf8.distance(from: text.startIndex, to: percent)
            let next = text.index(after: percent)
            guard next < text.endIndex else { throw TextProblem("A directive must follow `%`.", offset: offset) }
            guard known.contains(text[next]) else {
                let list = known.map { "%\($0)" }.joined(separator: " ")
                throw TextProblem(
                    "`%` followed by this character is no directive.", offset: offset,
                    help: "The directives are \(list).")
            }
            found.insert(text[next])
            index = text.index(after: next)
        }
        return found
    }

    private var isWholeDate: Bool {
        let hasYear = !directives.isDisjoint(with: "YyDF")
        let hasDay = directives.contains("j") || isMonthAndDay
        return hasYear && hasDay
    }

    private var isMonthAndDay: Bool {
        !directives.isDisjoint(with: "mbBDF") && !directives.isDisjoint(with: "deDF")
    }

    /// Whether a text of this format states its offset from UTC, or needs none.
    var statesZone: Bool {
        switch text {
        case "rfc3339", "unix", "unix_ms": true
        case _ where Self.mailNames.contains(text): true
        case "date": false
        default: directives.contains("z") || directives.contains("Z")
        }
    }

    /// Whether a value is a number of seconds or milliseconds.
    var isNumeric: Bool { text == "unix" || text == "unix_ms" }
}
