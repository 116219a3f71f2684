internal import SluiceDiagnostics
internal import SluiceJSON
internal import Synchronization

/// What the values of a field have to be.
enum FieldCheck: Sendable {
    /// Numbers, as they are written.
    struct Bounds: Sendable {
        let lower: String?
        let upper: String?
        let excludesUpper: Bool

        /// As it is written in Swift.
        var words: String { (lower ?? "") + (excludesUpper ? "..<" : "...") + (upper ?? "") }

        /// Whether a number that compares so with each bound is within.
        func contains(_ compare: (String) -> Int?) -> Bool {
            if let lower { guard let order = compare(lower), order >= 0 else { return false } }
            if let upper {
                guard let order = compare(upper), excludesUpper ? order < 0 : order <= 0 else { return false }
            }
            return true
        }
    }

    case range(Bounds)
    case length(Bounds)
    case pattern(CheckPattern)
    case texts([String])
    case numbers([String])
    /// What the macro wrote cannot be read.
    case unreadable

    /// A text that is another one for each check.
    var fingerprint: String {
        switch self {
        case .range(let bounds): "range \(bounds.words)"
        case .length(let bounds): "length \(bounds.words)"
        case .pattern(let pattern): "pattern \(pattern.text)"
        case .texts(let texts): "texts \(texts)"
        case .numbers(let numbers): "numbers \(numbers)"
        case .unreadable: "unreadable"
        }
    }

    /// Reads what the macro wrote.
    init(_ value: JSONValue) {
        let bounds = Bounds(
            lower: value.text("lower"), upper: value.text("upper"), excludesUpper: value.flag("excludesUpper"))
        let values = value.member(named: "values")?.elements.compactMap(\.string) ?? []
        self =
            switch value.text("kind") {
            case "range": .range(bounds)
            case "length": .length(bounds)
            case "pattern": .pattern(CheckPattern(value.text("pattern") ?? ""))
            case "texts": .texts(values)
            case "numbers": .numbers(values)
            default: .unreadable
            }
    }

    /// What keeps it from checking values of a type; nil where nothing does.
    func problem(with type: StoredType?) -> String? {
        let numbers: [StoredType] = [.int, .double, .decimal]
        let texts: [StoredType] = [.string, .url, .uuid]
        let (word, types): (String, [StoredType]) =
            switch self {
            case .range: ("range", numbers)
            case .length: ("length", [.string, .url, .bytes])
            case .pattern: ("pattern", texts)
            case .texts: ("values", texts)
            case .numbers: ("values", numbers)
            case .unreadable: ("check", [])
            }
        if case .pattern(let pattern) = self, !pattern.isValid {
            return "the pattern `\(pattern.text)` is no regular expression"
        }
        guard let type else { return nil }
        return types.contains(type) ? nil : "`.\(word)` does not check what a column of the type `\(type.name)` holds"
    }

    /// What is wrong with a value, as a clause that follows the property's name; nil where nothing is. It does not show the
    /// value.
    func problem(with value: BoxedValue) -> String? {
        switch self {
        case .range(let bounds):
            return value.isNull || bounds.contains { value.compared(with: $0) }
                ? nil : "is not within \(bounds.words)"
        case .length(let bounds):
            guard let (count, unit) = value.length, !bounds.contains({ Int($0).map { count - $0 } }) else { return nil }
            return "has \(Plural.of(count, unit)), not \(bounds.words)"
        case .pattern(let pattern):
            guard case .text(let text) = value, !pattern.matches(text) else { return nil }
            return "does not match the pattern `\(pattern.text)`"
        case .texts(let texts):
            return value.isNull || texts.contains { .text($0) == value }
                ? nil : "is none of the values that it may have"
        case .numbers(let numbers):
            return value.isNull || numbers.contains { value.compared(with: $0) == 0 }
                ? nil : "is none of the values that it may have"
        case .unreadable: return nil
        }
    }
}

/// A regular expression, which several threads may use.
final class CheckPattern: Sendable {
    let text: String
    private let expression: Mutex<Regex<AnyRegexOutput>?>

    init(_ text: String) {
        self.text = text
        expression = Mutex(PatternText.expression(text))
    }

    var isValid: Bool { expression.withLock { $0 != nil } }

    /// Whether it matches a text as a whole.
    func matches(_ text: String) -> Bool {
        expression.withLock { expression in
            guard let expression else { return true }
            return (try? expression.wholeMatch(in: text)) != nil
        }
    }
}

extension BoxedValue {
    /// Less than zero, zero or more than it, as the value compares with a number; nil where it is none.
    fileprivate func compared(with number: String) -> Int? {
        switch self {
        case .real(let value):
            guard let number = Double(number), !value.isNaN else { return nil }
            return value < number ? -1 : value == number ? 0 : 1
        case .integer(let value): return DecimalOrder.compare(Array(String(value).utf8), Array(number.utf8))
        case .text(let text):
            guard DecimalOrder.digits(Array(text.utf8)) != nil else { return nil }
            return DecimalOrder.compare(Array(text.utf8), Array(number.utf8))
        case .null, .blob: return nil
        }
    }

    /// How long it is, and what is counted; nil where nothing is.
    fileprivate var length: (count: Int, unit: String)? {
        switch self {
        case .text(let text): (text.count, "character")
        case .blob(let bytes): (bytes.count, "byte")
        case .null, .integer, .real: nil
        }
    }
}

extension ModelDescription {
    /// What is wrong with the value of a field, as a sentence; nil where nothing is.
    func problem(with value: BoxedValue, _ field: Int) -> String? {
        guard fields.indices.contains(field) else { return nil }
        return fields[field].checks.lazy.compactMap { $0.problem(with: value) }.first.map {
            "`\(fields[field].property)` \($0)."
        }
    }

    /// Checks the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The position of the field.
    ///   - identifier: The record's identifier, for people; nil where several are meant.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/check``.
    func check(_ value: BoxedValue, _ field: Int, of identifier: String?) throws(SluiceError) {
        guard let problem = problem(with: value, field) else { return }
        let record = [entity, identifier].compactMap { $0 }.joined(separator: " ")
        throw SluiceError(
            .check, "\(record) cannot be stored: \(problem)", entity: entity, identifier: identifier,
            field: fields[field].property)
    }

    /// Checks the fields of a record that are written.
    ///
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/check``.
    func check(_ record: BoxedRecord, _ written: some Sequence<Int>) throws(SluiceError) {
        for field in written where !fields[field].checks.isEmpty {
            let key = record.key.map(\.text).joined(separator: ", ")
            try check(record.values[field], field, of: record.key.contains(.null) ? nil : key)
        }
    }
}
