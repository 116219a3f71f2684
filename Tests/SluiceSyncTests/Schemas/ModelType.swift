import TestSupport

/// The type of a field in random pipelines, written down without any regard to how values are converted.
///
/// Values are texts that say the same in every type that takes them, but for truths, which are `1` and `0` as numbers.
struct ModelType: Equatable {
    enum Kind: String, CaseIterable { case string, int, double, decimal, bool, date, choice = "enum" }

    var kind: Kind
    /// The values of an `enum`.
    var values: [String] = []

    private static let choices = ["a", "b", "x", "5"]
    private static let samples: [Kind: [String]] = [
        .string: ["5", "12", "1.5", "x", "a", "true", "2026-01-31", "0", "n/a"],
        .int: ["0", "1", "5", "12", "-3"],
        .double: ["5", "1.5", "0.25", "1"],
        .decimal: ["5", "1.5", "12.25", "0"],
        .bool: ["true", "false"],
        .date: ["2026-01-31", "2025-12-01"],
    ]

    init(_ kind: Kind, values: [String] = []) { (self.kind, self.values) = (kind, values) }

    /// A type at random.
    init(_ random: inout SeededGenerator) {
        kind = random.pick(Kind.allCases)
        if kind == .choice { values = Self.someChoices(&random) }
    }

    /// Another type at random, or other values of an `enum`.
    func other(_ random: inout SeededGenerator) -> ModelType {
        if kind == .choice, random.chance(50) { return ModelType(.choice, values: Self.someChoices(&random)) }
        // Most values are texts and numbers.
        return ModelType(random.pick(Kind.allCases + [.string, .int]), &random)
    }

    private init(_ kind: Kind, _ random: inout SeededGenerator) {
        self.kind = kind
        if kind == .choice { values = Self.someChoices(&random) }
    }

    private static func someChoices(_ random: inout SeededGenerator) -> [String] {
        let some = choices.filter { _ in random.chance(60) }
        return some.isEmpty ? ["a"] : some
    }

    /// A value of the type at random.
    func sample(_ random: inout SeededGenerator) -> String {
        random.pick(kind == .choice ? values : Self.samples[kind] ?? [])
    }

    /// The type in a pipeline.
    var yaml: String {
        kind == .choice
            ? "type: enum, values: [\(values.map { "\"\($0)\"" }.joined(separator: ", "))]" : "type: \(kind.rawValue)"
    }

    // MARK: Values

    /// Whether a text is a value of the type.
    func takes(_ text: String) -> Bool {
        let digits = text.drop { $0 == "-" }
        let isNumber = digits.first?.isNumber == true && digits.allSatisfy { $0.isNumber || $0 == "." }
        return switch kind {
        case .string: true
        case .int: isNumber && !text.contains(".")
        case .double, .decimal: isNumber
        case .bool: text == "true" || text == "false"
        case .date: text.hasPrefix("20") && text.utf8.count == 10
        case .choice: values.contains(text)
        }
    }

    /// A value in another type; nil where something would be lost.
    func passed(_ text: String, to other: ModelType) -> String? {
        if kind == .bool, other.kind == .int { return text == "true" ? "1" : "0" }
        if kind == .int, other.kind == .bool { return ["1": "true", "0": "false"][text] }
        // A truth is no text, and a text no truth.
        if (kind == .bool) != (other.kind == .bool) { return nil }
        return other.takes(text) ? text : nil
    }

    /// A value as JSON, as a source sends it and a store writes it down.
    func json(_ text: String?) -> String {
        guard let text else { return "null" }
        return switch kind {
        case .string, .date, .choice, .decimal: "\"\(text)\""
        case .double: text.contains(".") ? text : text + ".0"
        case .int, .bool: text
        }
    }

    /// A value as rows show it.
    func shown(_ text: String?) -> String {
        guard let text else { return "NULL" }
        return switch kind {
        case .string, .date, .choice, .decimal: "'\(text)'"
        case .double: text.contains(".") ? text : text + ".0"
        case .int: text
        case .bool: text == "true" ? "1" : "0"
        }
    }

    /// A value as statements name it.
    func sql(_ text: String?) -> String {
        guard let text else { return "NULL" }
        return kind == .bool ? (text == "true" ? "'1'" : "'0'") : "'\(text)'"
    }
}
